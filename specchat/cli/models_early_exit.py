"""specchat models early-exit TARGET"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.confirmation import is_confirmed
from specchat.cli.exit_codes import NEGATIVE_ANSWER
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.model_options import GPU_LAYERS, MODEL_HELP, add_threads_option
from specchat.cli.option_notes import note_many_threads
from specchat.cli.output import end_progress, one_line, print_note, show_progress, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_size
from specchat.cli.text_table import format_table
from specchat.domain.early_exit import name_layers
from specchat.domain.errors import SettingError
from specchat.domain.shell_quoting import quote_command
from specchat.domain.types import ModelSettings
from specchat.services.drafts.early_exit_offer import EarlyExitOffer, EarlyExitReport, offer_early_exit
from specchat.services.drafts.early_exit_search import EarlyExitSearch
from specchat.services.models.early_exit_store import EarlyExit
from specchat.services.models.model_files import resolve_typed_path

_NUMBERS = ("layers", "size", "accepted", "speed-up")
_AUTO = "auto"


class ModelsEarlyExitCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("target", metavar="TARGET", help=MODEL_HELP)
        add(
            "--layers",
            type=_layers,
            metavar="N",
            help="how many of the first layers to use (default: auto, the fastest)",
        )
        add("--keep", action="store_true", help="keep the draft even if it isn't faster")
        add("-ngl", "--gpu-layers", type=GPU_LAYERS, metavar="N", help="layers on the GPU")
        add_threads_option(parser)
        add("-y", "--yes", action="store_true", help="don't ask for confirmation")
        parser.epilog = format_examples(
            "specchat models early-exit TARGET.gguf", "specchat models early-exit TARGET.gguf --layers 8 --yes"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        note_many_threads(arguments.threads)
        search = app.early_exit_search()
        offer = offer_early_exit(resolve_typed_path(arguments.target), arguments.layers)
        print_note(_space(offer, search))
        if not (arguments.yes or _agreed()):
            print_note("Nothing was written.")
            return 0
        settings = ModelSettings(gpu_layers=arguments.gpu_layers, threads=arguments.threads)
        with cancel_on_ctrl_c() as cancel:
            try:
                (report,) = iterate_in_thread(
                    lambda: iter([search.search(offer, cancel, _show, settings, keep_any=arguments.keep)]), cancel
                )
            finally:
                end_progress()
        kept = search.store.find(offer.target) if report.kept is not None else None
        if arguments.json:
            write_json({**asdict(report), "path": str(kept.path) if kept else None, "trained": offer.is_trained})
        else:
            write_output("\n".join(_lines(report, kept)) + "\n")
        return 0 if kept is not None else NEGATIVE_ANSWER


def _layers(text: str) -> int | None:
    return None if text == _AUTO else integer_in_range(1, 512)(text)


def _space(offer: EarlyExitOffer, search: EarlyExitSearch) -> str:
    space, size = format_size(offer.space), format_size(max(offer.sizes))
    needs = f"This takes up to {space} in {search.store.folder}."
    return one_line(f"{needs} If the draft makes answers faster, specchat keeps it (up to {size}).")


def _agreed() -> bool:
    cannot_ask = SettingError(
        "Nothing was written: there is no terminal to ask for confirmation.",
        "Add --yes to skip the confirmation.",
    )
    return is_confirmed("Try early exit?", cannot_ask)


def _show(n_layers: int, doing: str, part: float) -> None:
    show_progress(f"{name_layers(n_layers).capitalize()}: {doing}", part)


def _lines(report: EarlyExitReport, kept: EarlyExit | None) -> list[str]:
    cells = [
        (
            f"{trial.n_layers} of {report.n_layers}",
            format_size(trial.size),
            f"{trial.acceptance:.0%}",
            f"{trial.speedup:.2f}×",
        )
        for trial in report.trials
    ]
    return [*format_table(_NUMBERS, cells, right=_NUMBERS), "", *_outcome(report, kept)]


def _outcome(report: EarlyExitReport, kept: EarlyExit | None) -> list[str]:
    best = report.best
    speed, layers = f"{best.speedup:.2f} times as fast as plain decoding", name_layers(best.n_layers)
    if kept is None:
        return [f"Nothing was kept: with the {layers} as the draft, answers would be {speed}."]
    return [f"Kept the {layers} as the draft: {speed}.", f"  -md {quote_command(str(kept.path))}"]

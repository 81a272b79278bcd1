"""specchat models pull REF..."""

import argparse
from collections.abc import Sequence
from contextlib import closing

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.interrupt import cancel_on_ctrl_c
from specchat.cli.models_progress import DownloadProgressLine
from specchat.cli.output import print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_partial_size, format_size, parse_amount
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.hub.model_puller import PulledModel

_KEPT = "Partial downloads are kept. Run the same command to resume."


class ModelsPullCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add(
            "references",
            metavar="REF",
            nargs="+",
            help="a model on the Hub: owner/repo, owner/repo:Q4_K_M, or owner/repo:file.gguf",
        )
        add("--limit-rate", type=parse_amount, metavar="BYTES", help="speed limit in bytes per second, such as 5M")
        add(
            "--parallel",
            type=integer_in_range(1, 16),
            default=2,
            metavar="N",
            help="simultaneous downloads (default: 2)",
        )
        parser.epilog = format_examples(
            "specchat models pull ggml-org/Qwen3-8B-GGUF:Q4_K_M ggml-org/Qwen3-0.6B-GGUF:Q8_0"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        pulls = app.model_puller()
        pulls.parallel, pulls.limit = arguments.parallel, arguments.limit_rate
        wanted = pulls.resolve(arguments.references, CancelToken())
        try:
            with closing(DownloadProgressLine()) as line, cancel_on_ctrl_c() as cancel:
                installed = pulls.pull(wanted, cancel, line.show)
        except Cancelled:
            print_note(f"Interrupted. {_KEPT}")
            raise
        except UserError:
            if kept := pulls.kept_bytes(wanted):
                whole = sum(model.size for model in wanted.models)
                print_note(
                    f"Note: {format_partial_size(kept, whole)} downloaded so far. Run the same command to resume."
                )
            raise
        if arguments.json:
            write_json({"installed": [_plain(model) for model in installed]})
        else:
            write_output("".join(f"{model.reference}\n  {model.files[0].path}\n" for model in installed))
            print_note(_summary(installed))
        return 0


def _plain(model: PulledModel) -> dict[str, object]:
    """A model's path is that of its first file, which is the one to open."""
    first = model.files[0]
    return {
        "reference": str(model.reference),
        "path": str(first.path),
        "size": sum(file.size for file in model.files),
        "sha256": first.sha256 if len(model.files) == 1 else None,
        "bytes_fetched": sum(file.bytes_fetched for file in model.files),
        "files": [
            {
                "path": str(file.path),
                "size": file.size,
                "sha256": file.sha256,
                "bytes_fetched": file.bytes_fetched,
            }
            for file in model.files
        ],
    }


def _summary(installed: Sequence[PulledModel]) -> str:
    files = [file for model in installed for file in model.files]
    fetched = sum(file.bytes_fetched for file in files)
    checked = f"{format_size(sum(file.size for file in files))} verified"
    return f"{checked}, {format_size(fetched)} downloaded." if fetched else f"{checked}, already up to date."

"""specchat models drafts-for TARGET"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.model_options import HUB_MODEL_HELP
from specchat.cli.models_pairs import speedup_text
from specchat.cli.models_progress import show_progress_line
from specchat.cli.output import end_progress, one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_size
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.cancel_token import CancelToken
from specchat.domain.shell_quoting import quote_command
from specchat.services.drafts.draft_candidates import DraftCandidate, DraftSearchResult, ModelLocation
from specchat.services.models.model_files import find_local_path

_NUMBERS = ("size", "speed")
_WHERE = {ModelLocation.HERE: "here", ModelLocation.HUB: "Hub"}


class ModelsDraftsCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", metavar="TARGET", help=HUB_MODEL_HELP)
        parser.epilog = format_examples(
            "specchat models drafts-for demo", "specchat models drafts-for ggml-org/Qwen3-8B-GGUF"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        try:
            with closing(app.fit_estimator()):
                found = app.draft_finder().find(arguments.target, CancelToken(), _show)
        finally:
            end_progress()
        if arguments.json:
            write_json({**_plain(found), "early_exit": _is_worth_trying(arguments.target, app)})
            return 0
        write_output("".join(f"{line}\n" for line in _lines(found.drafts)))
        if _is_worth_trying(arguments.target, app):
            command = quote_command("specchat", "models", "early-exit", arguments.target)
            print_note(
                f"Note: This target was trained for early exit, so its first layers may make "
                f"a good draft. Try it with: {command}"
            )
        if found.hub_problem:
            print_note(found.hub_problem)
        return 0


def _is_worth_trying(target: str, app: App) -> bool:
    """It was trained for early exit, is here, and was not tried yet."""
    path = find_local_path(target)
    return path is not None and app.early_exit_search().is_worth_trying(path)


def _show(candidates: Sequence[DraftCandidate]) -> None:
    show_progress_line("Searching for drafts", f"{len(candidates)} candidates")


def _plain(found: DraftSearchResult) -> dict[str, object]:
    return {"drafts": [asdict(draft) for draft in found.drafts], "hub_problem": found.hub_problem}


def _lines(drafts: Sequence[DraftCandidate]) -> list[str]:
    """What commands take stands below each, and the reason."""
    suitable = [draft for draft in drafts if draft.expected is not None]
    others = [draft for draft in drafts if draft.expected is None]
    lines = ["No draft found for this target."]
    if suitable:
        headings = ("draft", "quantization", "size", "where", "speed", "memory")
        rows = format_table(headings, [_row(draft) for draft in suitable], _NUMBERS)
        lines = format_entries(rows, [[quote_command(draft.reference), *wrap_text(draft.reason)] for draft in suitable])
    if others:
        rows = ["Incompatible:", *(one_line(draft.reference) for draft in others)]
        lines += ["", *format_entries(rows, [wrap_text(draft.reason) for draft in others])]
    return lines


def _row(draft: DraftCandidate) -> tuple[str, ...]:
    return (
        draft.name,
        draft.quantization,
        format_size(draft.size),
        _WHERE[draft.where],
        speedup_text(draft.expected) if draft.expected else "",
        draft.fit or "",
    )

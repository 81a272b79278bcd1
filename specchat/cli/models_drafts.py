"""specchat models drafts-for TARGET"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.model_options import MODEL_ANYWHERE
from specchat.cli.models_pairs import times
from specchat.cli.models_progress import show_line
from specchat.cli.output import end_progress, note, one_line, write, write_json
from specchat.cli.parser import examples
from specchat.cli.table import entries, table, wrapped
from specchat.domain.cancel import CancelToken
from specchat.domain.shell import quoted
from specchat.services.drafts.values import DraftCandidate, FoundDrafts, Where

_NUMBERS = ("size", "speed")
_WHERE = {Where.HERE: "here", Where.HUB: "Hub"}


class ModelsDrafts:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", metavar="TARGET", help=MODEL_ANYWHERE)
        parser.epilog = examples("specchat models drafts-for demo", "specchat models drafts-for ggml-org/Qwen3-8B-GGUF")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        try:
            with closing(app.fits()):
                found = app.draft_finder().find(arguments.target, CancelToken(), _show)
        finally:
            end_progress()
        if arguments.json:
            write_json(_plain(found))
            return 0
        write("".join(f"{line}\n" for line in _lines(found.drafts)))
        if found.hub_problem:
            note(found.hub_problem)
        return 0


def _show(candidates: Sequence[DraftCandidate]) -> None:
    show_line("Looking for drafts", f"{len(candidates)} seen")


def _plain(found: FoundDrafts) -> dict[str, object]:
    return {"drafts": [asdict(draft) for draft in found.drafts], "hub_problem": found.hub_problem}


def _lines(drafts: Sequence[DraftCandidate]) -> list[str]:
    """What commands take stands below each, and the reason."""
    suitable = [draft for draft in drafts if draft.expected is not None]
    others = [draft for draft in drafts if draft.expected is None]
    lines = ["No draft was found for this target."]
    if suitable:
        headings = ("draft", "quantisation", "size", "where", "speed", "memory")
        rows = table(headings, [_row(draft) for draft in suitable], _NUMBERS)
        lines = entries(rows, [[quoted(draft.reference), *wrapped(draft.reason)] for draft in suitable])
    if others:
        rows = ["These cannot guess for it:", *(one_line(draft.reference) for draft in others)]
        lines += ["", *entries(rows, [wrapped(draft.reason) for draft in others])]
    return lines


def _row(draft: DraftCandidate) -> tuple[str, ...]:
    return (
        draft.name,
        draft.quantization,
        size(draft.size),
        _WHERE[draft.where],
        times(draft.expected) if draft.expected else "",
        draft.fit or "",
    )

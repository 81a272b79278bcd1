"""specchat compat TARGET DRAFT"""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from specchat.cli import App
from specchat.cli.exit_codes import NEGATIVE_ANSWER
from specchat.cli.model_options import HUB_MODEL_HELP
from specchat.cli.option_notes import note_larger_draft
from specchat.cli.output import add_json, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.domain.cancel_token import CancelToken
from specchat.services.memory.measurable_files import open_measurable_pair
from specchat.services.models.model_files import compare_models, pin_reference

if TYPE_CHECKING:  # what reads headers needs numpy
    from specchat.gguf.compatibility import Compatibility

_FIRST_DIFFERENCE = "token-text"


class CompatCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", metavar="TARGET", help=f"target model: {HUB_MODEL_HELP}")
        parser.add_argument("draft", metavar="DRAFT", help="draft model")
        add_json(parser)
        parser.epilog = format_examples(
            "specchat compat demo-target demo-draft",
            "specchat compat ggml-org/Qwen3-8B-GGUF:Q4_K_M ggml-org/Qwen3-0.6B-GGUF:Q8_0",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        cancel = CancelToken()
        target, draft = (pin_reference(each, app.hub, cancel) for each in (arguments.target, arguments.draft))
        result = compare_models(target, draft, app.hub, cancel)
        with open_measurable_pair(target, draft, app.hub, cancel) as files:
            note_larger_draft(*files)
        if arguments.json:
            write_json(asdict(result))
        else:
            write_output("\n".join(_lines(result)) + "\n")
        return 0 if result.is_possible else NEGATIVE_ANSWER


def _lines(result: "Compatibility") -> list[str]:
    lines = [f"vocabularies: {result.verdict}", *(f"- {reason.message}" for reason in result.reasons)]
    difference = result.first_difference
    if difference is None or any(reason.code == _FIRST_DIFFERENCE for reason in result.reasons):
        return lines
    texts = f"{difference.target!r} in the target, {difference.draft!r} in the draft"
    return [*lines, f"First difference: token {difference.id} is {texts}."]

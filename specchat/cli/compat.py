"""specchat compat TARGET DRAFT"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.exit_codes import NO
from specchat.cli.model_options import MODEL_ANYWHERE
from specchat.cli.notes import note_larger_draft
from specchat.cli.output import add_json, write, write_json
from specchat.cli.parser import examples
from specchat.domain.cancel import CancelToken
from specchat.services.memory.measurable import measurable_pair
from specchat.services.models.model_files import compare, pinned


class Compat:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("target", metavar="TARGET", help=f"the model that answers: {MODEL_ANYWHERE}")
        parser.add_argument("draft", metavar="DRAFT", help="the model that is to guess")
        add_json(parser)
        parser.epilog = examples(
            "specchat compat demo-target demo-draft",
            "specchat compat ggml-org/Qwen3-8B-GGUF:Q4_K_M ggml-org/Qwen3-0.6B-GGUF:Q8_0",
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        cancel = CancelToken()
        target, draft = (pinned(each, app.hub, cancel) for each in (arguments.target, arguments.draft))
        result = compare(target, draft, app.hub, cancel)
        with measurable_pair(target, draft, app.hub, cancel) as files:
            note_larger_draft(*files)
        if arguments.json:
            write_json(asdict(result))
        else:
            lines = [f"vocabularies: {result.verdict}", *(f"- {reason.message}" for reason in result.reasons)]
            if result.first_difference is not None:
                difference = result.first_difference
                lines.append(
                    f"First difference: token {difference.id} is {difference.target!r} in the target, "
                    f"{difference.draft!r} in the draft."
                )
            write("\n".join(lines) + "\n")
        return 0 if result.is_possible else NO

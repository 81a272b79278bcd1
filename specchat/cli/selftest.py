"""specchat selftest -m TARGET [-md DRAFT]"""

import argparse
import os
from dataclasses import asdict
from functools import partial
from typing import NoReturn

from specchat.cli import App
from specchat.cli.exit_codes import USER_ERROR
from specchat.cli.interrupt import cancel_on_ctrl_c, iterate_in_thread
from specchat.cli.output import add_json, finish_progress, report_error, show_progress, write_json, write_output
from specchat.cli.pair_arguments import add_pair_arguments, pair_choice
from specchat.cli.parser import format_examples
from specchat.domain.errors import UserError
from specchat.services.generation.pair_self_test import PairSelfTest, run_self_test


class SelfTestCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = "%(prog)s -m TARGET [-md DRAFT] [OPTIONS]"
        parser.epilog = format_examples("specchat selftest -m demo", "specchat selftest -m demo --default-mode")
        add_pair_arguments(parser)
        parser.add_argument("--default-mode", action="store_true", help="test the default settings, without exact mode")
        add_json(parser)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        if arguments.exact and arguments.default_mode:
            raise argparse.ArgumentError(None, "--exact and --default-mode can't be combined")
        arguments.exact = not arguments.default_mode
        choice = pair_choice(arguments, app)
        on_lost = partial(_end, as_json=arguments.json)
        with cancel_on_ctrl_c() as cancel:
            (result,) = iterate_in_thread(
                lambda: iter([run_self_test(app.pair_loader(), choice, cancel, show_progress, on_lost)]), cancel
            )
        finish_progress("self-test")
        if arguments.json:
            write_json(_as_json(result))
        else:
            write_output(_as_text(result))
        return 0


def _end(error: UserError, *, as_json: bool) -> NoReturn:
    """llama.cpp would end the process with less to say."""
    report_error(error)
    if as_json:
        write_json({"error": error.message, "hint": error.hint})
    os._exit(USER_ERROR)


def _as_json(result: PairSelfTest) -> dict[str, object]:
    return {
        "exact": result.target.exact,
        "max_batch": result.target.max_batch,
        "trees": result.target.trees,
        "rollback": result.target.rollback and result.draft_rollback is not False,
        "details": [asdict(detail) for detail in result.target.details],
        "verdict": result.target.verdict,
        "draft_rollback": result.draft_rollback,
    }


def _as_text(result: PairSelfTest) -> str:
    target = result.target
    lines = [
        f"Exact: {target.verdict}",
        f"Largest exact batch: {target.max_batch} {'token' if target.max_batch == 1 else 'tokens'}",
        f"Several branches in one pass: {'exact' if target.trees else 'not supported or not exact'}",
        f"Target can roll back: {'yes' if target.rollback else 'no'}",
    ]
    if result.draft_rollback is not None:
        lines.append(f"Draft can roll back: {'yes' if result.draft_rollback else 'no'}")
    return "\n".join(lines) + "\n"

"""Puts the parts together: the only file that knows every layer."""

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat import __version__
from specchat.cli import COMMANDS, App
from specchat.cli.output import report, write_json
from specchat.domain.errors import Cancelled, IncompatibleError, UserError
from specchat.store.logs import start_logging
from specchat.store.paths import Paths, paths
from specchat.store.remembered import Remembered

if TYPE_CHECKING:
    from specchat.services.loading import PairLoader

USER_ERROR, INCOMPATIBLE, INTERRUPTED = 1, 3, 130


def run(argv: Sequence[str]) -> int:
    arguments = _parser(argv).parse_args(argv)
    try:
        places = paths()
        start_logging(places.logs)
        _, make = COMMANDS[arguments.command]
        return make().run(arguments, _app(places))
    except UserError as error:
        report(error)
        if arguments.json:
            write_json({"error": error.message, "hint": error.hint})
        return INCOMPATIBLE if isinstance(error, IncompatibleError) else USER_ERROR
    except Cancelled:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has gone
        sys.stderr.close()
        return USER_ERROR


def _app(places: Paths) -> App:
    def pair_loader() -> "PairLoader":
        from specchat.services.loading import PairLoader

        return PairLoader(
            passed_first_load=Remembered(places.cache / "first-loads.json"),
            selftests=Remembered(places.cache / "self-tests.json"),
        )

    return App(pair_loader)


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Only the command that is asked for is imported."""
    parser = argparse.ArgumentParser(
        prog="specchat",
        description="Chat with local GGUF models, a small draft making a large target faster.",
    )
    parser.add_argument("--version", action="version", version=f"specchat {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (help_text, make) in COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        if name in argv:
            make().add_arguments(command)
    return parser

"""Puts the parts together: the only file that knows every layer."""

import argparse
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from specchat import __version__
from specchat.cli import COMMANDS, App
from specchat.cli.output import OutputLost, dependable_streams, report, write_json
from specchat.domain.errors import Cancelled, IncompatibleError, SpecchatError, UserError
from specchat.store.logs import logging_to
from specchat.store.paths import Paths, paths
from specchat.store.remembered import Remembered

if TYPE_CHECKING:
    from specchat.services.loading import PairLoader

log = logging.getLogger(__name__)

USER_ERROR, INCOMPATIBLE, INTERRUPTED = 1, 3, 130


def app_at(places: Paths) -> App:
    def pair_loader() -> "PairLoader":
        from specchat.services.loading import PairLoader

        return PairLoader(
            passed_first_load=Remembered(places.cache / "first-loads.json"),
            selftests=Remembered(places.cache / "self-tests.json"),
        )

    return App(pair_loader)


def run(argv: Sequence[str], make_app: Callable[[Paths], App] = app_at) -> int:
    with dependable_streams():
        try:
            parser = _parser(argv)
            arguments = parser.parse_args(argv)
            try:
                return _exit_code(arguments, make_app)
            except argparse.ArgumentError as error:
                parser.error(str(error))
        except OutputLost:
            return USER_ERROR
        except KeyboardInterrupt:
            return INTERRUPTED


def _exit_code(arguments: argparse.Namespace, make_app: Callable[[Paths], App]) -> int:
    try:
        places = paths()
        with logging_to(places.logs), _own_mistakes_explained(places):
            _, make = COMMANDS[arguments.command]
            return make().run(arguments, make_app(places))
    except UserError as error:
        report(error)
        _report_json(arguments, error.message, error.hint)
        return INCOMPATIBLE if isinstance(error, IncompatibleError) else USER_ERROR
    except (Cancelled, KeyboardInterrupt):
        _report_json(arguments, "Interrupted.", "Run it again.")
        return INTERRUPTED


@contextmanager
def _own_mistakes_explained(places: Paths) -> Iterator[None]:
    try:
        yield
    except (SpecchatError, argparse.ArgumentError):
        raise
    except Exception as error:
        log.info("A mistake of specchat's own", exc_info=True)
        raise UserError(
            f"specchat made a mistake: {type(error).__name__}: {error}",
            f"The log in {places.logs} says more; please report it.",
        ) from error


def _report_json(arguments: argparse.Namespace, message: str, hint: str) -> None:
    if arguments.json:
        write_json({"error": message, "hint": hint})


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

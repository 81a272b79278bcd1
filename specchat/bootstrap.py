"""Puts the parts together: the only file that knows every layer."""

import argparse
from collections.abc import Callable, Sequence

from specchat import __version__
from specchat.cli import COMMANDS, App
from specchat.cli.output import OutputLost, dependable_streams, report, write_json
from specchat.domain.errors import Cancelled, IncompatibleError, UserError
from specchat.parts import Parts
from specchat.services.mistakes import own_mistakes_explained
from specchat.store.logs import logging_to
from specchat.store.paths import Paths, paths

USER_ERROR, INCOMPATIBLE, INTERRUPTED = 1, 3, 130


def app_at(places: Paths) -> App:
    parts = Parts(places)
    return App(
        parts.pair_loader,
        parts.fits,
        parts.hub,
        parts.hub_search,
        parts.pulls,
        parts.shelf,
        parts.owned,
        parts.runnable,
        parts.draft_finder,
    )


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
        with logging_to(places.logs), own_mistakes_explained(places.logs, argparse.ArgumentError, OutputLost):
            if arguments.command is None:
                return _window(places, smoke_test=arguments.smoke_test)
            _, make = COMMANDS[arguments.command]
            return make().run(arguments, make_app(places))
    except UserError as error:
        report(error)
        _report_json(arguments, error.message, error.hint)
        return INCOMPATIBLE if isinstance(error, IncompatibleError) else USER_ERROR
    except (Cancelled, KeyboardInterrupt):
        _report_json(arguments, "Interrupted.", "Run it again.")
        return INTERRUPTED


def _window(places: Paths, *, smoke_test: bool) -> int:
    from specchat.window_parts import open_window, try_window

    return try_window() if smoke_test else open_window(places)


def _report_json(arguments: argparse.Namespace, message: str, hint: str) -> None:
    if getattr(arguments, "json", False):
        write_json({"error": message, "hint": hint})


def _parser(argv: Sequence[str]) -> argparse.ArgumentParser:
    """Only the command that is asked for is imported."""
    parser = argparse.ArgumentParser(
        prog="specchat",
        description="Chat with local GGUF models, a small draft making a large target faster. Without a command: "
        "the window.",
    )
    parser.add_argument("--version", action="version", version=f"specchat {__version__}")
    parser.add_argument(
        "--smoke-test", action="store_true", help="open the window, ask the demo one question, and tell"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, (help_text, make) in COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        if name in argv:
            make().add_arguments(command)
    return parser

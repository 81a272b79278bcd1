"""Puts the commands together. With `parts` and `window_parts` the only file that knows every layer."""

import argparse
import gc
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from specchat import __version__
from specchat.cli import COMMANDS, App
from specchat.cli.exit_codes import INTERRUPTED, NO, USER_ERROR
from specchat.cli.given_files import asks_for_help, given_files, what_is_wrong
from specchat.cli.output import OutputLost, dependable_streams, report, write_json
from specchat.cli.parser import Parser, examples
from specchat.domain.benchmarking import BenchReport
from specchat.domain.errors import Cancelled, IncompatibleError, UserError
from specchat.parts import Parts
from specchat.services.models.demo_pair import DEMO
from specchat.services.program.mistakes import own_mistakes_explained
from specchat.store.logs import logging_to
from specchat.store.paths import Paths, paths
from specchat.store.portable import packaged_executable, portable_at
from specchat.store.private_files import mend
from specchat.ui.start.last_resort import has_terminal, show

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from specchat.services.engines.serving import Serve
    from specchat.services.program.server_run import ServerRun

log = logging.getLogger(__name__)

_USAGE = "specchat [-h] [--version] [--smoke-test] [COMMAND ...]\n       specchat FILE.gguf ...\n       specchat demo"

_DESCRIPTION = """\
Chat with language models on this computer (GGUF files). A small model, the
draft, guesses ahead; the large one, the target, checks its guesses and keeps
what it would have written itself: the same answer, sooner.

Without a command the window opens. FILE.gguf: with this model in it (of
several, the largest). demo: with the small pair that ships with specchat."""
_MORE = examples('specchat chat -m demo -p "What is a draft model?"', "specchat models pairs", "specchat chat --help")


def app_at(places: Paths) -> App:
    parts = Parts(places)
    return App(
        pair_loader=parts.pair_loader,
        fits=parts.fits,
        hub=parts.hub,
        hub_search=parts.hub_search,
        cache=parts.cache,
        pulls=parts.pulls,
        shelf=parts.shelf,
        owned=parts.owned,
        runnable=parts.runnable,
        draft_finder=parts.draft_finder,
        measured=parts.measured,
        chats=parts.chats,
        damaged_chats=parts.damaged_chats,
        plot=_plot,
        serve=lambda: _serve(parts),
        server_run=lambda: _server_run(places),
    )


def _plot() -> Callable[[BenchReport, Path], None]:
    from specchat.ui.benchmark.picture import save_picture

    return save_picture


def _serve(parts: Parts) -> "Serve":
    from specchat.server.listening import Server
    from specchat.services.engines.serving import serve

    return partial(serve, make_engine=parts.engine_process, make_server=Server, logs=parts.places.logs)


def _server_run(places: Paths) -> "AbstractContextManager[ServerRun]":
    from specchat.services.program.server_run import server_run

    return server_run(places.logs)


def run(argv: Sequence[str], make_app: Callable[[Paths], App] = app_at) -> int:
    with dependable_streams():
        try:
            parser = _parser(argv)
            if asks_for_help(argv):
                argv = ["--help"]
            if wrong := what_is_wrong(argv):
                parser.refuse(argv, wrong)
            files = given_files(argv)
            arguments = parser.parse_args([] if files else argv, argparse.Namespace(files=files))
            try:
                return _exit_code(arguments, make_app)
            except argparse.ArgumentError as error:
                refuse: Callable[[str], NoReturn] = arguments.refuse
                refuse(str(error))
        except OutputLost:
            return USER_ERROR
        except KeyboardInterrupt:
            return INTERRUPTED


def _exit_code(arguments: argparse.Namespace, make_app: Callable[[Paths], App]) -> int:
    try:
        places = _places()
        with logging_to(places.logs), own_mistakes_explained(places.logs, argparse.ArgumentError, OutputLost):
            mend((places.data, places.config, places.cache, places.logs))
            if arguments.command is None:
                return _window(places, arguments.files, smoke_test=arguments.smoke_test)
            _, make = COMMANDS[arguments.command]
            return make().run(arguments, make_app(places))
    except UserError as error:
        report(error)
        _report_json(arguments, error.message, error.hint)
        if arguments.command is None and not arguments.smoke_test:
            show(error.message, error.hint)
        return NO if isinstance(error, IncompatibleError) else USER_ERROR
    except (Cancelled, KeyboardInterrupt):
        _report_json(arguments, "Interrupted.", "Run it again.")
        return INTERRUPTED


def _places() -> Paths:
    portable = portable_at(packaged_executable())
    if portable is not None:
        portable.prepare()
    return paths(portable)


def _window(places: Paths, files: Sequence[Path], *, smoke_test: bool) -> int:
    gc.disable()  # until the window is painted: nearly all that is made by then stays
    from specchat.window_parts import open_window, try_window

    try:
        if has_terminal():
            _require_there(files)
        return try_window() if smoke_test else open_window(places, files)
    except UserError as error:
        log.info("There is no window: %s %s", error.message, error.hint)
        raise


def _require_there(files: Sequence[Path]) -> None:
    """Where a name is typed, a slip is told, and no window opens for it."""
    if files:
        from specchat.services.models.model_files import require_there  # takes its time to import

        require_there(files)


def _report_json(arguments: argparse.Namespace, message: str, hint: str) -> None:
    if getattr(arguments, "json", False):
        write_json({"error": message, "hint": hint})


def _parser(argv: Sequence[str]) -> Parser:
    """Only the command that is asked for is imported."""
    parser = Parser(
        prog="specchat",
        usage=_USAGE,
        description=_DESCRIPTION,
        epilog=_MORE,
    )
    parser.also = (DEMO,)
    parser.add_argument("--version", action="version", version=f"specchat {__version__}")
    parser.add_argument("--smoke-test", action="store_true", help="try the whole program: the window asks the demo")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="specchat")
    for name, (help_text, make) in COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        command.set_defaults(refuse=command.error)
        if name in argv:
            make().add_arguments(command)
    return parser

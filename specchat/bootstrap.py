"""Builds the command line app. Only this module, `container` and `window_bootstrap` know every layer."""

import argparse
import gc
import logging
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from specchat import __version__
from specchat.cli import COMMANDS, App
from specchat.cli.exit_codes import INTERRUPTED, NEGATIVE_ANSWER, USER_ERROR
from specchat.cli.file_arguments import argument_error, file_arguments, help_arguments
from specchat.cli.output import OutputLostError, ReaderGoneError, reliable_streams, report_error, write_json
from specchat.cli.parser import CommandParser, format_examples
from specchat.container import Container
from specchat.domain.benchmark import BenchReport
from specchat.domain.errors import Cancelled, IncompatibleError, UserError
from specchat.services.models.demo_pair import DEMO
from specchat.services.program.internal_errors import wrap_internal_errors
from specchat.store.logs import logging_to
from specchat.store.paths import Paths, paths
from specchat.store.portable import find_portable_install, packaged_executable
from specchat.store.private_files import restrict_permissions
from specchat.ui.start.fatal_errors import has_terminal, show_fatal_message

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from specchat.services.engines.queued_completions import Serve
    from specchat.services.engines.serving_models import ServeModels
    from specchat.services.program.server_run import ServerRun

log = logging.getLogger(__name__)

_USAGE = "specchat [-h] [--version] [--smoke-test] [COMMAND ...]\n       specchat FILE.gguf ...\n       specchat demo"

_DESCRIPTION = """\
Chat with language models (GGUF files) on this computer. A small model, the
draft, guesses ahead. The large model, the target, checks the guesses and
accepts those that it would have written itself. You get the same answer, only
sooner.

Without a command, specchat opens its window. With FILE.gguf, it loads that
model (if you pass several, the largest). With demo, it loads the small pair
included with specchat."""
_MORE = format_examples(
    'specchat chat -m demo -p "What is a draft model?"', "specchat models pairs", "specchat chat --help"
)
_OTHER_NAMES = {
    "run": "chat",
    "pull": "models pull",
    "get": "models pull",
    "search": "models search",
    "list": "models list",
    "ls": "models list",
    "rm": "models rm",
    "show": "inspect",
    "server": "serve",
}
"""What Ollama and LM Studio call these commands."""


def build_app(places: Paths) -> App:
    parts = Container(places)
    return App(
        pair_loader=parts.pair_loader,
        engine_process=parts.engine_process,
        rpc_servers=parts.rpc_servers,
        backend_folder=lambda: parts.backend_folder,
        retry_backends=lambda: parts.load_further_backends(again=True),
        fit_estimator=parts.fit_estimator,
        hub=parts.hub,
        hub_search=parts.hub_search,
        cache=parts.hub_cache,
        model_puller=parts.model_puller,
        library=parts.library,
        download_registry=parts.download_registry,
        offer_finder=parts.offer_finder,
        draft_finder=parts.draft_finder,
        early_exits=parts.early_exits,
        early_exit_search=parts.early_exit_search,
        measured_pairs=parts.measured_pairs,
        connections=parts.connections,
        tools=parts.tools,
        chats=parts.chats,
        damaged_chats=parts.damaged_chats,
        plot=_plot,
        serve=lambda: _serve(parts),
        serve_models=lambda: _serve_models(parts),
        server_run=lambda: _server_run(places),
    )


def _plot() -> Callable[[BenchReport, Path], None]:
    from specchat.ui.benchmark.report_picture import save_picture

    return save_picture


def _serve(parts: Container) -> "Serve":
    from specchat.server.http_server import Server
    from specchat.services.engines.queued_completions import serve

    make_engine = partial(parts.engine_process, embeds=True)
    return partial(serve, make_engine=make_engine, make_server=Server, logs=parts.places.logs)


def _serve_models(parts: Container) -> "ServeModels":
    from specchat.server.http_server import Server
    from specchat.services.engines.serving_models import serve_models

    return partial(
        serve_models,
        library=parts.library(),
        pair_settings=parts.pair_settings(),
        make_engine=partial(parts.engine_process, embeds=True),
        make_server=Server,
        logs=parts.places.logs,
    )


def _server_run(places: Paths) -> "AbstractContextManager[ServerRun]":
    from specchat.services.program.server_run import track_server_run

    return track_server_run(places.logs)


def run(argv: Sequence[str], make_app: Callable[[Paths], App] = build_app) -> int:
    with reliable_streams():
        try:
            parser = _parser(argv)
            argv = help_arguments(argv)
            if wrong := argument_error(argv):
                parser.reject(argv, wrong)
            files = file_arguments(argv)
            arguments = parser.parse_args([] if files else argv, argparse.Namespace(files=files))
            try:
                return _exit_code(arguments, make_app)
            except argparse.ArgumentError as error:
                refuse: Callable[[str], NoReturn] = arguments.refuse
                refuse(str(error))
        except ReaderGoneError:
            return 0
        except OutputLostError:
            return USER_ERROR
        except KeyboardInterrupt:
            return INTERRUPTED


def _exit_code(arguments: argparse.Namespace, make_app: Callable[[Paths], App]) -> int:
    try:
        places = _places()
        with logging_to(places.logs), wrap_internal_errors(places.logs, argparse.ArgumentError, OutputLostError):
            restrict_permissions((places.data, places.config, places.cache, places.logs), places.backends)
            if arguments.command is None:
                return _window(places, arguments.files, smoke_test=arguments.smoke_test)
            _, make = COMMANDS[arguments.command]
            return make().run(arguments, make_app(places))
    except UserError as error:
        report_error(error)
        _report_json(arguments, error.message, error.hint)
        if arguments.command is None and not arguments.smoke_test:
            show_fatal_message(error.message, error.hint)
        return NEGATIVE_ANSWER if isinstance(error, IncompatibleError) else USER_ERROR
    except (Cancelled, KeyboardInterrupt):
        _report_json(arguments, "Interrupted.", "Run it again.")
        return INTERRUPTED


def _places() -> Paths:
    portable = find_portable_install(packaged_executable())
    if portable is not None:
        portable.prepare()
    return paths(portable)


def _window(places: Paths, files: Sequence[Path], *, smoke_test: bool) -> int:
    gc.disable()  # until the window is painted: nearly all that is made by then stays
    from specchat.window_bootstrap import open_window, smoke_test_window

    try:
        if has_terminal():
            _require_there(files)
        return smoke_test_window() if smoke_test else open_window(places, files)
    except UserError as error:
        log.info("Couldn't open the window: %s %s", error.message, error.hint)
        raise


def _require_there(files: Sequence[Path]) -> None:
    """Where a name is typed, a slip is told, and no window opens for it."""
    if files:
        from specchat.services.models.model_files import require_files  # takes its time to import

        require_files(files)


def _report_json(arguments: argparse.Namespace, message: str, hint: str) -> None:
    if getattr(arguments, "json", False):
        write_json({"error": message, "hint": hint})


def _parser(argv: Sequence[str]) -> CommandParser:
    """Only the command that is asked for is imported."""
    parser = CommandParser(
        prog="specchat",
        usage=_USAGE,
        description=_DESCRIPTION,
        epilog=_MORE,
    )
    parser.extra_words = (DEMO,)
    parser.other_names = _OTHER_NAMES
    parser.add_argument("--version", action="version", version=f"specchat {__version__}")
    parser.add_argument(
        "--smoke-test", action="store_true", help="test the whole program: open the window and ask the demo a question"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", prog="specchat")
    for name, (help_text, make) in COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
        command.set_defaults(refuse=command.error)
        if name in argv:
            make().add_arguments(command)
    return parser

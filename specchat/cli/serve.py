"""specchat serve [-m TARGET [-md DRAFT]]"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range, number_in_range
from specchat.cli.output import (
    add_json,
    finish_progress,
    one_line,
    print_note,
    show_progress,
    wrap_for,
    write_json,
    write_output,
)
from specchat.cli.pair_arguments import add_pair_arguments, given_changes, pair_choice
from specchat.cli.parser import format_examples
from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import ServerSettings
from specchat.domain.compute_settings import MOST_SLOTS
from specchat.domain.errors import Cancelled, SettingError
from specchat.domain.loading import LoadAborted, LoadCompleted, LoadingEvent, LoadUpdate

if TYPE_CHECKING:
    from specchat.services.program.server_run import ServerRun

KEY_VARIABLE = "SPECCHAT_API_KEY"
_DEFAULTS = ServerSettings()
_LONGEST_KEY = 1000
_SLOTS = 4


class ServeCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.usage = "%(prog)s [-m TARGET [-md DRAFT]] [OPTIONS]"
        end = "Ctrl-C stops it and gives the current answers 10 seconds to finish"
        parser.description = f"{parser.description};\n{end}"
        parser.epilog = format_examples(
            "specchat serve -m demo", "specchat serve -m TARGET.gguf -md DRAFT.gguf --port 8000", "specchat serve"
        )
        add_pair_arguments(parser, or_any_model=True)
        add = parser.add_argument_group("server").add_argument
        host, port = _DEFAULTS.host, _DEFAULTS.port
        add("--host", default=host, metavar="ADDRESS", help=f"listen address (default: {host}, this computer only)")
        add(
            "--port",
            type=integer_in_range(0, 65535),
            default=port,
            metavar="N",
            help=f"port; 0: any free port (default: {port})",
        )
        key = f"API key; required to listen on other addresses (default: {KEY_VARIABLE} from the environment)"
        add("--api-key", default=None, metavar="KEY", help=key)
        origins = "allow web pages from this origin, such as https://chat.example; may be repeated"
        add("--allow-origin", action="append", default=[], metavar="ORIGIN", help=origins)
        parallel = f"number of requests to answer at once; they share the context (default: {_SLOTS})"
        add("-np", "--parallel", type=integer_in_range(1, MOST_SLOTS), default=_SLOTS, metavar="N", help=parallel)
        idle = "unload models after this many idle seconds; the next request reloads them (default: 0, never)"
        add("--idle-unload", type=number_in_range(0, 1e7), default=0, metavar="SECONDS", help=idle)
        most = "without -m: maximum number of loaded models (default: 0, as many as fit in memory)"
        add("--models-max", type=integer_in_range(0, 1000), default=0, metavar="N", help=most)
        add_json(parser)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        given = os.environ.get(KEY_VARIABLE) or None if arguments.api_key is None else arguments.api_key
        origins = tuple(map(_origin, arguments.allow_origin))
        idle_s, most = arguments.idle_unload or None, arguments.models_max or None
        settings = ServerSettings(arguments.host, arguments.port, _key(given), origins, idle_s, most)
        if arguments.model is not None:
            if most is not None:
                raise argparse.ArgumentError(None, "--models-max can't be combined with -m/--model")
            return _serve_pair(arguments, app, settings)
        if arguments.model_draft is not None:
            raise argparse.ArgumentError(None, "-md/--model-draft needs -m/--model")
        return _serve_models(arguments, app, settings)


def _serve_pair(arguments: argparse.Namespace, app: App, settings: ServerSettings) -> int:
    print_address = _print_address_json if arguments.json else _print_address
    choice = pair_choice(arguments, app)
    served: list[PairInfo] = []

    def ready(pair: PairInfo, url: str) -> None:
        served.append(pair)
        run.note_idle()
        finish_progress("loaded")
        print_address(pair, url)
        if pair.slots_reason:
            print_note(fewer_slots_note(pair, arguments.parallel))

    with app.server_run() as run:
        _tell_of_the_last(run)
        run.note_loading(choice.target.name)
        app.serve()(choice, settings, show_progress, ready, _print_waiting)
    if not served:
        raise Cancelled
    return 0


def _serve_models(arguments: argparse.Namespace, app: App, settings: ServerSettings) -> int:
    from specchat.services.generation.drafter_choice import require_draft_type

    require_draft_type(arguments.draft_type)
    change = given_changes(arguments)
    told = set[str]()
    """Which models answer fewer requests at once: once each."""

    def on_event(event: LoadingEvent) -> None:
        match event:
            case LoadUpdate(choice=choice):
                run.note_loading(choice.target.name)
            case LoadCompleted(pair=pair):
                run.note_idle()
                if pair.slots_reason and pair.target not in told:
                    told.add(pair.target)
                    print_note(fewer_slots_note(pair, arguments.parallel))
            case LoadAborted():
                run.note_idle()

    def ready(names: Sequence[str], url: str) -> None:
        if arguments.json:
            write_json({"models": names, "url": url})
        else:
            _write_serving(f"{len(names):,} models by name", url)

    with app.server_run() as run:
        _tell_of_the_last(run)
        app.serve_models()(change, settings, on_event, ready, _print_waiting)
    return 0


def fewer_slots_note(pair: PairInfo, wanted: int) -> str:
    answers = f"{pair.n_slots} requests at once instead of {wanted}" if pair.n_slots > 1 else "one request at a time"
    return f"Note: {pair.target} answers {answers}: {pair.slots_reason}."


def _tell_of_the_last(run: "ServerRun") -> None:
    if run.last is None:
        return
    from specchat.cli.server_crash import previous_end_error

    end = previous_end_error(run.last, run.logs)
    if end is not None:
        print_note(f"Note: {one_line(end.message)} {one_line(end.hint)}")


def _key(given: str | None) -> str:
    """As clients will send it: blanks around it get lost on the way."""
    if given is None:
        return ""
    key = given.strip()
    if not key:
        raise SettingError("The key is empty.", "Set a key, or omit --api-key (and unset SPECCHAT_API_KEY).")
    if len(key) > _LONGEST_KEY or not key.isprintable():
        raise SettingError("This is not a valid key.", "Use up to 1000 letters, digits, and punctuation marks.")
    return key


def _origin(given: str) -> str:
    """As browsers send it."""
    try:
        parts = urlsplit(given.rstrip("/"))
        is_origin = bool(parts.netloc) and bool(parts.scheme) and not (parts.path or parts.query or parts.fragment)
    except ValueError:
        is_origin = False
    if not is_origin or "@" in given or "*" in given:
        raise SettingError(
            "{origin} is not a valid origin.",
            "Use a scheme and a host, such as https://chat.example.",
            origin=given or "An empty string",
        )
    return given


def _print_address(pair: PairInfo, url: str) -> None:
    _write_serving(f"{pair.target} with {pair.draft}" if pair.draft else pair.target, url)


def _write_serving(what: str, url: str) -> None:
    write_output(wrap_for(sys.stdout, f"Serving {what} at {url} (Ctrl-C stops)") + "\n")


def _print_address_json(pair: PairInfo, url: str) -> None:
    """Once it can be asked; scripts need it for --port 0."""
    write_json(
        {
            "target": pair.target,
            "draft": pair.draft,
            "url": url,
            "n_ctx": pair.n_ctx,
            "n_slots": pair.n_slots,
            "slots_reason": pair.slots_reason or None,
            "drafting": pair.drafting,
        }
    )


def _print_waiting(by_ctrl_c: bool) -> None:
    again = " Press Ctrl-C again to stop now." if by_ctrl_c else ""
    print_note(f"Waiting up to 10 seconds for the current answer.{again}")

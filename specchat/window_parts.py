"""Puts the window's parts together. Only imported where there is to be a window."""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.cli.output import report, write_json
from specchat.parts import Parts, graphics_at
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.damaged_chats import DamagedChats
from specchat.services.chat.messages import Messages
from specchat.services.program.licences import Licences
from specchat.services.program.runs import Runs
from specchat.services.program.updates import Updates
from specchat.services.settings.presets import Presets
from specchat.services.settings.server_key import ServerKey
from specchat.services.settings.ui_settings import UiSettingsFile
from specchat.store.chat_store import open_chats
from specchat.store.journal import SqliteJournal
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.store.presets import SqlitePresets
from specchat.store.run_record import recorded_run
from specchat.store.set_aside import set_aside
from specchat.ui.start.last_resort import show
from specchat.ui.start.qt_ready import require_qt

if TYPE_CHECKING:
    from specchat.domain.serving import ApiServer, Completions, ServerSettings
    from specchat.services.program.last_run import LastRun
    from specchat.ui.desk import Services
    from specchat.ui.model_services import ModelServices


def open_window(places: Paths, files: Sequence[Path] = ()) -> int:
    with recorded_run(places.logs) as record:
        runs = Runs(places.logs, record, graphics_at(places))
        untold = _tell_of_a_start_that_crashed(runs)
        require_qt()
        from specchat.ui.start.run import run_window

        ui_settings = _ui_settings(places)
        settings = ui_settings.load()
        make_services, begin_anew = lambda: services_at(places, ui_settings), lambda: set_aside(places.chats)
        chats = DamagedChats(places.chats)
        return run_window(settings, places.data, make_services, begin_anew, chats, runs, files, untold)


def _tell_of_a_start_that_crashed(runs: Runs) -> "LastRun | None":
    """Without Qt, which may be what crashes. What no dialog could tell is left to the window."""
    last = runs.take_last(only_before_window=True)
    if last is None:
        return None
    error = last.error_of_start(runs.logs)
    report(error)
    return None if show(error.message, error.hint, with_qt=False) else last


def try_window() -> int:
    """In a home of its own: what the user has stays as it is."""
    require_qt()
    from specchat.ui.start.run import run_smoke_test

    with tempfile.TemporaryDirectory() as home:
        places = Paths(*(Path(home) / name for name in ("data", "config", "cache", "logs")))
        result = run_smoke_test(lambda: services_at(places))
    write_json(asdict(result))
    return 0 if result.ok else 1


def services_at(places: Paths, ui_settings: UiSettingsFile | None = None) -> "Services":
    from specchat.ui.desk import Services

    store = open_chats(places.chats)
    conversations = Conversations(store)
    conversations.purge_old()
    parts = Parts(places)
    return Services(
        conversations=conversations,
        messages=Messages(store),
        kept_chats=parts.chats,
        damaged_chats=parts.damaged_chats(),
        presets=Presets(SqlitePresets(store.database)),
        pair_settings=parts.pair_settings(),
        ui_settings=ui_settings or _ui_settings(places),
        models=_models(parts),
        measured=parts.measured,
        make_engine=lambda: parts.engine_process(recalls=True),
        make_journal=lambda message: SqliteJournal(places.chats, message),
        make_server=_server,
        server_key=ServerKey(),
        updates=Updates(),
        licences=Licences(),
        logs=places.logs,
        config=places.config,
        close=store.close,
    )


def _models(parts: Parts) -> "ModelServices":
    from specchat.ui.model_services import ModelServices

    return ModelServices(
        shelf=parts.shelf(),
        pair_settings=parts.pair_settings(),
        fits=parts.fits,
        token=parts.token,
        hub=parts.hub,
        hub_search=parts.hub_search,
        draft_finder=parts.draft_finder,
        known_pairs=parts.known_pairs,
        runnable=parts.runnable,
        measured_here=parts.measured().of,
        owned=parts.owned,
        download_jobs=parts.download_jobs(),
        make_downloads=parts.downloads,
        logs=parts.places.logs,
    )


def _server(settings: "ServerSettings", completions: "Completions") -> "ApiServer":
    from specchat.server.listening import Server

    return Server(settings, completions)


def _ui_settings(places: Paths) -> UiSettingsFile:
    return UiSettingsFile(JsonFile(places.config / "settings.json"))

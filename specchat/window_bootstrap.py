"""Builds the services of the window and opens it; imported only when a window is needed."""

import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.cli.output import report_error, write_json
from specchat.container import Container, apply_graphics_settings
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.project_service import ProjectService
from specchat.services.chat.prompt_library import PromptLibrary
from specchat.services.program.licences import Licences
from specchat.services.program.run_tracker import RunTracker
from specchat.services.program.update_checker import UpdateChecker
from specchat.services.settings.application_settings import ApplicationSettingsFile
from specchat.services.settings.preset_service import PresetService
from specchat.services.settings.server_key import ServerKey
from specchat.store.chat_store import open_chat_store
from specchat.store.journal import SqliteJournal
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.store.presets import SqlitePresets
from specchat.store.projects import SqliteProjects
from specchat.store.run_record import record_run
from specchat.store.set_aside import set_aside
from specchat.store.stored_prompts import SqliteStoredPrompts
from specchat.ui.start.fatal_errors import show_fatal_message
from specchat.ui.start.qt_check import require_qt

if TYPE_CHECKING:
    from specchat.domain.completions import ApiServer, Completions, ServerSettings
    from specchat.services.chat.meaning_search import MeaningSearch
    from specchat.services.program.run_ending import RunEnding
    from specchat.ui.model_services import ModelServices
    from specchat.ui.services import Services


def open_window(places: Paths, files: Sequence[Path] = ()) -> int:
    with record_run(places.logs) as record:
        runs = RunTracker(places.logs, record, apply_graphics_settings(places))
        untold = _report_crashed_start(runs)
        require_qt()
        from specchat.ui.start.run import run_window

        ui_settings = _ui_settings(places)
        settings = ui_settings.load()
        make_services, begin_anew = lambda: build_services(places, ui_settings), lambda: set_aside(places.chats)
        chats = ChatSalvage(places.chats)
        return run_window(settings, places.data, make_services, begin_anew, chats, runs, files, untold)


def _report_crashed_start(runs: RunTracker) -> "RunEnding | None":
    """Without Qt, which may be what crashes. What no dialog could tell is left to the window."""
    last = runs.claim_last_run(only_before_window=True)
    if last is None:
        return None
    error = last.startup_error(runs.logs)
    report_error(error)
    return None if show_fatal_message(error.message, error.hint, with_qt=False) else last


def smoke_test_window() -> int:
    """In a home of its own: what the user has stays as it is."""
    require_qt()
    from specchat.ui.start.run import run_smoke_test

    with tempfile.TemporaryDirectory() as home:
        places = Paths(*(Path(home) / name for name in ("data", "config", "cache", "logs")))
        result = run_smoke_test(lambda: build_services(places))
    write_json(asdict(result))
    return 0 if result.ok else 1


def build_services(places: Paths, ui_settings: ApplicationSettingsFile | None = None) -> "Services":
    from specchat.ui.services import Services

    store = open_chat_store(places.chats)
    conversations = ConversationService(store)
    conversations.purge_old()
    parts = Container(places)
    return Services(
        conversations=conversations,
        messages=MessageService(store),
        projects=ProjectService(SqliteProjects(store.database)),
        prompts=PromptLibrary(SqliteStoredPrompts(store.database)),
        kept_chats=parts.chats,
        damaged_chats=parts.damaged_chats(),
        presets=PresetService(SqlitePresets(store.database)),
        pair_settings=parts.pair_settings(),
        ui_settings=ui_settings or _ui_settings(places),
        models=_models(parts),
        measured=parts.measured_pairs,
        make_engine=lambda: parts.engine_process(recalls=True),
        make_journal=lambda message: SqliteJournal(places.chats, message),
        make_server=_server,
        server_key=ServerKey(),
        make_tools=parts.tools,
        updates=UpdateChecker(),
        licences=Licences(),
        make_meaning_search=lambda model: _meaning_search(model, places.cache / "vectors.db"),
        logs=places.logs,
        config=places.config,
        close=store.close,
    )


def _models(parts: Container) -> "ModelServices":
    from specchat.ui.model_services import ModelServices

    return ModelServices(
        library=parts.library(),
        pair_settings=parts.pair_settings(),
        fit_estimator=parts.fit_estimator,
        token=parts.token,
        hub=parts.hub,
        hub_search=parts.hub_search,
        draft_finder=parts.draft_finder,
        known_pairs=parts.known_pairs,
        offer_finder=parts.offer_finder,
        speed_lookup=parts.measured_pairs().get_speed,
        download_registry=parts.download_registry,
        early_exits=parts.early_exits,
        early_exit_process=parts.early_exit_process,
        connections=parts.connections,
        rpc_servers=parts.rpc_servers,
        download_jobs=parts.download_jobs(),
        make_download_manager=parts.downloads,
        logs=parts.places.logs,
    )


def _meaning_search(model: Path, vectors: Path) -> "MeaningSearch":
    from specchat.services.chat.meaning_search import MeaningSearch

    return MeaningSearch(model, vectors)


def _server(settings: "ServerSettings", completions: "Completions") -> "ApiServer":
    from specchat.server.http_server import Server

    return Server(settings, completions)


def _ui_settings(places: Paths) -> ApplicationSettingsFile:
    return ApplicationSettingsFile(JsonFile(places.config / "settings.json"))

"""Creates the controllers and connects them to the main window and the services."""

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.completions import MakeServer
from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import ContextFullError, NotReadyError, StillAnsweringError, StorageError, UserError
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.stored_chats import StoredChats
from specchat.services.lazy import Lazy
from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import UpdateChecker
from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile
from specchat.services.settings.pair_settings import PairSettings
from specchat.services.settings.preset_service import BALANCED, PRECISE, PresetService
from specchat.services.settings.server_key import ServerKey
from specchat.ui.about.launcher import AboutLauncher
from specchat.ui.chat.api_activity import ApiActivity
from specchat.ui.chat.benchmark_controller import BenchmarkController
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.chat_files import ChatFiles
from specchat.ui.chat.chat_list_controller import ChatListController
from specchat.ui.chat.chat_search import ChatSearch
from specchat.ui.chat.chat_store_watcher import ChatStoreWatcher
from specchat.ui.chat.context_controller import ContextController
from specchat.ui.chat.entry_builder import EntryBuilder
from specchat.ui.chat.file_opener import FileOpener
from specchat.ui.chat.generation_controller import GenerationController
from specchat.ui.chat.model_manager_launcher import ModelManagerLauncher
from specchat.ui.chat.notification_controller import NotificationController
from specchat.ui.chat.pair_controller import PairController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.chat.server_controller import ServerController
from specchat.ui.chat.serving_indicator import ServingIndicator
from specchat.ui.chat.settings_controller import SettingsController
from specchat.ui.chat.stats_overlay_controller import StatsOverlayController
from specchat.ui.chat.status_controller import StatusController
from specchat.ui.chat.trash_controller import TrashController
from specchat.ui.chat.unsent_text_retry import UnsentTextRetry
from specchat.ui.desktop_services import open_url
from specchat.ui.main_window import MainWindow
from specchat.ui.model_services import ModelServices
from specchat.ui.picker.pair_picker import PairPicker
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.settings.values import ServerState
from specchat.ui.start.application import ThemeManager
from specchat.ui.threads.inference import Inference, MakeEngine, MakeJournal
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.transcript import preload
from specchat.ui.widgets.link_confirmation import confirm_open_link
from specchat.ui.window_state import WindowState

if TYPE_CHECKING:
    from specchat.services.bench.measured_pairs import MeasuredPairs


@dataclass(frozen=True, slots=True)
class Services:
    conversations: ConversationService
    messages: MessageService
    kept_chats: Callable[[], AbstractContextManager[StoredChats]]
    damaged_chats: ChatSalvage
    presets: PresetService
    pair_settings: PairSettings
    ui_settings: ApplicationSettingsFile
    models: ModelServices
    measured: "Lazy[MeasuredPairs]"
    make_engine: MakeEngine
    make_journal: MakeJournal
    make_server: MakeServer
    server_key: ServerKey
    updates: UpdateChecker
    licences: Licences
    logs: Path
    config: Path
    close: Callable[[], None]
    """The chats are whole in their one file then."""


class AppController(QObject):
    def __init__(self, services: Services, look: ThemeManager) -> None:
        super().__init__()
        self.services, self.theme_manager = services, look
        stored, messages = services.conversations, services.messages
        self.inference = Inference(services.make_engine, services.make_journal, services.logs, self)
        self.tasks = TaskQueue(services.logs, self)
        self.answers = RunningAnswers(self.inference, self)
        self.api_activity = ApiActivity(self.inference, self)
        entries = EntryBuilder(messages, self.answers, lambda file: self.pair.display_name(file))
        self.settings_model = SettingsModel(services.ui_settings, self)
        self.window = window = MainWindow(self.settings_model, entries.build_details)
        look.style_window(window)
        transcript, composer = window.transcript, window.composer
        self.chat = ChatController(stored, messages, self.answers, entries, transcript, composer, self)
        self.draft_save_retry = UnsentTextRetry(self.chat, self)
        self.generation = GenerationController(self.chat, stored, messages, self.answers, transcript, composer, self)
        self.picker = PairPicker(window)
        self.pair = PairController(
            self.inference,
            self.tasks,
            services.models.library,
            services.pair_settings,
            services.models.fit_estimator,
            window.header.pair,
            self.picker,
            self,
        )
        self.pair.loaded.connect(self._pair_loaded)
        self.pair.load_progressed.connect(self._no_pair)
        self.pair.unloaded.connect(self._no_pair)
        self.file_opener = FileOpener(services.models, self.tasks, self.pair, self.answers, self)
        self.search = ChatSearch(stored, services.damaged_chats, services.logs, self)
        self.chat_list = ChatListController(stored, self.answers, self.chat, self.search, window.sidebar, window)
        self.store_watcher = ChatStoreWatcher(stored, window, self)
        self.trash = TrashController(stored, messages, self.chat, self.chat_list, self)
        self.stats_overlay = StatsOverlayController(
            messages,
            self.answers,
            self.api_activity,
            self.chat,
            self.generation,
            window.overlay,
            self.pair.display_name,
            window,
        )
        self.context = ContextController(self.inference, self.answers, self.chat, self.generation, composer, self)
        self.generation.require_room = self.context.require_room
        self.context.may_grow = lambda: self.pair.can_grow
        self.generation.begin_chat = lambda: self.chat.start_chat(self._usual_settings())
        self.status_controller = StatusController(
            window, self.chat, self.generation, self.answers, self.pair, self.api_activity, self
        )
        self._add_beside()
        self._pair_problem: UserError | None = None
        """What went wrong last with a pair."""
        self._server_problem: UserError | None = None
        self._said_of_answer = ""
        self._usual_before: ConversationSettings | None = None
        self._closed = False
        self._connect()
        self._settings_changed(self.settings_model.value)
        look.follow(self.settings_model)
        self._window_state = WindowState(services.config / "window.json")
        window.restore(self._window_state)

    def _add_beside(self) -> None:
        """What a chat does without: settings, server, files, models, benchmark."""
        services, window = self.services, self.window
        self.token_tasks = TaskQueue(services.logs, self)
        """The keyring may ask the user before it answers."""
        self.server = ServerController(
            self.settings_model,
            services.server_key,
            services.make_server,
            self.inference.completions,
            self.token_tasks,
            services.logs,
            self,
        )
        self.settings = SettingsController(
            self.settings_model,
            self.chat,
            services.presets,
            services.models.token(),
            self.token_tasks,
            self.server,
            window,
        )
        self.serving_indicator = ServingIndicator(window.header, self.server, self.api_activity, self.pair, window)
        self.about = AboutLauncher(services.updates, services.licences, services.logs, window)
        self.notifications = NotificationController(window.problem, window.notice, self)
        self.notifications.may_grow = lambda: self.pair.can_grow
        self.chat_files = ChatFiles(
            services.conversations,
            services.kept_chats,
            services.damaged_chats,
            self.notifications,
            self.chat,
            services.logs,
            window,
        )
        self.models = ModelManagerLauncher(
            services.models, self.settings_model, self.tasks, self.pair, self.notifications, window
        )
        self.benchmark = BenchmarkController(
            services, self.inference, self.tasks, self.pair, self.notifications, window
        )

    def start(self, *, load_last: bool = True) -> None:
        """After the first paint: models and conversations are read then."""
        self.chat_list.refresh()
        self.file_opener.start(load_last=load_last)
        self._open_newest()
        self.tasks.run(preload, lambda _: None, self.notifications.show_error)
        self.pair.refresh_models()
        self.models.resume_downloads()

    def new_chat(self) -> None:
        self.window.sidebar.end_search()  # it would hide the chat
        with self.chat.reporting_errors():
            self.chat.start_chat(self.chat.empty_chat_settings() or self._usual_settings())
        self.window.composer.focus()

    def _usual_settings(self) -> ConversationSettings:
        return PRECISE if self.pair.is_demo else BALANCED

    def _suit_empty_chat(self) -> None:
        """Where nothing was asked yet it begins as a new one would with these models."""
        before, self._usual_before = self._usual_before, self._usual_settings()
        conversation = self.chat.conversation
        if conversation is not None and not self.chat.path and conversation.settings == before != self._usual_before:
            self.chat.change_settings(self._usual_before)

    def open_settings(self) -> None:
        self.settings.open()

    def stop(self) -> None:
        """The innermost thing that Escape can end."""
        window = self.window
        if window.find_bar.isVisible():
            window.find_bar.close_bar()
        elif self.chat.is_answering:
            self.generation.stop()
        elif self.pair.is_loading:
            self.pair.stop_loading()
        elif window.problem.isVisible():
            window.problem.dismiss()

    def close(self) -> None:
        """Nothing that was written is lost; answers being written end where they are."""
        if self._closed:
            return
        self._closed = True
        self.answers.stop_all()
        self.window.store(self._window_state)
        self.window.composer.flush()
        if fits := self.services.models.fit_estimator.created_value:
            fits.close()  # first: whoever waits for a measurement goes on at once
        self.chat_files.close()
        self.search.close()
        self.server.stop()
        self.models.close()
        self.benchmark.close()
        self.settings.close()
        self.about.close()
        self.token_tasks.close()
        self.tasks.close()
        self.inference.close()
        self.server.wait()

    def _open_newest(self) -> None:
        listed = self.services.conversations.list_all()
        if listed and listed[0].leaf is None:
            self.chat.open(listed[0].id)
            self.window.composer.focus()
        else:
            self.new_chat()

    def _connect(self) -> None:
        window = self.window
        self.theme_manager.change_started.connect(self.models.unload_hidden_panes)
        for failing in (self.chat, self.chat_list, self.pair, self.file_opener, self.settings, self.settings_model):
            failing.failed.connect(self.notifications.show_error)
        for failing in (self.pair, self.file_opener):
            failing.failed.connect(self._pair_failed)
        self.pair.choice_changed.connect(lambda: self.notifications.dismiss_error(self._pair_problem))
        self.server.failed.connect(self._tell_of_server)
        self.server.state_changed.connect(self._server_changed)
        for counting in (self.pair.loaded, self.pair.unloaded):
            counting.connect(self.context.count_tokens)
            counting.connect(self.stats_overlay.refresh)
        self.pair.model_names_changed.connect(self.stats_overlay.refresh)
        for storing in (self.chat, self.chat_list):
            storing.failed.connect(self.draft_save_retry.handle_error)
        self.chat.unsent_text_saved.connect(lambda: self.notifications.dismiss_error_type(StorageError))
        self.generation.answer_repeated.connect(self._same_again)
        self.chat_list.hit_opened.connect(window.find_search_hit)
        self.generation.generation_started.connect(self._forget_last_question)
        self.chat.chat_left.connect(self._forget_last_question)
        self.answers.save_failed.connect(self.notifications.show_error)
        self.answers.save_recovered.connect(self.notifications.show_save_recovered)
        self.answers.changed.connect(lambda: self.picker.show_answering(self.answers.current() is not None))
        self.answers.ended.connect(lambda *_: self.notifications.dismiss_error_type(StillAnsweringError))
        self.context.notice_requested.connect(self.notifications.show_notice)
        self.context.overflow_resolved.connect(lambda: self.notifications.dismiss_error_type(ContextFullError))
        self.trash.undo_offered.connect(self.notifications.show_notice)
        self.trash.undo_expired.connect(self.notifications.discard_undo)
        self.file_opener.notice_requested.connect(self.notifications.show_notice)
        self.pair.reload_offered.connect(self.notifications.show_action_notice)
        self.chat_list.new_chat_requested.connect(self.new_chat)
        self.chat_files.imported.connect(self.chat_list.refresh)
        self.store_watcher.changed.connect(self.chat_list.refresh_after_external_change)
        window.sidebar.chosen.connect(window.composer.focus)
        window.sidebar.export_requested.connect(self.chat_files.export)
        self.settings_model.changed.connect(self._settings_changed)
        self.models.token_requested.connect(self._ask_for_a_token)
        self.settings.token_changed.connect(self.models.refresh_after_token_change)
        self.picker.load_requested.connect(window.composer.focus)
        self.picker.manager_requested.connect(self.models.open)
        self.picker.benchmark_requested.connect(self.benchmark.open_with_pair)
        self.benchmark.results_recorded.connect(self.models.refresh_speeds)
        window.welcome.find_models_requested.connect(self.models.find_models)
        window.composer.text_changed.connect(self.notifications.dismiss_context_error)
        window.composer.attachments_changed.connect(self.notifications.dismiss_context_error)
        window.composer.model_files_chosen.connect(self.file_opener.open)
        window.composer.attaching_started.connect(self.notifications.dismiss_attachment_error)
        window.composer.attachment_rejected.connect(self.notifications.show_attachment_error)
        window.transcript.link_requested.connect(self._offer_link)
        window.closing.connect(self.close)

    def _pair_loaded(self, pair: PairInfo) -> None:
        self.generation.pair = pair
        self.notifications.dismiss_error_type(NotReadyError)
        self._choose_probabilities()
        self._suit_empty_chat()
        self.server.start()
        gc.collect()
        gc.freeze()  # what was made until now stays: looking through it again would stall the window

    def _pair_failed(self, error: UserError) -> None:
        self._pair_problem = error

    def _no_pair(self) -> None:
        self.generation.pair = None

    def _choose_probabilities(self) -> None:
        """They cost time, with the few tokens that the demo knows next to none."""
        self.generation.probabilities = self.settings_model.value.colour_tokens or self.pair.is_demo

    def _same_again(self, words: str) -> None:
        self._said_of_answer = words
        self.notifications.show_action_notice(words, self.tr("Settings…"), self.open_settings)

    def _forget_last_question(self) -> None:
        """What was said of it, or of its answer, is no longer to the point."""
        self.notifications.dismiss_error_type(ContextFullError)
        self.notifications.dismiss_attachment_error()
        self.notifications.dismiss_notice(self._said_of_answer)

    def _settings_changed(self, settings: ApplicationSettings) -> None:
        self._choose_probabilities()
        minutes = settings.idle_unload_minutes
        self.inference.unload_after(60.0 * minutes if minutes > 0 else None)

    def _tell_of_server(self, error: UserError) -> None:
        self._server_problem = error
        self.notifications.queue_error(error, lambda: self.settings.open("server"), self.tr("Settings…"))

    def _server_changed(self, state: ServerState) -> None:
        if state.error is None:
            self.notifications.dismiss_error(self._server_problem)

    def _ask_for_a_token(self) -> None:
        self.settings.open("hub")

    def _offer_link(self, url: str) -> None:
        """Models write links too: nobody should follow one unseen."""
        if confirm_open_link(url, self.window):
            open_url(url)

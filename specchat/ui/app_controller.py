"""Creates the controllers and connects them to the main window and the services."""

import gc

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.about.launcher import AboutLauncher
from specchat.ui.benchmark.launcher import BenchmarkLauncher
from specchat.ui.chat.answer_task_builder import AnswerTaskBuilder
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.chat_files import ChatFiles
from specchat.ui.chat.chat_store_watcher import ChatStoreWatcher
from specchat.ui.chat.edit_controller import EditController
from specchat.ui.chat.entry_builder import EntryBuilder
from specchat.ui.chat.generation_controller import GenerationController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.chat.trash_controller import TrashController
from specchat.ui.comparison.launcher import ComparisonLauncher
from specchat.ui.composer.context_controller import ContextController
from specchat.ui.documents.document_queue import DocumentQueue
from specchat.ui.documents.launcher import DocumentLauncher
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.engines.key_controller import KeyController
from specchat.ui.help.launcher import HelpLauncher
from specchat.ui.machines.machine_list import MachineList
from specchat.ui.models.launcher import ModelsLauncher
from specchat.ui.overlay.stats_overlay_controller import StatsOverlayController
from specchat.ui.pair.dropped_model import DroppedModel
from specchat.ui.pair.file_opener import FileOpener
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.projects.project_controller import ProjectController
from specchat.ui.projects.project_settings_controller import ProjectSettingsController
from specchat.ui.prompts.library_controller import LibraryController
from specchat.ui.server.api_activity import ApiActivity
from specchat.ui.server.server_controller import ServerController
from specchat.ui.server.serving_indicator import ServingIndicator
from specchat.ui.services import Services
from specchat.ui.session import Session
from specchat.ui.settings.settings_controller import SettingsController
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.sidebar.chat_list_controller import ChatListController
from specchat.ui.sidebar.chat_search import ChatSearch
from specchat.ui.start.application import ThemeManager
from specchat.ui.threads.inference import Inference
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.tools.call_controller import CallController
from specchat.ui.tools.server_failures import ServerFailures
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.tools.tool_refusals import ToolRefusals
from specchat.ui.transcript import preload
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.window.quit_question import confirm_quit
from specchat.ui.window.remedy_controller import RemedyController
from specchat.ui.window.status_controller import StatusController
from specchat.ui.window.window_state import WindowState


class AppController(QObject):
    def __init__(self, services: Services, theme_manager: ThemeManager) -> None:
        super().__init__()
        self.services, self.theme_manager = services, theme_manager
        self.session = Session(self)
        self.settings_model = SettingsModel(services.ui_settings, self)
        self.inference = Inference(services.make_engine, services.make_journal, services.logs, self)
        self.tasks, self.token_tasks = TaskQueue(services.logs, self), TaskQueue(services.logs, self)
        """The second queue is for the keyring, which may ask the user before it replies."""
        self.picture_tasks = TaskQueue(services.logs, self)
        self.answers = RunningAnswers(self.inference, self)
        self.tools = ToolList(services.make_tools, self)
        self.api_activity = ApiActivity(self.inference, self)
        self.engines = EngineList(services.models.connections, services.logs, self)
        self.machines = MachineList(self.settings_model, services.models.rpc_servers, services.logs, self)
        self._entries = EntryBuilder(services.messages, self.answers, lambda file: self.pair.display_name(file))
        self.window = window = MainWindow(self.settings_model, self._entries.build_details)
        theme_manager.style_window(window)
        window.composer.read_pictures_with(self.picture_tasks)
        self.notifications = NotificationController(self.session, window.problem, window.notice, self)
        self._make_chat()
        self._make_pair()
        self._make_windows()
        self._closed = self._closes_unasked = False
        self._connect()
        theme_manager.follow(self.settings_model)
        self._window_state = WindowState(services.config / "window.json")
        window.restore(self._window_state)
        self._unload_when_idle(self.settings_model.value)

    def _make_chat(self) -> None:
        services, window, session, notices = self.services, self.window, self.session, self.notifications
        stored, messages = services.conversations, services.messages
        transcript, composer = window.transcript, window.composer
        self.chat = ChatController(
            session, stored, messages, self.answers, self._entries, transcript, composer, notices, self
        )
        self.edits = EditController(session, self.chat, messages, transcript, composer, self)
        self.prompt_library = LibraryController(services.prompts, notices, window)
        self.context = ContextController(
            session, self.inference, self.answers, self.edits, composer, notices, self.tools, self
        )
        self._answer_tasks = tasks = AnswerTaskBuilder(
            session, self.settings_model, services.projects, self.tools, services.make_meaning_search
        )
        self.generation = GenerationController(
            session,
            self.chat,
            self.edits,
            self.context,
            stored,
            messages,
            self.answers,
            transcript,
            composer,
            notices,
            tasks,
            self,
        )
        self.calls = CallController(
            session,
            self.tools,
            messages,
            self.answers,
            self.chat,
            tasks,
            self.generation,
            lambda: window.call_card,
            self,
        )
        ServerFailures(session, self.tools, notices, self)
        ToolRefusals(session, self.tools, self.inference, notices, self)
        self.document_queue = DocumentQueue(services.logs, self)
        composer.attaching.enable_documents(self.document_queue)
        self.documents = DocumentLauncher(session, messages, transcript, notices, window)
        self.search = ChatSearch(stored, services.damaged_chats, services.logs, self)
        self.chat_list = ChatListController(
            session,
            stored,
            services.projects,
            self.answers,
            self.chat,
            self.search,
            window.sidebar,
            notices,
            window,
        )
        self.edits.left_changed.connect(window.sidebar.list.set_editing)
        self.store_watcher = ChatStoreWatcher(stored, window, self)
        self.trash = TrashController(stored, messages, services.projects, self.chat, self.chat_list, notices, self)
        self.projects = ProjectController(
            session, services.projects, stored, self.chat, self.chat_list, self.trash, notices, window
        )
        self.chat_files = ChatFiles(
            stored, services.kept_chats, services.damaged_chats, notices, self.chat, services.logs, window
        )

    def _make_pair(self) -> None:
        services, window, session, notices = self.services, self.window, self.session, self.notifications
        self.picker = PairPicker(window)
        self.picker.show_machines(self.settings_model.value.machines)
        self.pair = PairController(
            session,
            self.inference,
            self.tasks,
            services.models.library,
            services.pair_settings,
            services.models.fit_estimator,
            window.header.pair,
            self.picker,
            self.engines,
            notices,
            self,
        )
        self.project_settings = ProjectSettingsController(
            session,
            services.projects,
            self.projects,
            self.chat,
            self.pair,
            services.pair_settings,
            notices,
            services.logs,
            window,
        )
        self.engine_keys = KeyController(self.engines, self.pair.reload, notices, window)
        self.file_opener = FileOpener(services.models, self.tasks, self.pair, self.answers, notices, self)
        self.dropped_model = DroppedModel(
            services.models, self.tasks, self.pair, self.answers, self.file_opener, window
        )
        self.remedies = RemedyController(session, self.chat, self.pair, self.engine_keys, self)
        self.stats_overlay = StatsOverlayController(
            session,
            services.messages,
            self.answers,
            self.api_activity,
            self.pair.display_name,
            window,
        )
        self.status_controller = StatusController(
            session, window, self.chat, self.generation, self.answers, self.pair, self.api_activity, self
        )

    def _make_windows(self) -> None:
        """Creates the controllers of pages and dialogs, which create their widgets when they are first shown."""
        services, window, session, notices = self.services, self.window, self.session, self.notifications
        self.server = ServerController(
            session,
            self.settings_model,
            services.server_key,
            services.make_server,
            self.inference.completions,
            self.token_tasks,
            notices,
            services.logs,
            self,
        )
        self.serving_indicator = ServingIndicator(session, window.header, self.server, self.api_activity, window)
        self.settings = SettingsController(
            session,
            self.settings_model,
            self.chat,
            services.presets,
            services.models.token(),
            self.token_tasks,
            services.models.library,
            self.tasks,
            self.server,
            self.tools,
            notices,
            window,
        )
        self.models = ModelsLauncher(
            session,
            services.models,
            self.settings_model,
            self.tasks,
            self.pair,
            self.engines,
            self.machines,
            self.engine_keys,
            notices,
            window,
        )
        self.benchmark = BenchmarkLauncher(
            services, self.inference, self.tasks, self.pair, self.models, notices, window
        )
        self.comparison = ComparisonLauncher(
            *(services, session, self.inference, self.tasks, self.pair, self.engines, self.chat, notices),
            self._answer_tasks.make_search,
            window,
        )
        self.help = HelpLauncher(session, services.conversations, window)
        self.about = AboutLauncher(services.updates, services.licences, services.logs, window)

    def _connect(self) -> None:
        window = self.window
        self.session.pair_loaded.connect(_freeze_garbage)
        self.settings_model.changed.connect(self._unload_when_idle)
        self.settings_model.changed.connect(lambda settings: self.picker.show_machines(settings.machines))
        self.theme_manager.change_started.connect(self.models.unload_hidden_panes)
        self.settings.token.changed.connect(self.models.refresh_after_token_change)
        self.pair.model_names_changed.connect(self.stats_overlay.refresh)
        self.answers.changed.connect(lambda: self.picker.show_answering(self.answers.n_running))
        self.store_watcher.changed.connect(self.chat_list.refresh_after_external_change)
        self.chat_list.hit_opened.connect(window.find_search_hit)
        self.notifications.remedy_requested.connect(self.remedies.apply)
        self.picker.load_requested.connect(window.composer.focus)
        self.picker.manager_requested.connect(self.models.open)
        self.picker.benchmark_requested.connect(self.benchmark.open_with_pair)
        window.welcome.find_models_requested.connect(self.models.find_models)
        attach = window.composer.attaching.load_files
        window.composer.files_dropped_beside.connect(lambda files: self.chat_files.take_dropped(files, attach))
        window.composer.attaching.model_files_chosen.connect(self.dropped_model.open)
        window.sidebar.list.chosen.connect(window.composer.focus)
        self.chat.conversation_opened.connect(window.show_chat)
        window.may_close = self._may_close
        window.closing.connect(self.close)

    def start(self, *, load_last: bool = True) -> None:
        """Reads models and conversations. Called after the first paint, so that the window appears at once."""
        self.chat_list.refresh()
        self.file_opener.start(load_last=load_last)
        self.chat.open_newest()
        self.tasks.run(preload, lambda _: None, self.notifications.show_error)
        self.pair.refresh_models()
        self.models.resume_downloads()
        try:
            self.tools.service.refresh()
        except UserError as error:
            self.notifications.queue_error(error)

    def handle_escape(self) -> None:
        """Ends the innermost thing that Escape can end."""
        window = self.window
        if window.leave_page():
            return
        if window.find_bar.isVisible():
            window.find_bar.close_bar()
        elif self.chat.is_answering:
            self.generation.stop()
        elif self.pair.is_loading and not self.pair.is_restoring:  # an Escape too many would leave the chat without it
            self.pair.stop_loading()
        elif window.problem.isVisible():
            window.problem.dismiss()

    def close_unasked(self) -> None:
        """The session ends: nobody may be there to reply."""
        self._closes_unasked = True

    def _may_close(self) -> bool:
        if self._closed or self._closes_unasked:
            return True
        unsaved, edits = (self.answers.unsaved, self.chat.find_unsaved_message()), self.edits.has_unfinished
        may_quit = confirm_quit(*unsaved, self.window, edits=edits)
        return may_quit or self._closes_unasked  # the session may have ended meanwhile

    def close(self) -> None:
        """Ends everything. Unsent text and unfinished answers are stored."""
        if self._closed:
            return
        self._closed = True
        self.answers.stop_all()
        self.calls.close()
        self.window.store(self._window_state)
        self.window.composer.flush()
        self.chat.unsent.close()
        self.pair.save_unfinished()
        if fits := self.services.models.fit_estimator.created_value:
            fits.close()  # first, because tasks may be waiting for a measurement
        self.chat_files.close()
        self.search.close()
        self.document_queue.close()
        self.project_settings.close()
        self.server.stop()
        self.models.close()
        self.benchmark.close()
        self.comparison.close()
        self.settings.close()
        self.about.close()
        self.engines.close()
        self.machines.close()
        self.token_tasks.close()
        self.picture_tasks.close()
        self.tasks.close()
        self.tools.close()
        self.inference.close()
        self.server.wait()

    def _unload_when_idle(self, settings: ApplicationSettings) -> None:
        minutes = settings.idle_unload_minutes
        self.inference.unload_after(60.0 * minutes if minutes > 0 else None)


def _freeze_garbage() -> None:
    """Exempts the objects that exist once a pair is loaded, because collecting among them stalls the window.

    Those exempted at the load before are looked at again: what belonged to the pair before is garbage by now.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()

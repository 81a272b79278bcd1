"""Opens the model manager, created on first use, and connects it to the loaded pair."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from specchat.domain.connections import Connection
from specchat.domain.errors import NotReadyError
from specchat.domain.types import PairChoice
from specchat.services.hub.download_jobs import DownloadJob, JobState
from specchat.services.lazy import Lazy
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.engines.key_controller import KeyController
from specchat.ui.machines.machine_list import MachineList
from specchat.ui.model_services import ModelServices
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.session import Session
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:
    from specchat.ui.models.model_manager import ModelManager


class ModelsLauncher(QObject):
    def __init__(
        self,
        session: Session,
        services: ModelServices,
        settings: SettingsModel,
        tasks: TaskQueue,
        pair: PairController,
        engines: EngineList,
        machines: MachineList,
        engine_keys: KeyController,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._engines, self._machines, self._engine_keys = engines, machines, engine_keys
        self._services, self._settings, self._tasks = services, settings, tasks
        self._pair, self._notifications = pair, notifications
        self._session, self._window = session, window
        self.manager = Lazy(self._make)
        session.pair_changed.connect(self._show_loaded)
        pair.measurement_requested.connect(self._show_early_exit)
        pair.early_exit_ended.connect(self._stop_early_exit)

    def resume_downloads(self) -> None:
        """Downloads that the last end of the program interrupted go on."""

        def goes_on() -> bool:
            return any(job.state.is_active for job in self._services.download_jobs.load())

        def go_on(wanted: bool) -> None:
            if wanted:
                self.manager()

        self._tasks.run(goes_on, go_on, self._notifications.show_error)

    def open(self) -> None:
        self.manager().open_at()

    def find_models(self) -> None:
        self.manager().find_models()

    def refresh_after_token_change(self) -> None:
        if manager := self.manager.created_value:
            manager.refresh_after_token_change()

    def refresh_speeds(self) -> None:
        if manager := self.manager.created_value:
            manager.refresh_speeds()

    def unload_hidden_panes(self) -> None:
        if manager := self.manager.created_value:
            manager.unload_hidden_panes()

    def close(self) -> None:
        if manager := self.manager.created_value:
            manager.close()

    def _make(self) -> "ModelManager":
        from specchat.ui.models.model_manager import ModelManager

        manager = ModelManager(
            self._services,
            self._settings,
            self._tasks,
            self._engines,
            self._machines,
            lambda: self._pair.local_choice,
            lambda: self._pair.choice,
            self._window,
        )
        manager.engines.key_requested.connect(self._engine_keys.ask_for)
        manager.engines.models_requested.connect(self._choose_served_model)
        for chatting in (manager.chat_requested, manager.pair_editor.chat_requested):
            chatting.connect(self._chat)
        manager.requests.token_requested.connect(lambda: self._session.settings_requested.emit("hub"))
        manager.models_changed.connect(self._pair.refresh_models)
        manager.download_ended.connect(self._report_ended)
        early_exit = manager.pair_editor.early_exit
        early_exit.started.connect(self._make_room)
        early_exit.ended.connect(lambda: self._pair.resume(Measurement.EARLY_EXIT))
        manager.set_loaded_pair(self._pair.local_choice)
        return manager

    def _choose_served_model(self, engine: Connection) -> None:
        self._window.show_chat()
        self._pair.picker.open_engine(engine)

    def _make_room(self) -> None:
        """A trial takes the memory that a pair takes."""
        if self._pair.is_suspended:
            busy = NotReadyError("A benchmark is running.", "Try again when it has finished.")
            self.manager().pair_editor.early_exit.fail(busy)
        else:
            self._pair.suspend(Measurement.EARLY_EXIT)

    def _show_early_exit(self, measurement: Measurement) -> None:
        if measurement is Measurement.EARLY_EXIT:
            self._window.show_page(self.manager().view)

    def _stop_early_exit(self) -> None:
        self.manager().pair_editor.early_exit.stop_trial()

    def _show_loaded(self) -> None:
        if manager := self.manager.created_value:
            manager.set_loaded_pair(self._pair.local_choice)

    def _chat(self, choice: PairChoice) -> None:
        if not self._pair.load(self._pair.with_default_settings(choice)):
            return
        self._window.show_chat()

    def _report_ended(self, job: DownloadJob) -> None:
        """Who looks at the manager sees it there."""
        if self._window.isActiveWindow() and self.manager().view.isVisible():
            return
        QApplication.alert(self._window)
        names = " + ".join(model.first.path.rsplit("/", 1)[-1].removesuffix(".gguf") for model in job.models)
        if job.state is JobState.DONE:
            words = self.tr("{names} downloaded").format(names=names)
            self._notifications.show_action_notice(words, self.tr("Use"), lambda: self.manager().chat_with(job))
        elif job.problem is not None:
            words = self.tr("Couldn't download {names}: {reason}")
            reason = translate_text(job.problem.message)
            self._notifications.show_action_notice(
                words.format(names=names, reason=reason), self.tr("Show"), self._show_downloads
            )

    def _show_downloads(self) -> None:
        from specchat.ui.models.manager_view import ManagerSection

        self.manager().open_at(ManagerSection.DOWNLOADS)

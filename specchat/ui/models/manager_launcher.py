"""Opens the model manager, created on first use, and connects it to the loaded pair."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from specchat.domain.types import PairChoice
from specchat.services.hub.download_jobs import DownloadJob, JobState
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


class ModelManagerLauncher(QObject):
    def __init__(
        self,
        session: Session,
        services: ModelServices,
        settings: SettingsModel,
        tasks: TaskQueue,
        pair: PairController,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._services, self._settings, self._tasks = services, settings, tasks
        self._pair, self._notifications = pair, notifications
        self._session, self._window = session, window
        session.pair_changed.connect(self._show_loaded)
        self._manager: ModelManager | None = None

    @property
    def manager(self) -> "ModelManager | None":
        """None until it is opened."""
        return self._manager

    def resume_downloads(self) -> None:
        """Downloads that the last end of the program interrupted go on."""

        def goes_on() -> bool:
            return any(job.state.is_active for job in self._services.download_jobs.load())

        def go_on(wanted: bool) -> None:
            if wanted:
                self._made()

        self._tasks.run(goes_on, go_on, self._notifications.show_error)

    def open(self) -> None:
        self._made().open_at()

    def find_models(self) -> None:
        self._made().find_models()

    def refresh_after_token_change(self) -> None:
        if self._manager is not None:
            self._manager.refresh_after_token_change()

    def refresh_speeds(self) -> None:
        if self._manager is not None:
            self._manager.refresh_speeds()

    def unload_hidden_panes(self) -> None:
        if self._manager is not None:
            self._manager.unload_hidden_panes()

    def close(self) -> None:
        if self._manager is not None:
            self._manager.close()

    def _made(self) -> "ModelManager":
        if self._manager is None:
            from specchat.ui.models.model_manager import ModelManager

            self._manager = ModelManager(
                self._services, self._settings, self._tasks, lambda: self._pair.resolved_choice, self._window
            )
            for chatting in (self._manager.chat_requested, self._manager.pair_editor.chat_requested):
                chatting.connect(self._chat)
            self._manager.requests.token_requested.connect(lambda: self._session.settings_requested.emit("hub"))
            self._manager.models_changed.connect(self._pair.refresh_models)
            self._manager.download_ended.connect(self._report_ended)
            self._show_loaded()
        return self._manager

    def _show_loaded(self) -> None:
        if self._manager is not None:
            self._manager.set_loaded_pair(self._pair.resolved_choice)

    def _chat(self, choice: PairChoice) -> None:
        if not self._pair.load(self._pair.with_default_settings(choice)):
            return
        self._window.show_chat()

    def _report_ended(self, job: DownloadJob) -> None:
        """Who looks at the manager sees it there."""
        if self._window.isActiveWindow() and self._made().view.isVisible():
            return
        QApplication.alert(self._window)
        names = " + ".join(model.first.path.rsplit("/", 1)[-1].removesuffix(".gguf") for model in job.models)
        if job.state is JobState.DONE:
            words = self.tr("{names} is downloaded").format(names=names)
            self._notifications.show_action_notice(words, self.tr("Use it"), lambda: self._made().chat_with(job))
        elif job.problem is not None:
            words = self.tr("The download of {names} failed: {reason}")
            reason = translate_text(job.problem.message)
            self._notifications.show_action_notice(
                words.format(names=names, reason=reason), self.tr("Show"), self._show_downloads
            )

    def _show_downloads(self) -> None:
        from specchat.ui.models.manager_view import ManagerSection

        self._made().open_at(ManagerSection.DOWNLOADS)

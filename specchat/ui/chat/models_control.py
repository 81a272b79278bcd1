"""The way from the window to the model manager, which is made when it is first opened."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from specchat.domain.types import PairChoice
from specchat.services.hub.download_jobs import Job, JobState
from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.chat.notices import Notices
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.main_window import MainWindow
from specchat.ui.model_services import ModelServices
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.theme import Theme
from specchat.ui.words.said import in_words

if TYPE_CHECKING:
    from specchat.ui.manager.manager import Manager


class ModelsControl(QObject):
    token_wanted = Signal()
    pace_chosen = Signal(int, int)
    """Downloads at once; bytes per second."""

    def __init__(
        self,
        services: ModelServices,
        tasks: Tasks,
        pair: PairControl,
        notices: Notices,
        window: MainWindow,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self._services, self._tasks, self._pair, self._notices = services, tasks, pair, notices
        self._window, self._theme = window, theme
        for changed in (pair.loaded, pair.gone):
            changed.connect(self._show_loaded)
        self._settings = UiSettings()
        self._manager: Manager | None = None

    @property
    def manager(self) -> "Manager | None":
        """None until it is opened."""
        return self._manager

    def start(self) -> None:
        """Downloads that the last end of the program interrupted go on."""

        def goes_on() -> bool:
            return any(job.state.is_going for job in self._services.download_jobs.load())

        def go_on(wanted: bool) -> None:
            if wanted:
                self._made()

        self._tasks.run(goes_on, go_on, self._notices.tell)

    def open(self) -> None:
        self._made().open_at()

    def find_models(self) -> None:
        self._made().find_models()

    def try_again(self) -> None:
        if self._manager is not None:
            self._manager.try_again()

    def look_at_speeds(self) -> None:
        if self._manager is not None:
            self._manager.look_at_speeds()

    def rest(self) -> None:
        if self._manager is not None:
            self._manager.rest()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._manager is not None:
            self._manager.set_theme(theme)

    def set_settings(self, settings: UiSettings) -> None:
        self._settings = settings
        if self._manager is not None:
            self._manager.downloads.set_pace(settings)

    def close(self) -> None:
        if self._manager is not None:
            self._manager.window.hide()
            self._manager.close()

    def _made(self) -> "Manager":
        if self._manager is None:
            from specchat.ui.manager.manager import Manager

            self._manager = Manager(self._services, self._tasks, lambda: self._pair.settled, self._theme, self._window)
            self._manager.chat_wanted.connect(self._chat)
            self._manager.token_wanted.connect(self.token_wanted)
            self._manager.pace_chosen.connect(self.pace_chosen)
            self._manager.models_changed.connect(self._pair.refresh)
            self._manager.ended.connect(self._tell)
            self._manager.downloads.set_pace(self._settings)
            self._show_loaded()
        return self._manager

    def _show_loaded(self) -> None:
        if self._manager is not None:
            self._manager.show_loaded(self._pair.settled)

    def _chat(self, choice: PairChoice) -> None:
        if not self._pair.load(self._pair.with_usual_ways(choice)):
            return
        self._made().window.hide()
        self._window.raise_()
        self._window.activateWindow()
        self._window.composer.focus()

    def _tell(self, job: Job) -> None:
        """Who looks at the manager sees it there."""
        if self._made().window.isActiveWindow():
            return
        QApplication.alert(self._window)
        names = " + ".join(model.first.path.rsplit("/", 1)[-1].removesuffix(".gguf") for model in job.models)
        if job.state is JobState.DONE:
            words = self.tr("{names} is downloaded").format(names=names)
            self._notices.offer(words, self.tr("Use it"), lambda: self._made().chat_with(job))
        elif job.problem is not None:
            words = self.tr("The download of {names} failed: {reason}")
            reason = in_words(job.problem.message)
            self._notices.offer(words.format(names=names, reason=reason), self.tr("Show"), self._show_downloads)

    def _show_downloads(self) -> None:
        from specchat.ui.manager.window import Page

        self._made().open_at(Page.DOWNLOADS)

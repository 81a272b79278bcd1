"""Opens the comparison page, created on first use, and suspends the loaded pair where another one answers."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.services.lazy import Lazy
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.session import Session
from specchat.ui.threads.inference import Inference
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    from collections.abc import Callable

    from specchat.services.chat.meaning_search import MeaningSearch
    from specchat.ui.comparison.controller import ComparisonController
    from specchat.ui.services import Services


class ComparisonLauncher(QObject):
    def __init__(
        self,
        services: "Services",
        session: Session,
        inference: Inference,
        tasks: TaskQueue,
        pair: PairController,
        engines: EngineList,
        chat: ChatController,
        notifications: NotificationController,
        make_search: "Callable[[], MeaningSearch | None]",
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._services, self._session, self._inference, self._tasks = services, session, inference, tasks
        self._pair, self._engines, self._chat = pair, engines, chat
        self._notifications, self._make_search, self._window = notifications, make_search, window
        self.controller = Lazy(self._make)
        pair.measurement_requested.connect(self._show_running)

    def open(self) -> None:
        self._show()
        self.controller().sides.refresh()

    def close(self) -> None:
        if controller := self.controller.created_value:
            controller.close()

    def _make(self) -> "ComparisonController":
        from specchat.ui.comparison.controller import ComparisonController, ComparisonServices

        services = self._services
        needed = ComparisonServices(
            services.models.library, services.pair_settings, services.conversations, self._make_search
        )
        controller = ComparisonController(
            needed,
            self._session,
            self._inference,
            self._tasks,
            self._pair,
            self._engines,
            self._notifications,
            self._window,
        )
        controller.suspension_requested.connect(lambda: self._pair.suspend(Measurement.COMPARISON))
        controller.progress_changed.connect(self._show_progress)
        controller.finished.connect(lambda: self._pair.resume(Measurement.COMPARISON))
        controller.chat_kept.connect(self._show_kept)
        return controller

    def _show_progress(self, done: int, total: int) -> None:
        self._pair.show_measurement_progress(done, total)

    def _show_kept(self, chat: int) -> None:
        self._chat.list_changed.emit()
        self._notifications.show_action_notice(
            self.tr("Kept as a chat"), self.tr("Show"), lambda: self._chat.open(chat)
        )

    def _show_running(self, measurement: Measurement) -> None:
        if measurement is Measurement.COMPARISON:
            self._show()

    def _show(self) -> None:
        self._window.show_page(self.controller().page)

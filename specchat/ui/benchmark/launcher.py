"""Opens the benchmark page, created on first use, and suspends the loaded pair for it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from specchat.domain.types import PairChoice
from specchat.services.lazy import Lazy
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.models.launcher import ModelsLauncher
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.threads.inference import Inference
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    from specchat.ui.benchmark.page_controller import BenchmarkPageController
    from specchat.ui.services import Services


class BenchmarkLauncher(QObject):
    def __init__(
        self,
        services: "Services",
        inference: Inference,
        tasks: TaskQueue,
        pair: PairController,
        models: ModelsLauncher,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._services, self._inference, self._tasks = services, inference, tasks
        self._pair, self._models, self._notifications, self._window = pair, models, notifications, window
        self.controller = Lazy(self._make)
        pair.measurement_requested.connect(self._show_running)

    def open(self) -> None:
        self.controller().open(self._pair.current_choice)

    def open_with_pair(self, choice: PairChoice) -> None:
        """Another pair than the one that is loaded."""
        self.controller().open(choice)

    def close(self) -> None:
        if controller := self.controller.created_value:
            controller.close()

    def _make(self) -> "BenchmarkPageController":
        from specchat.services.chat.recent_questions import recent_questions
        from specchat.ui.benchmark.page_controller import BenchmarkPageController, BenchServices

        services = self._services
        needed = BenchServices(
            library=services.models.library,
            pair_settings=services.pair_settings,
            measured=services.measured,
            questions=lambda: recent_questions(services.conversations, services.messages),
            place=services.config / "benchmark.json",
        )
        controller = BenchmarkPageController(needed, self._inference, self._tasks, self._window)
        controller.started.connect(lambda: self._pair.suspend(Measurement.BENCHMARK))
        controller.progress_changed.connect(lambda now: self._pair.show_measurement_progress(now.done, now.total))
        controller.finished.connect(self._end)
        controller.report_recorded.connect(self._models.refresh_speeds)
        controller.pair_requested.connect(self._chat)
        return controller

    def _end(self, has_figures: bool) -> None:
        """Who looks at the page sees it there."""
        self._pair.resume(Measurement.BENCHMARK)
        self._pair.refresh_models()
        if has_figures and not (self._window.isActiveWindow() and self.controller().page.isVisible()):
            QApplication.alert(self._window)
            report = self.controller().report
            is_complete = report is not None and report.complete
            words = self.tr("Benchmark finished") if is_complete else self.tr("Benchmark stopped early")
            self._notifications.show_action_notice(words, self.tr("Show"), self._show)

    def _show_running(self, measurement: Measurement) -> None:
        if measurement is Measurement.BENCHMARK:
            self._show()

    def _show(self) -> None:
        self._window.show_page(self.controller().page)

    def _chat(self, choice: PairChoice) -> None:
        self._pair.load(replace(self._pair.with_default_settings(choice), draft_max=choice.draft_max))
        self._window.show_chat()

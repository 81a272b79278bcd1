"""The way from the window to the benchmark, which is made when it is first opened."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QMessageBox

from specchat.domain.types import PairChoice
from specchat.ui.chat.notices import Notices
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.main_window import MainWindow
from specchat.ui.threads.inference import Inference
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.theme import GRID, Theme

if TYPE_CHECKING:
    from specchat.ui.benchmark.panel import BenchmarkPanel
    from specchat.ui.desk import Services


class BenchControl(QObject):
    recorded = Signal()
    """What was measured is remembered."""

    def __init__(
        self,
        services: "Services",
        inference: Inference,
        tasks: Tasks,
        pair: PairControl,
        notices: Notices,
        window: MainWindow,
        theme: Theme,
    ) -> None:
        super().__init__(window)
        self._services, self._inference, self._tasks = services, inference, tasks
        self._pair, self._notices, self._window, self._theme = pair, notices, window, theme
        self._panel: BenchmarkPanel | None = None
        pair.may_take_over = self._may_end
        pair.away_shown.connect(lambda: self._made().window.open())

    @property
    def panel(self) -> "BenchmarkPanel | None":
        """None until it is opened."""
        return self._panel

    def open(self) -> None:
        self._made().open(self._pair.wanted)

    def open_for(self, choice: PairChoice) -> None:
        """Another pair than the one that is loaded."""
        self._made().open(choice)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._panel is not None:
            self._panel.set_theme(theme)

    def close(self) -> None:
        if self._panel is not None:
            self._panel.close()

    def _made(self) -> "BenchmarkPanel":
        if self._panel is None:
            from specchat.services.chat.recent_questions import recent_questions
            from specchat.ui.benchmark.panel import BenchmarkPanel, BenchServices

            services = self._services
            needed = BenchServices(
                shelf=services.models.shelf,
                pair_settings=services.pair_settings,
                measured=services.measured,
                questions=lambda: recent_questions(services.conversations, services.messages),
                place=services.config / "benchmark.json",
            )
            self._panel = BenchmarkPanel(needed, self._inference, self._tasks, self._theme, self._window)
            self._panel.began.connect(self._pair.make_room)
            self._panel.progressed.connect(lambda now: self._pair.show_measuring(now.done, now.total))
            self._panel.ended.connect(self._end)
            self._panel.recorded.connect(self.recorded)
            self._panel.pair_wanted.connect(self._chat)
        return self._panel

    def _end(self, has_figures: bool) -> None:
        """Who looks at the panel sees it there."""
        self._pair.come_back()
        self._pair.refresh()
        if has_figures and not self._made().window.isActiveWindow():
            QApplication.alert(self._window)
            report = self._made().report
            is_complete = report is not None and report.complete
            words = self.tr("The benchmark is done") if is_complete else self.tr("The benchmark was cut short")
            self._notices.offer(words, self.tr("Show"), self._made().window.open)

    def _may_end(self) -> bool:
        box = QMessageBox(QApplication.activeWindow() or self._window)
        box.setObjectName("benchEndQuestion")
        box.setText(self.tr("A benchmark is running. End it?"))
        box.setInformativeText(self.tr("Another pair can be loaded only then. What was measured until now stays."))
        yes = box.addButton(self.tr("End it and load the pair"), QMessageBox.ButtonRole.DestructiveRole)
        no = box.addButton(self.tr("Go on measuring"), QMessageBox.ButtonRole.RejectRole)
        for button in box.buttons():
            button.setMinimumHeight(4 * GRID)
        box.setDefaultButton(no)
        box.exec()
        return box.clickedButton() is yes

    def _chat(self, choice: PairChoice) -> None:
        self._pair.load(replace(self._pair.with_usual_ways(choice), draft_max=choice.draft_max))
        self._made().window.hide()
        self._window.raise_()
        self._window.activateWindow()
        self._window.composer.focus()

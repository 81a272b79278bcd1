"""The benchmark's window: on the left what is asked for, on the right what is found."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from specchat.ui.benchmark.form import BenchForm
from specchat.ui.benchmark.results import Results
from specchat.ui.theme import GRID, Theme
from specchat.ui.window_state import WindowState

_SIZE = (1160, 780)
_LEAST = (130 * GRID, 70 * GRID)


class BenchmarkWindow(QWidget):
    def __init__(self, theme: Theme, place: Path, parent: QWidget | None = None) -> None:
        """`place`: the file that remembers where the window was."""
        super().__init__(parent, Qt.WindowType.Window)
        self.setObjectName("benchmarkPanel")
        self.setAccessibleName(self.tr("Benchmark"))
        self.setWindowTitle(self.tr("Benchmark – specchat"))
        self.setMinimumSize(*_LEAST)
        self.resize(*_SIZE)
        self._state = WindowState(place)
        self._state.apply(self)
        self.form, self.results = BenchForm(theme, self), Results(theme, self)
        edge = QFrame(self)
        edge.setProperty("line", True)
        edge.setFixedWidth(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.form)
        layout.addWidget(edge)
        layout.addWidget(self.results, 1)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self.close)

    def open(self) -> None:
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def set_theme(self, theme: Theme) -> None:
        self.form.set_theme(theme)
        self.results.set_theme(theme)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._state.take(self)
        self._state.save()

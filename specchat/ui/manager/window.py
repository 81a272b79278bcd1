"""The model manager's window: on the left where models come from, on the right the pair that is put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.tabs import Tabs
from specchat.ui.theme import GRID, Theme

_SIZE = (1080, 720)
_LEAST = (900, 560)
_TRAY = 46 * GRID


class Page(StrEnum):
    HERE = "here"
    HUB = "hub"
    PAIRS = "pairs"
    DOWNLOADS = "downloads"


@dataclass(frozen=True, slots=True)
class Pane:
    page: Page
    words: str
    widget: QWidget


class ManagerWindow(QWidget):
    turned_to = Signal(Page)

    def __init__(self, theme: Theme, panes: Sequence[Pane], tray: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._panes = panes
        self._tabs = Tabs(theme, self)
        self._stack = QStackedWidget(self)
        self._edge = QFrame(self)
        for pane in panes:
            self._tabs.addTab(pane.words)
            self._stack.addWidget(pane.widget)
        self.setObjectName("modelManager")
        self.setAccessibleName(self.tr("Models"))
        self.setWindowTitle(self.tr("Models – specchat"))
        self.setMinimumSize(*_LEAST)
        self.resize(*_SIZE)
        self._arrange(tray)
        self._tabs.currentChanged.connect(self._turn_to)
        for keys in (QKeySequence(QKeySequence.StandardKey.Close), QKeySequence(Qt.Key.Key_Escape)):
            QShortcut(keys, self, self.close)

    @property
    def page(self) -> Page:
        return self._panes[self._tabs.currentIndex()].page

    def open_at(self, page: Page | None = None) -> None:
        """None: where it was left."""
        if page is not None:
            self._tabs.setCurrentIndex([pane.page for pane in self._panes].index(page))
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def show_count(self, page: Page, count: int) -> None:
        """Of what is going on there."""
        for number, pane in enumerate(self._panes):
            if pane.page is page:
                self._tabs.setTabText(number, f"{pane.words} ({count})" if count else pane.words)

    def set_theme(self, theme: Theme) -> None:
        self._tabs.set_theme(theme)

    def _turn_to(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.turned_to.emit(self._panes[number].page)

    def _arrange(self, tray: QWidget) -> None:
        self._tabs.setObjectName("managerTabs")
        self._edge.setProperty("line", True)
        self._edge.setFixedWidth(1)
        left = QVBoxLayout()
        left.setContentsMargins(3 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        left.setSpacing(2 * GRID)
        left.addWidget(self._tabs)
        left.addWidget(self._stack, 1)
        tray.setFixedWidth(_TRAY)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(left, 1)
        layout.addWidget(self._edge)
        layout.addWidget(tray)

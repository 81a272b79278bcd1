"""The model manager's window: on the left where models come from, on the right the pair that is put together."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.widgets.screen import fit_on_screen
from specchat.ui.widgets.side_by_side import SideBySide
from specchat.ui.widgets.tabs import Tabs
from specchat.ui.widgets.theme import GRID, Theme, scaled

_SIZE = QSize(1080, 720)
_LEAST = QSize(70 * GRID, 40 * GRID)
_LEAST_BOTH = 112 * GRID
_TRAY = 46 * GRID


class Page(StrEnum):
    HERE = "here"
    HUB = "hub"
    PAIRS = "pairs"
    DOWNLOADS = "downloads"


@runtime_checkable
class Searched(Protocol):
    def focus_search(self) -> None: ...


@runtime_checkable
class Layered(Protocol):
    def step_back(self) -> bool:
        """What lies on top is left; False: nothing does."""


@dataclass(frozen=True, slots=True)
class Pane:
    page: Page
    words: str
    widget: QWidget


class ManagerWindow(QWidget):
    turned_to = Signal(Page)

    def __init__(self, theme: Theme, panes: Sequence[Pane], tray: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self._panes, self._tray = panes, tray
        self._tabs = Tabs(theme, self)
        self._stack = QStackedWidget(self)
        self._left = QWidget(self)
        names = self.tr("Models"), self.tr("The pair")
        self._parts = SideBySide(theme, (self._left, tray), names, _LEAST_BOTH, self)
        for pane in panes:
            self._tabs.addTab(pane.words)
            self._stack.addWidget(pane.widget)
        self.setObjectName("modelManager")
        self.setAccessibleName(self.tr("Models"))
        self.setWindowTitle(self.tr("Models – specchat"))
        self.setMinimumSize(_LEAST)
        size = QSize(scaled(_SIZE.width()), scaled(_SIZE.height()))
        self.resize(size)
        fit_on_screen(self, size)
        self._arrange()
        self._tabs.currentChanged.connect(self._turn_to)
        self._tabs.tabBarClicked.connect(self._search_in)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.focus_search)
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self, self._step_back)

    @property
    def page(self) -> Page:
        return self._shown.page

    def open_at(self, page: Page | None = None) -> None:
        """None: where it was left."""
        if page is not None:
            self._parts.turn_to(self._left)
            self._tabs.setCurrentIndex([pane.page for pane in self._panes].index(page))
        self.show()
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def focus_search(self) -> None:
        if isinstance(pane := self._shown.widget, Searched):
            pane.focus_search()

    def show_pair(self) -> None:
        self._parts.turn_to(self._tray)

    def show_mark(self, page: Page, mark: str) -> None:
        """How much is going on there, or that something went wrong."""
        for number, pane in enumerate(self._panes):
            if pane.page is page:
                self._tabs.setTabText(number, f"{pane.words} ({mark})" if mark else pane.words)

    def set_theme(self, theme: Theme) -> None:
        self._tabs.set_theme(theme)
        self._parts.set_theme(theme)
        self._parts.keep_width(self._tray, scaled(_TRAY))

    @property
    def _shown(self) -> Pane:
        return self._panes[self._tabs.currentIndex()]

    def _step_back(self) -> None:
        """Out of what was opened last where the keyboard is, else beside it, else out of the window."""
        focus = QApplication.focusWidget()
        parts = [self._shown.widget, self._tray]
        parts.sort(key=lambda part: focus is None or not part.isAncestorOf(focus))
        if not any(isinstance(part, Layered) and part.step_back() for part in parts):
            self.close()

    def _turn_to(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.turned_to.emit(self._panes[number].page)

    def _search_in(self, number: int) -> None:
        """Only after a click: whoever goes through the tabs by their keys stays there."""
        self._tabs.setCurrentIndex(number)
        self.focus_search()

    def _arrange(self) -> None:
        self._tabs.setObjectName("managerTabs")
        self._tabs.turn_by_keys()
        left = QVBoxLayout(self._left)
        left.setContentsMargins(3 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        left.setSpacing(2 * GRID)
        left.addWidget(self._tabs)
        left.addWidget(self._stack, 1)
        self._parts.keep_width(self._tray, scaled(_TRAY))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)

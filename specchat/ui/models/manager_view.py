"""The model manager's page, with tabs for model sources on the left and the pair editor on the right."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.widgets.tab_bar import TabBar
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.two_part_view import TwoPartView
from specchat.ui.window.window_page import WindowPage

_LEAST_BOTH = 112 * GRID
_TRAY = 46 * GRID


class ManagerSection(StrEnum):
    LOCAL = "here"
    HUB = "hub"
    PAIRS = "pairs"
    DOWNLOADS = "downloads"
    ENGINES = "engines"


@dataclass(frozen=True, slots=True)
class ManagerTab:
    section: ManagerSection
    words: str
    widget: ManagerPane


class ManagerView(WindowPage):
    section_changed = Signal(ManagerSection)

    def __init__(self, panes: Sequence[ManagerTab], editor: ManagerPane, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._panes, self._pair_editor = panes, editor
        self.tabs = self._tabs = TabBar(self)
        self._stack = QStackedWidget(self)
        self._left = QWidget(self)
        names = self.tr("Models"), self.tr("Selected pair")
        self._parts = TwoPartView((self._left, editor), names, _LEAST_BOTH, self)
        for pane in panes:
            self._tabs.addTab(pane.words)
            self._stack.addWidget(pane.widget)
        self.setObjectName("modelManager")
        self.setAccessibleName(self.tr("Models"))
        self.setWindowTitle(self.tr("Models"))
        self._arrange()
        self._tabs.currentChanged.connect(self._show_tab)
        self._tabs.tabBarClicked.connect(self._search_in)
        follow_theme(self._apply_theme)

    @property
    def help_topic(self) -> str:
        return "models.md"

    @property
    def section(self) -> ManagerSection:
        return self._shown.section

    def turn_to(self, section: ManagerSection) -> None:
        self._parts.show_part(self._left)
        self._tabs.setCurrentIndex([pane.section for pane in self._panes].index(section))

    def focus_search(self) -> None:
        self._shown.widget.focus_search()

    def show_pair_editor(self) -> None:
        self._parts.show_part(self._pair_editor)

    def set_tab_mark(self, section: ManagerSection, mark: str) -> None:
        """How much is going on there, or that something went wrong."""
        for number, pane in enumerate(self._panes):
            if pane.section is section:
                self._tabs.setTabText(number, f"{pane.words} ({mark})" if mark else pane.words)

    def _apply_theme(self) -> None:
        self._parts.set_part_width(self._pair_editor, scaled_px(_TRAY))

    @property
    def _shown(self) -> ManagerTab:
        return self._panes[self._tabs.currentIndex()]

    def go_back(self) -> bool:
        """Out of what was opened last where the keyboard is, else beside it."""
        focus = QApplication.focusWidget()
        parts = [self._shown.widget, self._pair_editor]
        parts.sort(key=lambda part: focus is None or not part.isAncestorOf(focus))
        return any(part.go_back() for part in parts)

    def _show_tab(self, number: int) -> None:
        self._stack.setCurrentIndex(number)
        self.section_changed.emit(self._panes[number].section)

    def _search_in(self, number: int) -> None:
        """Only after a click: whoever goes through the tabs by their keys stays there."""
        self._tabs.setCurrentIndex(number)
        self.focus_search()

    def _arrange(self) -> None:
        self._tabs.setObjectName("managerTabs")
        left = QVBoxLayout(self._left)
        left.setContentsMargins(3 * GRID, 0, 2 * GRID, 2 * GRID)
        left.setSpacing(2 * GRID)
        left.addWidget(self._tabs)
        left.addWidget(self._stack, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)

"""A tab bar with a line under the current tab."""

from functools import partial

from PySide6.QtCore import QMargins, Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QTabBar, QVBoxLayout, QWidget

from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.theme import BODY_PX, GRID, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_WIDEST_GAP, _LEAST_GAP = 3 * GRID, 3 * GRID // 4
_SIDE = 3 * GRID
PAGE_MARGINS = QMargins(_SIDE, 0, _SIDE, 0)
"""Around each page of a dialog."""


class TabBar(QTabBar):
    """Where there is little room they stand closer together."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gap = _WIDEST_GAP
        self.setAccessibleName(self.tr("Pages"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        follow_theme(self._apply_theme)

    def add_shortcuts(self) -> None:
        """From anywhere in the window, as in other programs; for one of the tabs in a window."""
        for keys, step in ((QKeySequence.StandardKey.NextChild, 1), (QKeySequence.StandardKey.PreviousChild, -1)):
            QShortcut(keys, self).activated.connect(partial(self.turn, step))

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(
            f"QTabBar::tab {{ color: {theme.text_muted.name()}; background: transparent;"
            f" font-size: {scaled_px(BODY_PX)}px; padding: {GRID // 2}px 0; margin-right: {self._gap}px;"
            f" border-bottom: 2px solid transparent; }}"
            f"QTabBar::tab:last {{ margin-right: 0; }}"
            f"QTabBar::tab:selected {{ color: {theme.text.name()}; border-bottom-color: {theme.accent.name()}; }}"
            f"QTabBar::tab:focus {{ color: {theme.accent.name()}; }}"
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._space_out()

    def tabLayoutChange(self) -> None:
        super().tabLayoutChange()
        self._space_out()

    def turn(self, step: int) -> None:
        """After the last page comes the first."""
        self.setCurrentIndex((self.currentIndex() + step) % self.count())

    def _space_out(self) -> None:
        gaps = self.count() - 1
        if gaps < 1:
            return
        words = sum(self.tabSizeHint(each).width() for each in range(self.count())) - gaps * self._gap
        gap = max(_LEAST_GAP, min(_WIDEST_GAP, (self.width() - words) // gaps))
        if gap != self._gap:
            self._gap = gap
            self._apply_theme()


def arrange_tab_dialog(
    dialog: QDialog, tabs: TabBar, pages: QWidget, close: QPushButton, *, beside: QWidget | None = None
) -> None:
    """A dialog of pages that have margins of their own, see `PAGE_MARGINS`."""
    tabs.add_shortcuts()
    head, foot = QVBoxLayout(), QVBoxLayout()
    head.addWidget(tabs)
    foot.addWidget(Separator(dialog))
    last = QHBoxLayout()
    last.setSpacing(2 * GRID)
    last.addWidget(QWidget(dialog) if beside is None else beside, 1)
    last.addWidget(close)
    foot.addLayout(last)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(0, 2 * GRID, 0, 2 * GRID)
    for part in (head, foot):
        part.setContentsMargins(_SIDE, 0, _SIDE, 0)
    for part in (foot, layout):
        part.setSpacing(2 * GRID)
    layout.addLayout(head)
    layout.addWidget(pages, 1)
    layout.addLayout(foot)

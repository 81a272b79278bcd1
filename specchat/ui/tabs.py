"""Pages to choose from, as words with a line under the one that shows."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QWidget

from specchat.ui.theme import BODY_PX, GRID, Theme, scaled


class Tabs(QTabBar):
    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Pages"))
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.setStyleSheet(
            f"QTabBar::tab {{ color: {theme.text_muted.name()}; background: transparent;"
            f" font-size: {scaled(BODY_PX)}px; padding: {GRID // 2}px 0; margin-right: {3 * GRID}px;"
            f" border-bottom: 2px solid transparent; }}"
            f"QTabBar::tab:selected {{ color: {theme.text.name()}; border-bottom-color: {theme.accent.name()}; }}"
            f"QTabBar::tab:focus {{ color: {theme.accent.name()}; }}"
        )

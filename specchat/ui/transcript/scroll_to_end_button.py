"""The round button that scrolls to the end of the conversation."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme

_SIZE = 3 * GRID


class ScrollToEndButton(IconButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("down", "", parent)
        self.set_label(self.tr("To the end"))
        self.setObjectName("scrollDownButton")
        self.setFixedSize(_SIZE, _SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def _apply_theme(self) -> None:
        theme = current_theme()
        super()._apply_theme()
        border = f"border: 1px solid {theme.line.name()}; border-radius: {_SIZE // 2}px"
        self.setStyleSheet(
            f"QToolButton {{ {border}; background: {theme.surface.name()}; }}"
            f"QToolButton:hover {{ background: {theme.hover.name()}; }}"
            f"QToolButton:focus {{ border-color: {theme.accent.name()}; }}"
        )

"""The round buttons that send a message or stop an answer."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_SHEET = """
QToolButton {{ background: {filled}; border: 2px solid {filled}; border-radius: {radius}px; padding: 0; }}
QToolButton:hover, QToolButton:pressed {{ background: {filled}; }}
QToolButton:focus {{ border-color: {ring}; }}
QToolButton:disabled {{ background: {idle}; border-color: {idle}; }}
"""


class RoundButton(QToolButton):
    """The one thing to do next."""

    def __init__(self, icon_name: str, words: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.setFixedSize(4 * GRID, 4 * GRID)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(words)
        self.setAccessibleName(words)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setIcon(icon(self._icon_name, theme.on_accent, theme.rejected))
        self.setStyleSheet(
            _SHEET.format(filled=theme.accent.name(), ring=theme.text.name(), idle=theme.hover.name(), radius=2 * GRID)
        )

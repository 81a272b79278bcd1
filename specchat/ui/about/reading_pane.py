"""A read-only text field for long texts such as licences."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from specchat.ui.widgets.theme import GRID, RADIUS, SCROLL_BAR_WIDTH, SMALL_PX, code_font, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme


class ReadingPane(QPlainTextEdit):
    """Text to read and copy. `columns`: of code, with room for so many; 0: prose."""

    def __init__(self, parent: QWidget | None = None, *, columns: int = 0) -> None:
        super().__init__(parent)
        self._columns = columns
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        family = f'font-family: "{code_font().family()}";' if self._columns else ""
        self.setStyleSheet(
            f"QPlainTextEdit {{ background: {theme.surface.name()}; border: 1px solid {theme.line.name()};"
            f" border-radius: {RADIUS - 2}px; padding: {GRID // 2}px; font-size: {scaled_px(SMALL_PX)}px; {family} }}"
            f"QPlainTextEdit:focus {{ border-color: {theme.accent.name()}; }}"
        )

    def sizeHint(self) -> QSize:
        text = QFontMetrics(code_font()).horizontalAdvance("m" * self._columns)
        return super().sizeHint().expandedTo(QSize(text + SCROLL_BAR_WIDTH + 4 * GRID, 0))

"""The text field for the system prompt."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from specchat.ui.widgets.theme import GRID, RADIUS
from specchat.ui.widgets.theme_service import current_theme, follow_theme


class PromptEdit(QPlainTextEdit):
    """Tells of a change once, when the field is left."""

    edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._committed = ""
        self.setTabChangesFocus(True)
        self.setFixedHeight(12 * GRID)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        style = f"background: {theme.surface.name()}; border-radius: {RADIUS - 2}px; padding: {GRID // 2}px;"
        self.setStyleSheet(
            f"QPlainTextEdit {{ {style} border: 1px solid {theme.line.name()}; }}"
            f"QPlainTextEdit:focus {{ border-color: {theme.accent.name()}; }}"
        )

    def show_text(self, text: str) -> None:
        self._committed = text
        if text != self.toPlainText():
            self.setPlainText(text)

    def commit(self) -> None:
        text = self.toPlainText()
        if text != self._committed:
            self._committed = text
            self.edited.emit(text)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.commit()

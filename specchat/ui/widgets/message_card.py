"""A card with a message, a hint and buttons for what can be done."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.focus_restorer import FocusRestorer
from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.selectable_text import SelectableText
from specchat.ui.widgets.theme import GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.wrapping_row import WrappingRow

_BESIDE_CLOSE = GRID - 2
"""Puts the first line level with the button that closes."""


class MessageCard(QFrame):
    """Hidden until there is a message."""

    dismissed = Signal()

    def __init__(
        self,
        object_name: str,
        parent: QWidget | None = None,
        *,
        text_px: int = SMALL_PX,
        can_close: bool = False,
        has_frame: bool = True,
    ) -> None:
        """`has_frame`: False for a message inside another card, which has no mark either."""
        super().__init__(parent)
        self._text_px, self._has_frame, self._is_warning = text_px, has_frame, True
        self._mark = QLabel(self)
        self._message = SelectableText(f"{object_name}Message", self)
        self._hint = SelectableText(f"{object_name}Hint", self)
        self._row = WrappingRow(self)
        self._buttons: list[TextButton] = []
        self._close = IconButton("close", self.tr("Close"), self)
        self._focus_before = FocusRestorer(self)
        self.setObjectName(object_name)
        self.setProperty("card", has_frame)
        self._close.setObjectName(f"{object_name}Close")
        self._close.clicked.connect(self.dismiss)
        self._arrange(can_close)
        follow_theme(self._apply_theme)
        self.hide()

    def add_button(
        self, object_name: str, words: str, on_click: Callable[[], object], place: int | None = None
    ) -> TextButton:
        """`place`: None is after all others."""
        place = len(self._buttons) if place is None else place
        button = TextButton(words, self)
        button.setObjectName(object_name)
        button.clicked.connect(lambda: on_click())
        self._buttons.insert(place, button)
        self._row.insert_widget(place, button)
        self.setTabOrder(button, self._close)
        return button

    def remove_button(self, button: TextButton) -> None:
        self._buttons.remove(button)
        self._row.remove_widget(button)
        button.hide()
        button.deleteLater()

    def show_message(self, message: str, hint: str = "", *, is_warning: bool = True) -> None:
        """With those buttons that are not hidden."""
        self._is_warning = is_warning
        self._show_mark()
        self._message.setPlainText(message)
        self._hint.setPlainText(hint)
        self._hint.setVisible(bool(hint))
        self._row.setVisible(not all(button.isHidden() for button in self._buttons))
        self.setAccessibleName(message)
        self.setAccessibleDescription(hint)
        self.show()
        self._row.update_layout()

    def announce(self, *, at_once: bool = False) -> None:
        announce(self, self.words(), at_once=at_once)

    def words(self) -> str:
        return f"{self._message.toPlainText()} {self._hint.toPlainText()}".strip()

    def dismiss(self) -> None:
        if self.isAncestorOf(QApplication.focusWidget() or self):
            self._focus_before.restore_focus()
        self.hide()
        self.dismissed.emit()

    def _show_mark(self) -> None:
        theme = current_theme()
        name, colour = ("warning", theme.warning) if self._is_warning else ("info", theme.text_muted)
        mark = icon(name, colour, theme.line)
        self._mark.setPixmap(mark.pixmap(QSize(ICON_SIZE, ICON_SIZE), self.devicePixelRatioF()))

    def _apply_theme(self) -> None:
        theme = current_theme()
        self._show_mark()
        self.setStyleSheet(
            f"QTextEdit {{ background: transparent; border: none; color: {theme.text_muted.name()};"
            f" font-size: {scaled_px(self._text_px)}px; }}"
        )
        weight = 600 if self._has_frame else 400
        self._message.setStyleSheet(f"QTextEdit {{ color: {theme.text.name()}; font-weight: {weight}; }}")

    def _arrange(self, can_close: bool) -> None:
        top = _BESIDE_CLOSE if can_close else 0
        self._row.add_stretch()
        self._row.setContentsMargins(0, GRID // 2, 0, 0)
        self._mark.setVisible(self._has_frame)
        self._mark.setContentsMargins(0, max(0, top - 1), 0, 0)
        self._close.setVisible(can_close)
        self._words = QVBoxLayout()
        self._words.setContentsMargins(0, top, 0, 0)
        self._words.setSpacing(GRID // 2)
        for part in (self._message, self._hint, self._row):
            self._words.addWidget(part)
        layout = QHBoxLayout(self)
        if not self._has_frame:
            layout.setContentsMargins(0, GRID // 2, 0, 0)
        elif can_close:
            layout.setContentsMargins(2 * GRID, GRID, GRID, 3 * GRID // 2)
        else:
            layout.setContentsMargins(3 * GRID // 2, 3 * GRID // 2, 3 * GRID // 2, 3 * GRID // 2)
        layout.setSpacing(3 * GRID // 2 if can_close else GRID)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(self._words, 1)
        layout.addWidget(self._close, 0, Qt.AlignmentFlag.AlignTop)

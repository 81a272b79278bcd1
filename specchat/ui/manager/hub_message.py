"""What a list has to say over its cards or in their place, and what can be done."""

from collections.abc import Sequence
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from specchat.domain.errors import HubAbsentError, HubAccessError, HubOfflineError, UserError
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.fields import heading, muted
from specchat.ui.widgets.icons import SIZE, icon
from specchat.ui.widgets.theme import GRID, Theme
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.said import in_words


class Way(StrEnum):
    """Out of it."""

    LARGER = "larger"
    FURTHER = "further"
    PAGE = "page"
    TOKEN = "token"
    AGAIN = "again"
    HERE = "here"


_OF_HINTS = {"{page}": Way.PAGE, "{tokens}": Way.TOKEN}


def ways_out(error: UserError) -> tuple[Way, ...]:
    match error:
        case HubOfflineError():
            return (Way.AGAIN, Way.HERE)
        case HubAccessError() | HubAbsentError():
            return (*(way for field, way in _OF_HINTS.items() if field in error.hint.template), Way.AGAIN)
    return (Way.AGAIN,)


class HubMessage(QFrame):
    chosen = Signal(Way)

    def __init__(self, object_name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._is_warning = theme, False
        self._mark = QLabel(self)
        self._message, self._hint = heading("", self), muted("", self)
        self._buttons = {way: TextButton(words, self) for way, words in self._words().items()}
        self._row = WrappingRow(self)
        self.setObjectName(object_name)
        self.setProperty("card", True)
        self._arrange()
        self.set_theme(theme)
        self.hide()

    def words(self) -> str:
        return f"{self._message.text()} {self._hint.text()}".strip()

    def show_message(self, message: str, hint: str = "", ways: Sequence[Way] = (), *, is_warning: bool = False) -> None:
        self._is_warning = is_warning
        self._message.setText(message)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        for way, button in self._buttons.items():
            button.setVisible(way in ways)
        self._row.setVisible(bool(ways))
        self._show_mark()
        self.setAccessibleName(message)
        self.setAccessibleDescription(hint)
        self.show()
        self._row.arrange()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words()))

    def show_error(self, error: UserError) -> None:
        self.show_message(in_words(error.message), in_words(error.hint), ways_out(error), is_warning=True)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show_mark()

    def _show_mark(self) -> None:
        name = "warning" if self._is_warning else "info"
        colour = self._theme.warning if self._is_warning else self._theme.text_muted
        mark = icon(name, colour, self._theme.line)
        self._mark.setPixmap(mark.pixmap(QSize(SIZE, SIZE), self.devicePixelRatioF()))

    def _words(self) -> dict[Way, str]:
        return {
            Way.LARGER: self.tr("Show without filters"),
            Way.FURTHER: self.tr("Look further"),
            Way.PAGE: self.tr("Open the licence's page"),
            Way.TOKEN: self.tr("Enter a token"),
            Way.AGAIN: self.tr("Try again"),
            Way.HERE: self.tr("Models on this computer"),
        }

    def _arrange(self) -> None:
        self._row.setContentsMargins(0, GRID // 2, 0, 0)
        for way, button in self._buttons.items():
            button.setObjectName(f"hubWay_{way.name.lower()}")
            button.clicked.connect(partial(self.chosen.emit, way))
            self._row.add(button)
        self._row.add_stretch()
        words = QVBoxLayout()
        words.setSpacing(GRID // 2)
        for label in (self._message, self._hint):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setWordWrap(True)
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            words.addWidget(label)
        words.addWidget(self._row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(GRID * 3 // 2, GRID * 3 // 2, GRID * 3 // 2, GRID * 3 // 2)
        layout.setSpacing(GRID)
        layout.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)

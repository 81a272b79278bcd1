"""A message shown above or instead of a Hub list, with buttons for possible actions."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from specchat.domain.errors import HubAccessError, HubNotFoundError, HubOfflineError, UserError
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import heading_label, muted_label
from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.wrapping_row import WrappingRow
from specchat.ui.words.message_translation import translate_text


class HubAction(StrEnum):
    """Out of it."""

    LARGER = "larger"
    FURTHER = "further"
    PAGE = "page"
    TOKEN = "token"
    AGAIN = "again"
    HERE = "here"


_OF_HINTS = {"{page}": HubAction.PAGE, "{tokens}": HubAction.TOKEN}


def recovery_actions(error: UserError) -> tuple[HubAction, ...]:
    match error:
        case HubOfflineError():
            return (HubAction.AGAIN, HubAction.HERE)
        case HubAccessError() | HubNotFoundError():
            return (*(action for field, action in _OF_HINTS.items() if field in error.hint.template), HubAction.AGAIN)
    return (HubAction.AGAIN,)


class HubMessage(QFrame):
    def __init__(self, object_name: str, remedies: Mapping[HubAction, Callable[[], None]], parent: QWidget) -> None:
        """`remedies`: what can be done here, and how; no others are offered."""
        super().__init__(parent)
        self._is_warning = False
        self._mark = QLabel(self)
        self._message, self._hint = heading_label("", self), muted_label("", self)
        self._buttons = {action: TextButton(self._words()[action], self) for action in HubAction if action in remedies}
        self._row = WrappingRow(self)
        self.setObjectName(object_name)
        self.setProperty("card", True)
        for action, button in self._buttons.items():
            button.clicked.connect(lambda _=False, action=action: remedies[action]())
        self._arrange()
        follow_theme(self._show_mark)
        self.hide()

    def words(self) -> str:
        return f"{self._message.text()} {self._hint.text()}".strip()

    def show_message(
        self, message: str, hint: str = "", actions: Sequence[HubAction] = (), *, is_warning: bool = False
    ) -> None:
        self._is_warning = is_warning
        self._message.setText(message)
        self._hint.setText(hint)
        self._hint.setVisible(bool(hint))
        for action, button in self._buttons.items():
            button.setVisible(action in actions)
        self._row.setVisible(bool(actions))
        self._show_mark()
        self.setAccessibleName(message)
        self.setAccessibleDescription(hint)
        self.show()
        self._row.update_layout()
        announce(self, self.words())

    def show_error(self, error: UserError) -> None:
        self.show_message(
            translate_text(error.message), translate_text(error.hint), recovery_actions(error), is_warning=True
        )

    def _show_mark(self) -> None:
        name = "warning" if self._is_warning else "info"
        colour = current_theme().warning if self._is_warning else current_theme().text_muted
        mark = icon(name, colour, current_theme().line)
        self._mark.setPixmap(mark.pixmap(QSize(ICON_SIZE, ICON_SIZE), self.devicePixelRatioF()))

    def _words(self) -> dict[HubAction, str]:
        return {
            HubAction.LARGER: self.tr("Show without filters"),
            HubAction.FURTHER: self.tr("Look further"),
            HubAction.PAGE: self.tr("Open the licence's page"),
            HubAction.TOKEN: self.tr("Enter a token"),
            HubAction.AGAIN: self.tr("Try again"),
            HubAction.HERE: self.tr("Models on this computer"),
        }

    def _arrange(self) -> None:
        self._row.setContentsMargins(0, GRID // 2, 0, 0)
        for action, button in self._buttons.items():
            button.setObjectName(f"hubWay_{action.name.lower()}")
            self._row.add_widget(button)
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

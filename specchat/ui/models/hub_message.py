"""A message shown above or instead of a Hub list, with buttons for possible actions."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from PySide6.QtWidgets import QWidget

from specchat.domain.errors import HubAccessError, HubNotFoundError, HubOfflineError, UserError
from specchat.ui.widgets.message_card import MessageCard
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


class HubMessage(MessageCard):
    def __init__(self, object_name: str, remedies: Mapping[HubAction, Callable[[], None]], parent: QWidget) -> None:
        """`remedies`: what can be done here, and how; no others are offered."""
        super().__init__(object_name, parent)
        self._actions = {
            action: self.add_button(f"hubWay_{action.name.lower()}", words, remedies[action])
            for action, words in self._labels().items()
            if action in remedies
        }

    def show_actions(
        self, message: str, hint: str, actions: Sequence[HubAction] = (), *, is_warning: bool = False
    ) -> None:
        """The message with what can be done about it."""
        for action, button in self._actions.items():
            button.setVisible(action in actions)
        self.show_message(message, hint, is_warning=is_warning)
        self.announce()

    def show_error(self, error: UserError) -> None:
        self.show_actions(
            translate_text(error.message), translate_text(error.hint), recovery_actions(error), is_warning=True
        )

    def _labels(self) -> dict[HubAction, str]:
        return {
            HubAction.LARGER: self.tr("Show without filters"),
            HubAction.FURTHER: self.tr("Keep searching"),
            HubAction.PAGE: self.tr("Open license page"),
            HubAction.TOKEN: self.tr("Add access token…"),
            HubAction.AGAIN: self.tr("Try again"),
            HubAction.HERE: self.tr("Models on this computer"),
        }

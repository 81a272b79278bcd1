"""Shows why a pair could not be checked, with buttons for possible remedies."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import HubAccessError, UserError
from specchat.domain.hub import page_url
from specchat.ui.widgets.message_card import MessageCard
from specchat.ui.words.message_translation import translate_text


class PairProblemCard(MessageCard):
    retry_requested = Signal()
    web_page_requested = Signal(str)
    token_requested = Signal()

    def __init__(self, object_name: str, parent: QWidget | None = None) -> None:
        super().__init__(object_name, parent)
        self._address = ""
        self._page = self.add_button(f"{object_name}Page", self.tr("Open license page"), self._ask_for_page)
        self._token = self.add_button(f"{object_name}Token", self.tr("Add access token…"), self.token_requested.emit)
        self.add_button(f"{object_name}Again", self.tr("Try again"), self.retry_requested.emit)

    def show_error(self, error: UserError) -> None:
        self._address = _page(error)
        self._page.setVisible(bool(self._address))
        self._token.setVisible(isinstance(error, HubAccessError) and "{tokens}" in error.hint.template)
        self.show_message(translate_text(error.message), translate_text(error.hint))
        self.announce()

    def _ask_for_page(self) -> None:
        self.web_page_requested.emit(self._address)


def _page(error: UserError) -> str:
    """Where access is given."""
    if not isinstance(error, HubAccessError):
        return ""
    repo = error.message.values.get("repo", "")
    return error.hint.values.get("page", page_url(repo) if repo else "")

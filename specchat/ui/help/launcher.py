"""Opens the help, created on first use, at the topic that belongs to what is shown."""

from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.lazy import Lazy
from specchat.ui.session import Session
from specchat.ui.window.main_window import MainWindow
from specchat.ui.words.installed_languages import current_language

if TYPE_CHECKING:
    from specchat.ui.help.page import HelpPage


class HelpLauncher(QObject):
    def __init__(self, session: Session, conversations: ConversationService, window: MainWindow) -> None:
        super().__init__(window)
        self._session, self._conversations, self._window = session, conversations, window
        self.page = Lazy(self._make)

    def open(self) -> None:
        shown, page = self._window.page, self.page()
        if shown is page:
            return
        topic = shown.help_topic if shown is not None else self._chat_topic()
        self._window.show_page(page, over=True)
        page.show_topic(topic)

    def _chat_topic(self) -> str:
        return "getting-started.md" if self._is_new_here() else "window.md"

    def _is_new_here(self) -> bool:
        """With nothing but the demo, and nothing asked yet."""
        has_model = self._session.choice is not None and not self._session.has_demo
        with suppress(UserError):  # damaged chats are no reason to show no help
            return not has_model and all(chat.leaf is None for chat in self._conversations.list_all())
        return False

    def _make(self) -> "HelpPage":
        from specchat.services.program.help_topics import read_topics
        from specchat.ui.help.page import HelpPage

        return HelpPage(read_topics(current_language()), self._window)

"""Searches all chats, or the readable part of a damaged database."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from specchat.domain.conversations import SearchHit
from specchat.domain.errors import DamagedChatsError, UserError
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.services.chat.conversation_service import ConversationService
from specchat.ui.threads.task_queue import TaskQueue


class ChatSearch(QObject):
    found = Signal(list)
    failed = Signal(UserError)

    def __init__(
        self, conversations: ConversationService, damaged_chats: ChatSalvage, logs: Path, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._conversations, self._damaged_chats = conversations, damaged_chats
        self._tasks = TaskQueue(logs, self)
        self._query = ""
        self.is_damaged = False
        """As far as specchat knows."""

    def search(self, query: str) -> None:
        """Emits `found` later if the database is damaged, because reading it takes time."""
        self._query = query
        if not self.is_damaged:
            try:
                self.found.emit(self._conversations.search(query))
            except DamagedChatsError:
                self.is_damaged = True
        if self.is_damaged:
            self._tasks.run(partial(self._readable, query), partial(self._show, query), self.failed.emit)

    def close(self) -> None:
        self._tasks.close()

    def _readable(self, query: str) -> list[SearchHit]:
        if query != self._query:  # more was typed meanwhile
            return []
        with self._damaged_chats.open_readable() as kept:
            return kept.conversations.search(query)

    def _show(self, query: str, hits: list[SearchHit]) -> None:
        if query == self._query:
            self.found.emit(hits)

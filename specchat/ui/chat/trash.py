"""What was deleted, chats and messages: taken back at once, or later from the trash."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from specchat.domain.conversations import Conversation, Deleted
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import DeletedMessage, Messages
from specchat.ui.chat.chat_list import ChatList
from specchat.ui.chat.open_chat import OpenChat


class Trash(QObject):
    noticed = Signal(str, str, object)
    """What was deleted, the name of what can be done about it, and how."""
    settled = Signal(object)
    """How to undo what is undone, or can no longer be."""

    def __init__(
        self, conversations: Conversations, messages: Messages, chat: OpenChat, chat_list: ChatList, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._conversations, self._messages = conversations, messages
        self._chat, self._list = chat, chat_list
        self._undoing: dict[tuple[int, int | None], Callable[[], None]] = {}
        """By the chat, and what was deleted of it; None: all."""
        chat.deleted.connect(self._offer_messages)
        chat_list.deleted.connect(self._offer_chat)
        chat_list.refreshed.connect(self._forget_settled)

    def contents(self) -> list[Deleted]:
        """What was deleted last comes first."""
        contents: list[Deleted] = [*self._conversations.trash(), *self._messages.trash()]
        return sorted(contents, key=lambda deleted: deleted.trashed or 0.0, reverse=True)

    def restore(self, deleted: Deleted) -> None:
        if isinstance(deleted, Conversation):
            self._restore_chat(deleted.id)
            return
        with self._chat.telling():
            self._messages.restore(deleted)
            self._list.refresh()
            self._chat.open(deleted.conversation, deleted.message)

    def delete_for_good(self, deleted: Deleted) -> None:
        with self._chat.telling():
            if isinstance(deleted, Conversation):
                self._conversations.delete_for_good(deleted.id)
            else:
                self._messages.delete_for_good(deleted)
            self._list.refresh()

    def empty(self) -> None:
        with self._chat.telling():
            self._conversations.empty_trash()
            self._list.refresh()

    def _offer_chat(self, conversation: int) -> None:
        self._offer(self.tr("Chat deleted"), (conversation, None), partial(self._restore_chat, conversation))

    def _offer_messages(self, conversation: int, deleted: DeletedMessage, n_seen: int) -> None:
        """Other versions go as well, but nobody saw them there."""
        words = self.tr("Message deleted")
        if n_seen == 2:
            words = self.tr("Message and the one after it deleted")
        elif n_seen > 2:
            words = self.tr("Message and the {n} after it deleted").format(n=n_seen - 1)
        self._offer(words, (conversation, deleted.message), partial(self._undo, conversation, deleted))
        self._list.refresh()

    def _offer(self, words: str, place: tuple[int, int | None], undo: Callable[[], None]) -> None:
        self._undoing[place] = undo
        self.noticed.emit(words, self.tr("Undo"), undo)

    def _restore_chat(self, conversation: int) -> None:
        with self._chat.telling():
            self._conversations.restore(conversation)
            self._list.refresh()
            self._chat.open(conversation)

    def _undo(self, conversation: int, deleted: DeletedMessage) -> None:
        """What was shown then is shown again."""
        with self._chat.telling():
            self._messages.undo(deleted)
            self._list.refresh()
            self._chat.open(conversation)

    def _forget_settled(self) -> None:
        """What is no longer in the trash, and no part of a chat that is."""
        if not self._undoing:
            return
        with self._chat.telling():
            chats = {chat.id for chat in self._conversations.trash()}
            messages = {deletion.message for deletion in self._messages.trash()}
            for conversation, message in list(self._undoing):
                if conversation not in chats and message not in messages:
                    self.settled.emit(self._undoing.pop((conversation, message)))

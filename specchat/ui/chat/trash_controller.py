"""Restores deleted chats and messages, by undo or from the trash, and empties the trash."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from specchat.domain.conversations import Conversation, TrashItem
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import DeletedMessage, MessageService
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.sidebar.chat_list_controller import ChatListController
from specchat.ui.window.notification_controller import NotificationController


class TrashController(QObject):
    def __init__(
        self,
        conversations: ConversationService,
        messages: MessageService,
        chat: ChatController,
        chat_list: ChatListController,
        notifications: NotificationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._conversations, self._messages = conversations, messages
        self._chat, self._list, self._notifications = chat, chat_list, notifications
        self._undoing: dict[tuple[int, int | None], Callable[[], None]] = {}
        """By the chat, and what was deleted of it; None: all."""
        chat.message_deleted.connect(self._offer_messages)
        chat_list.deleted.connect(self._offer_chat)
        chat_list.refreshed.connect(self._forget_settled)

    def contents(self) -> list[TrashItem]:
        """Lists deleted items, the latest first."""
        contents: list[TrashItem] = [*self._conversations.list_trash(), *self._messages.list_trash()]
        return sorted(contents, key=lambda deleted: deleted.trashed or 0.0, reverse=True)

    def restore(self, deleted: TrashItem) -> None:
        if isinstance(deleted, Conversation):
            self._restore_chat(deleted.id)
            return
        with self._chat.reporting_errors():
            self._messages.restore(deleted)
            self._list.refresh()
            self._chat.open(deleted.conversation, deleted.message)

    def delete_permanently(self, deleted: TrashItem) -> None:
        with self._chat.reporting_errors():
            if isinstance(deleted, Conversation):
                self._conversations.delete_permanently(deleted.id)
            else:
                self._messages.delete_permanently(deleted)
            self._list.refresh()

    def empty_trash(self) -> None:
        with self._chat.reporting_errors():
            self._conversations.empty_trash()
            self._list.refresh()

    def _offer_chat(self, conversation: int) -> None:
        self._offer(self.tr("Chat moved to the trash"), (conversation, None), partial(self._restore_chat, conversation))

    def _offer_messages(self, conversation: int, deleted: DeletedMessage, n_seen: int) -> None:
        """Other versions go as well, but nobody saw them there."""
        words = self.tr("Message moved to the trash")
        if n_seen == 2:
            words = self.tr("Message and the one after it moved to the trash")
        elif n_seen > 2:
            words = self.tr("Message and the {n} after it moved to the trash").format(n=n_seen - 1)
        self._offer(words, (conversation, deleted.message), partial(self._undo, conversation, deleted))
        self._list.refresh()

    def _offer(self, words: str, place: tuple[int, int | None], undo: Callable[[], None]) -> None:
        self._undoing[place] = undo
        self._notifications.show_undo_notice(words, undo)

    def _restore_chat(self, conversation: int) -> None:
        with self._chat.reporting_errors():
            self._conversations.restore(conversation)
            self._list.refresh()
            self._chat.open(conversation)

    def _undo(self, conversation: int, deleted: DeletedMessage) -> None:
        """What was shown then is shown again."""
        with self._chat.reporting_errors():
            self._messages.undo_delete(deleted)
            self._list.refresh()
            self._chat.open(conversation)

    def _forget_settled(self) -> None:
        """What is no longer in the trash, and no part of a chat that is."""
        if not self._undoing:
            return
        with self._chat.reporting_errors():
            chats = {chat.id for chat in self._conversations.list_trash()}
            messages = {deletion.message for deletion in self._messages.list_trash()}
            for conversation, message in list(self._undoing):
                if conversation not in chats and message not in messages:
                    self._notifications.discard_undo(self._undoing.pop((conversation, message)))

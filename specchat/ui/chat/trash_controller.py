"""Restores deleted chats, messages and projects, by undo or from the trash, and empties the trash."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject

from specchat.domain.conversations import Conversation
from specchat.domain.projects import Project, TrashItem
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import DeletedMessage, MessageService
from specchat.services.chat.project_service import ProjectService
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.sidebar.chat_list_controller import ChatListController
from specchat.ui.window.notification_controller import NotificationController


@dataclass(frozen=True, slots=True)
class _Deleted:
    """What was deleted together."""

    chats: tuple[int, ...] = ()
    """Of a message, the chat that it is in."""
    message: int | None = None
    project: int | None = None


class TrashController(QObject):
    def __init__(
        self,
        conversations: ConversationService,
        messages: MessageService,
        projects: ProjectService,
        chat: ChatController,
        chat_list: ChatListController,
        notifications: NotificationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._conversations, self._messages, self._projects = conversations, messages, projects
        self._chat, self._list, self._notifications = chat, chat_list, notifications
        self._undoing: dict[_Deleted, Callable[[], None]] = {}
        chat.message_deleted.connect(self._offer_messages)
        chat_list.deleted.connect(self._offer_chats)
        chat_list.refreshed.connect(self._forget_settled)

    def contents(self) -> list[TrashItem]:
        """Lists deleted items, the latest first."""
        contents: list[TrashItem] = [
            *self._projects.list_trash(),
            *self._conversations.list_trash(),
            *self._messages.list_trash(),
        ]
        return sorted(contents, key=lambda deleted: deleted.trashed or 0.0, reverse=True)

    def restore(self, deleted: TrashItem) -> None:
        match deleted:
            case Conversation():
                self._restore_chats([deleted.id])
            case Project():
                with self._chat.reporting_errors():
                    self._restore_project(deleted.id, self._projects.chats_deleted_with(deleted.id))
            case _:
                with self._chat.reporting_errors():
                    self._messages.restore(deleted)
                    self._list.refresh()
                    self._chat.open(deleted.conversation, deleted.message)

    def delete_permanently(self, deleted: TrashItem) -> None:
        with self._chat.reporting_errors():
            match deleted:
                case Conversation():
                    self._conversations.delete_permanently(deleted.id)
                case Project():
                    self._projects.delete_permanently(deleted.id)
                case _:
                    self._messages.delete_permanently(deleted)
            self._list.refresh()

    def empty_trash(self) -> None:
        with self._chat.reporting_errors():
            self._conversations.empty_trash()
            self._list.refresh()

    def offer_project(self, project: int, chats: Sequence[int]) -> None:
        """`chats`: that were deleted with it."""
        words = self.tr("Project moved to the trash")
        if chats:
            words = self.tr("Project and its chats moved to the trash")
        undo = partial(self._restore_project, project, chats)
        self._offer(words, _Deleted(tuple(chats), project=project), undo)

    def _offer_chats(self, conversations: list[int]) -> None:
        words = self.tr("Chat moved to the trash")
        if len(conversations) > 1:
            words = self.tr("{n} chats moved to the trash").format(n=len(conversations))
        self._offer(words, _Deleted(tuple(conversations)), partial(self._restore_chats, conversations))

    def _offer_messages(self, conversation: int, deleted: DeletedMessage, n_seen: int) -> None:
        """Other versions go as well, but nobody saw them there."""
        words = self.tr("Message moved to the trash")
        if n_seen == 2:
            words = self.tr("Message and the one after it moved to the trash")
        elif n_seen > 2:
            words = self.tr("Message and the {n} after it moved to the trash").format(n=n_seen - 1)
        place = _Deleted((conversation,), deleted.message)
        self._offer(words, place, partial(self._undo, conversation, deleted))
        self._list.refresh()

    def _offer(self, words: str, deleted: _Deleted, undo: Callable[[], None]) -> None:
        self._undoing[deleted] = undo
        self._notifications.show_undo_notice(words, undo)

    def _restore_chats(self, conversations: Sequence[int]) -> None:
        """Those that are still in the trash."""
        with self._chat.reporting_errors():
            kept = {chat.id for chat in self._conversations.list_trash()}
            left = [each for each in conversations if each in kept] or conversations[:1]
            self._conversations.restore(*left)
            self._list.refresh()
            self._chat.open(left[0])

    def _restore_project(self, project: int, chats: Sequence[int]) -> None:
        with self._chat.reporting_errors():
            self._projects.restore(project)
            if chats:
                self._restore_chats(chats)
            else:
                self._list.refresh()
                self._chat.refresh()

    def _undo(self, conversation: int, deleted: DeletedMessage) -> None:
        """What was shown then is shown again."""
        with self._chat.reporting_errors():
            self._messages.undo_delete(deleted)
            self._list.refresh()
            self._chat.open(conversation, deleted.message)

    def _forget_settled(self) -> None:
        """What is no longer in the trash, and no part of a chat that is."""
        if not self._undoing:
            return
        with self._chat.reporting_errors():
            chats = {chat.id for chat in self._conversations.list_trash()}
            messages = {deletion.message for deletion in self._messages.list_trash()}
            projects = {project.id for project in self._projects.list_trash()}
            for deleted in list(self._undoing):
                is_kept = deleted.message in messages or deleted.project in projects
                if not is_kept and chats.isdisjoint(deleted.chats):
                    self._notifications.discard_undo(self._undoing.pop(deleted))

"""Controls the list of conversations in the sidebar."""

import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.project_service import ProjectService
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.session import Session
from specchat.ui.sidebar.chat_search import ChatSearch
from specchat.ui.sidebar.sidebar import Sidebar
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.chat_titles import display_title


class ChatListController(QObject):
    deleted = Signal(list)
    refreshed = Signal()
    """The list or the trash may have changed."""
    hit_opened = Signal(str, int)
    """The query, and the message that contains it."""

    def __init__(
        self,
        session: Session,
        conversations: ConversationService,
        projects: ProjectService,
        answers: RunningAnswers,
        chat: ChatController,
        search: ChatSearch,
        sidebar: Sidebar,
        notifications: NotificationController,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._session, self._answers = session, answers
        self._conversations, self._projects = conversations, projects
        self._chat, self._search, self._sidebar, self._notifications = chat, search, sidebar, notifications
        self._query = ""
        self._is_filled = False
        self._asking: frozenset[int] = frozenset()
        """The conversations in which a tool waits for consent."""
        chat.list_changed.connect(self.refresh)
        session.conversation_changed.connect(self._select)
        chat.chat_left.connect(self._look_for_unsent)
        session.path_changed.connect(self._update_asking)
        answers.changed.connect(self._update_asking)
        answers.prompt_read.connect(self._show_running)
        sidebar.new_chat_requested.connect(self.new_chat)
        sidebar.list.open_requested.connect(chat.open)
        sidebar.list.hit_open_requested.connect(self._open_hit)
        sidebar.list.renamed.connect(self._rename)
        sidebar.list.pin_toggled.connect(self._toggle_pin)
        sidebar.list.delete_requested.connect(lambda chats: self.delete(*chats))
        sidebar.search_changed.connect(self._search_for)
        search.found.connect(sidebar.show_hits)
        search.failed.connect(notifications.show_error)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._look_again)

    def new_chat(self) -> None:
        self.end_search()  # it would hide the chat
        self._chat.new_chat()

    def end_search(self) -> None:
        self._sidebar.end_search()

    def refresh(self) -> None:
        self._is_filled = True
        with self._chat.reporting_errors():
            if self._query:
                self._search.search(self._query)
            else:
                listed = [replace(each, title=display_title(each)) for each in self._conversations.list_all()]
                self._sidebar.show_conversations(listed, time.time(), self._projects.list_all())
            self._update_asking()
        self.refreshed.emit()

    def _look_again(self, state: Qt.ApplicationState) -> None:
        """Refreshes when the window becomes active, because commands may have added chats."""
        if state is Qt.ApplicationState.ApplicationActive and self._is_filled and not self._query:
            self.refresh()

    def refresh_after_external_change(self) -> None:
        """Refreshes after another program changed the chats. A search isn't repeated while an answer is written."""
        if not self._is_filled:
            return
        if not self._query or self._answers.current() is None:
            self.refresh()
        with self._chat.reporting_errors():
            if self._chat.is_deleted():
                self._leave_deleted()
            else:
                self._chat.sync_with_store()

    def _leave_deleted(self) -> None:
        """Opens a new chat, and keeps the unsent message."""
        gone = self._session.conversation
        if gone is not None:
            self._answers.stop(gone.id)
            self._chat.detach_conversation()
            self.new_chat()
            self._notifications.show_error(
                UserError(
                    self.tr("Another program deleted the open chat."), self.tr("You can restore it from the trash.")
                )
            )

    def _look_for_unsent(self) -> None:
        """Refreshes if the unsent message of the chat that was left has changed."""
        left = self._session.conversation
        if left is not None:
            with self._chat.reporting_errors():
                now = self._conversations.get(left.id)
                if (now.unsent_text, now.has_unsent_files) != (left.unsent_text, left.has_unsent_files):
                    self.refresh()

    def _update_asking(self) -> None:
        self._asking = self._conversations.list_awaiting_consent() - self._chat.calling
        self._show_running()

    def _show_running(self) -> None:
        """The model, or a tool for it."""
        begun, waiting = self._answers.conversations()
        self._sidebar.list.set_running(begun | self._chat.calling, waiting, self._asking)

    def open_neighbour(self, step: int) -> None:
        listed = self._sidebar.listed_chats
        shown = self._session.conversation
        if listed and shown is not None:
            at = listed.index(shown.id) if shown.id in listed else 0
            self._chat.open(listed[(at + step) % len(listed)])

    def delete(self, *conversations: int) -> None:
        with self._chat.reporting_errors():
            self.put_into_trash(conversations)
            self.deleted.emit(list(conversations))

    def put_into_trash(self, conversations: Sequence[int], now: float | None = None) -> None:
        """`now`: see `ConversationService.delete`."""
        for conversation in conversations:
            self._answers.stop(conversation)
        self._conversations.delete(*conversations, now=now)
        self._after_delete(conversations)

    def _select(self) -> None:
        if self._session.conversation is not None:
            self._sidebar.list.select(self._session.conversation.id)

    def _open_hit(self, conversation: int, message: int) -> None:
        self._chat.open(conversation, None if message < 0 else message)
        if not self._session.is_open(conversation):
            return
        begins = self._session.path[0].id if self._session.path else None
        has_words = begins if message < 0 else message  # most titles are the first question
        if has_words is not None:
            self.hit_opened.emit(self._query, has_words)

    def _search_for(self, query: str) -> None:
        self._query = query.strip()
        self.refresh()

    def _rename(self, conversation: int, title: str) -> None:
        with self._chat.reporting_errors():
            self._conversations.rename(conversation, title)
            self._changed(conversation)

    def _toggle_pin(self, conversation: int) -> None:
        with self._chat.reporting_errors():
            self._conversations.pin(conversation, not self._conversations.get(conversation).pinned)
            self._changed(conversation)

    def _after_delete(self, conversations: Sequence[int]) -> None:
        self.refresh()
        if not any(map(self._session.is_open, conversations)):
            return
        left = self._conversations.list_all()
        if left:
            self._chat.open(left[0].id)
        else:
            self.new_chat()

    def _changed(self, conversation: int) -> None:
        self.refresh()
        if self._session.is_open(conversation):
            self._chat.refresh()

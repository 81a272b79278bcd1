"""Saves what is typed and attached but not sent, and retries after a storage error such as a full disk."""

from contextlib import suppress

from PySide6.QtCore import QObject, QTimer

from specchat.domain.conversations import Attached, Conversation
from specchat.domain.errors import DeletedChatError, StorageBusyError, StorageError, UserError
from specchat.services.chat.conversation_service import ConversationService
from specchat.ui.composer.composer import Composer
from specchat.ui.session import Session
from specchat.ui.window.notification_controller import NotificationController

_RETRY_MS = 2000


class UnsentMessages(QObject):
    """Saves the unsent message of the open chat, and those of chats that were left before theirs could be saved."""

    def __init__(
        self,
        session: Session,
        conversations: ConversationService,
        composer: Composer,
        notifications: NotificationController,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._conversations = session, conversations
        self._composer, self._notifications = composer, notifications
        self._is_text_saved = True
        """Whether the text of the open chat is stored."""
        self._saved_files: tuple[Attached, ...] = ()
        """The attachments of the open chat that are stored."""
        self._texts_left: dict[int, str] = {}
        self._files_left: dict[int, tuple[Attached, ...]] = {}
        """What is still to be saved in chats that were left."""
        self._retry = QTimer(self, interval=_RETRY_MS)
        self._retry.timeout.connect(self._try_again)
        composer.unsent_text_changed.connect(self._save_reporting)
        composer.attachments_changed.connect(self._save_attachments)

    def show_text(self, conversation: Conversation) -> None:
        """Puts the unsent text into the composer, before its conversation is opened."""
        text = self._texts_left.pop(conversation.id, None)
        self._composer.set_text(conversation.unsent_text if text is None else text)
        self._is_text_saved = text is None

    def show_attachments(self, stored: tuple[Attached, ...], conversation: int) -> None:
        """Puts the attachments into the composer, once their conversation is open."""
        self._saved_files = stored
        self._composer.set_attachments(self._files_left.pop(conversation, stored))
        if not self._is_text_saved:
            self._save_reporting(self._composer.text)

    def leave(self) -> None:
        """Keeps what can't be saved when another chat is opened."""
        self._composer.flush()
        left = self._session.conversation
        if left is not None and self._composer.attachments != self._saved_files:
            self._files_left[left.id] = self._composer.attachments
        if left is not None and not self._is_text_saved:
            self._texts_left[left.id] = self._composer.text

    def save(self) -> None:
        """Saves the message of the open chat again, since that may have failed."""
        self._save(self._composer.unsent_text)

    def save_all(self) -> None:
        if not self._is_saved:
            self.save()
        self._save_left()

    def retry_after(self, error: UserError) -> None:
        """Doesn't retry while another program has the file, because each attempt would stall the window."""
        if isinstance(error, StorageError) and not isinstance(error, StorageBusyError):
            self._retry.start()

    def close(self) -> None:
        self._retry.stop()

    # Implementation

    @property
    def _is_saved(self) -> bool:
        """A text that is only stored in an older form, but is deleted now, is no loss."""
        text_is_saved = self._is_text_saved or not self._composer.unsent_text.strip()
        return text_is_saved and (self._composer.is_editing or self._composer.attachments == self._saved_files)

    def _save_reporting(self, text: str) -> None:
        try:
            self._save(text)
        except UserError as error:
            self._notifications.show_error(error)
            self.retry_after(error)

    def _save_attachments(self, files: tuple[Attached, ...]) -> None:
        if not self._composer.is_editing and files != self._saved_files:
            self._save_reporting(self._composer.text)

    def _save(self, text: str) -> None:
        if self._session.conversation is None:
            return
        conversation = self._session.conversation.id
        self._is_text_saved = False
        self._conversations.save_unsent_text(conversation, text)
        self._is_text_saved = True
        files = self._composer.attachments
        if not self._composer.is_editing and files != self._saved_files:
            self._conversations.save_unsent_files(conversation, files)
            self._saved_files = files
        if self._texts_left or self._files_left:
            self._retry.start()
        else:
            self._end_retry()

    def _save_left(self) -> None:
        for conversation, text in list(self._texts_left.items()):
            with suppress(DeletedChatError):
                self._conversations.save_unsent_text(conversation, text)
            del self._texts_left[conversation]
        for conversation, files in list(self._files_left.items()):
            with suppress(DeletedChatError):
                self._conversations.save_unsent_files(conversation, files)
            del self._files_left[conversation]

    def _try_again(self) -> None:
        try:
            self.save()
            self._save_left()
            self._end_retry()
        except StorageError as error:
            if isinstance(error, StorageBusyError):
                self._retry.stop()
        except UserError:
            self._retry.stop()

    def _end_retry(self) -> None:
        self._retry.stop()
        self._notifications.dismiss_error_type(StorageError)

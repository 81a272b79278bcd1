"""Retries saving the unsent message after a storage error such as a full disk."""

from PySide6.QtCore import QObject, QTimer

from specchat.domain.errors import StorageBusyError, StorageError, UserError
from specchat.ui.chat.chat_controller import ChatController

_EVERY_MS = 2000


class UnsentTextRetry(QObject):
    def __init__(self, chat: ChatController, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._again = QTimer(self, interval=_EVERY_MS)
        self._again.timeout.connect(self._try_again)
        chat.unsent_text_saved.connect(self._again.stop)

    def handle_error(self, error: UserError) -> None:
        """While another program has the file, each attempt would stall the window."""
        if isinstance(error, StorageError) and not isinstance(error, StorageBusyError):
            self._again.start()

    def _try_again(self) -> None:
        try:
            self._chat.save_unsent_text()
        except StorageError as error:
            if isinstance(error, StorageBusyError):
                self._again.stop()
        except UserError:
            self._again.stop()

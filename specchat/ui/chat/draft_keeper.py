"""A full disk gets room again, and nothing tells: what was typed is tried again until it is kept."""

from PySide6.QtCore import QObject, QTimer

from specchat.domain.errors import StorageBusyError, StorageError, UserError
from specchat.ui.chat.open_chat import OpenChat

_EVERY_MS = 2000


class DraftKeeper(QObject):
    def __init__(self, chat: OpenChat, parent: QObject) -> None:
        super().__init__(parent)
        self._chat = chat
        self._again = QTimer(self, interval=_EVERY_MS)
        self._again.timeout.connect(self._try_again)
        chat.kept.connect(self._again.stop)

    def hear(self, error: UserError) -> None:
        """While another program has the file, each attempt would stall the window."""
        if isinstance(error, StorageError) and not isinstance(error, StorageBusyError):
            self._again.start()

    def _try_again(self) -> None:
        try:
            self._chat.keep_draft()
        except StorageError as error:
            if isinstance(error, StorageBusyError):
                self._again.stop()
        except UserError:
            self._again.stop()

"""Retries saving the unsent message after a storage error such as a full disk."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from specchat.domain.errors import StorageBusyError, StorageError, UserError

_EVERY_MS = 2000


class UnsentTextRetry(QObject):
    def __init__(self, save: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._save = save
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._try_again)

    def handle_error(self, error: UserError) -> None:
        """While another program has the file, each attempt would stall the window."""
        if isinstance(error, StorageError) and not isinstance(error, StorageBusyError):
            self.start()

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _try_again(self) -> None:
        try:
            self._save()
        except StorageError as error:
            if isinstance(error, StorageBusyError):
                self._timer.stop()
        except UserError:
            self._timer.stop()

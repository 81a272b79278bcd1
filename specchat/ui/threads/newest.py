"""Work away from the window of which only the newest counts."""

from collections.abc import Callable
from contextlib import suppress
from itertools import cycle

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.ui.threads.tasks import Tasks

Tell = Callable[[Callable[[], None]], None]
"""What is to be called in the window's thread, unless there is newer work by then."""
Work = Callable[[CancelToken, Tell], None]


class Newest(QObject):
    _told = Signal(object, object)

    def __init__(self, *tasks: Tasks, parent: QObject | None = None) -> None:
        """Several take turns: what takes its time to stop then holds up nothing newer."""
        super().__init__(parent)
        self._turns = cycle(tasks)
        self._cancel = CancelToken()
        self._told.connect(self._hear, Qt.ConnectionType.QueuedConnection)

    def begin(self, work: Work, failed: Callable[[UserError], None]) -> None:
        self.stop()
        cancel = self._cancel = CancelToken()

        def run() -> None:
            with suppress(Cancelled):
                cancel.check()
                work(cancel, lambda callback: self._told.emit(cancel, callback))

        def fail(error: UserError) -> None:
            if not cancel.cancelled:
                failed(error)

        next(self._turns).run(run, lambda _: None, fail)

    def stop(self) -> None:
        self._cancel.cancel()

    def _hear(self, cancel: CancelToken, callback: Callable[[], None]) -> None:
        if not cancel.cancelled:
            callback()

"""Runs background work and drops the results of all but the latest call."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.ui.threads.task_queue import TaskQueue

PostCallback = Callable[[Callable[[], None]], None]
"""A call for the window's thread, dropped if there is newer work by then."""
BackgroundWork = Callable[[CancelToken, PostCallback], None]


class LatestTask(QObject):
    _posted = Signal(object, object)

    def __init__(self, tasks: TaskQueue, parent: QObject | None = None) -> None:
        """With a parallel queue, what takes its time to stop holds up nothing newer."""
        super().__init__(parent)
        self._tasks = tasks
        self._cancel = CancelToken()
        self._posted.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def start(self, work: BackgroundWork, failed: Callable[[UserError], None]) -> None:
        self.stop()
        cancel = self._cancel = CancelToken()
        run = partial(work, cancel, lambda callback: self._posted.emit(cancel, callback))
        self._tasks.run(run, lambda _: None, failed, cancel)

    def stop(self) -> None:
        self._cancel.cancel()

    def _call(self, cancel: CancelToken, callback: Callable[[], None]) -> None:
        if not cancel.cancelled:
            callback()

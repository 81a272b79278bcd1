"""Runs blocking work in the background, one task or a few at a time, and reports in the main thread."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.internal_errors import wrap_internal_errors

T = TypeVar("T")


class TaskQueue(QObject):
    _finished = Signal(object, object)

    def __init__(self, logs: Path, parent: QObject | None = None, parallel: int = 1) -> None:
        super().__init__(parent)
        self._logs = logs
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(parallel)
        self._closed = False
        self._finished.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[UserError], None],
        cancel: CancelToken | None = None,
    ) -> None:
        """Once it is cancelled nobody hears of it any more, and if it has not begun it never does."""
        token = cancel or CancelToken()
        # PySide keeps a QRunnable for good that ends before start() returns
        self._pool.start(lambda: self._work(work, done, failed, token))

    def close(self) -> None:
        self._closed = True
        self._pool.clear()
        self._pool.waitForDone()

    def _work(
        self,
        work: Callable[[], T],
        done: Callable[[T], None],
        failed: Callable[[UserError], None],
        cancel: CancelToken,
    ) -> None:
        try:
            cancel.check()
            with wrap_internal_errors(self._logs):
                result = work()
        except Cancelled:
            return
        except UserError as error:
            self._finished.emit(cancel, partial(failed, error))
        else:
            self._finished.emit(cancel, partial(done, result))

    def _call(self, cancel: CancelToken, callback: Callable[[], None]) -> None:
        if not self._closed and not cancel.cancelled:
            callback()

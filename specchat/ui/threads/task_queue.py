"""Runs blocking work in the background, one task or a few at a time, and reports in the main thread."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, QRunnable, Qt, QThreadPool, Signal

from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.internal_errors import wrap_internal_errors

T = TypeVar("T")


class TaskQueue(QObject):
    _finished = Signal(object)

    def __init__(self, logs: Path, parent: QObject | None = None, parallel: int = 1) -> None:
        super().__init__(parent)
        self._logs = logs
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(parallel)
        self._closed = False
        self._finished.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[UserError], None]) -> None:
        self._pool.start(_Runnable(lambda: self._work(work, done, failed)))

    def close(self) -> None:
        self._closed = True
        self._pool.clear()
        self._pool.waitForDone()

    def _work(self, work: Callable[[], T], done: Callable[[T], None], failed: Callable[[UserError], None]) -> None:
        try:
            with wrap_internal_errors(self._logs):
                result = work()
        except Cancelled:
            return
        except UserError as error:
            self._finished.emit(partial(failed, error))
        else:
            self._finished.emit(partial(done, result))

    def _call(self, callback: Callable[[], None]) -> None:
        if not self._closed:
            callback()


class _Runnable(QRunnable):
    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__()
        self._work = work

    def run(self) -> None:
        self._work()

"""What fails by a mistake of our own, also within Qt, is told like any other problem."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Signal

from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.mistakes import explained


class Mistakes(QObject):
    happened = Signal(UserError)
    """Once for each place that fails, in the thread of this object."""

    def __init__(self, logs: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self._known: set[tuple[object, ...]] = set()

    def report_mistake(self, error: BaseException) -> None:
        """From any thread. Stopping is no mistake, and what the user can mend has its own words."""
        if isinstance(error, KeyboardInterrupt):
            QCoreApplication.exit(130)
        elif isinstance(error, UserError):
            self.happened.emit(error)
        elif isinstance(error, Exception) and not isinstance(error, Cancelled) and self._is_new(error):
            self.happened.emit(explained(error, self._logs))

    @contextmanager
    def caught(self) -> Iterator[None]:
        """Qt hands what its slots raise to Python's own hooks."""
        before, before_in_threads = sys.excepthook, threading.excepthook
        sys.excepthook, threading.excepthook = self._hook, self._thread_hook
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook = before, before_in_threads

    def _hook(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        self.report_mistake(error)

    def _thread_hook(self, failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None:
            self.report_mistake(failure.exc_value)

    def _is_new(self, error: Exception) -> bool:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = (type(error), trace.tb_frame.f_code.co_filename if trace else "", trace.tb_lineno if trace else 0)
        is_new = place not in self._known
        self._known.add(place)
        return is_new

"""Reports unexpected exceptions, including those raised in Qt slots, as user errors."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication, QObject, Signal

from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.internal_errors import to_user_error


class ExceptionReporter(QObject):
    error_reported = Signal(UserError)
    """Once for each place that fails, in the thread of this object."""

    def __init__(self, logs: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._logs = logs
        self._known: set[tuple[object, ...]] = set()

    def report_exception(self, error: BaseException) -> None:
        """From any thread. Stopping is no mistake, and what the user can mend has its own words."""
        if isinstance(error, KeyboardInterrupt):
            QCoreApplication.exit(130)
        elif isinstance(error, UserError):
            self.error_reported.emit(error)
        elif isinstance(error, Exception) and not isinstance(error, Cancelled) and self._is_new(error):
            self.error_reported.emit(to_user_error(error, self._logs))

    @contextmanager
    def hooks_installed(self) -> Iterator[None]:
        """Qt hands what its slots raise to Python's own hooks."""
        before, before_in_threads = sys.excepthook, threading.excepthook
        sys.excepthook, threading.excepthook = self._hook, self._thread_hook
        try:
            yield
        finally:
            sys.excepthook, threading.excepthook = before, before_in_threads

    def _hook(self, _kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        self.report_exception(error)

    def _thread_hook(self, failure: threading.ExceptHookArgs) -> None:
        if failure.exc_value is not None:
            self.report_exception(failure.exc_value)

    def _is_new(self, error: Exception) -> bool:
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = (type(error), trace.tb_frame.f_code.co_filename if trace else "", trace.tb_lineno if trace else 0)
        is_new = place not in self._known
        self._known.add(place)
        return is_new

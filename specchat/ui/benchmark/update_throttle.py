"""Throttles live updates so that they hardly affect the measurement."""

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_SHARE = 0.02
"""Of a core."""
_SHORTEST_MS = 1000


class UpdateThrottle:
    """At once after a rest, then at intervals. Its timer runs only while there is something to show."""

    def __init__(self, show: Callable[[], None], parent: QObject) -> None:
        self._show = show
        self._is_due = False
        self._timer = QTimer(parent)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next)

    def request_update(self) -> None:
        self._is_due = True
        if not self._timer.isActive():
            self._next()

    def stop(self) -> None:
        self._is_due = False
        self._timer.stop()

    def _next(self) -> None:
        if self._is_due:
            self._is_due = False
            begun = time.thread_time()
            self._show()
            self._timer.start(max(_SHORTEST_MS, round(1000 * (time.thread_time() - begun) / _SHARE)))

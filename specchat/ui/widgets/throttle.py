"""Limits how often a rapidly changing value is shown."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

T = TypeVar("T")


class Throttle(Generic[T]):
    """The first value at once, then the latest of each interval. Its timer runs only while values come."""

    def __init__(
        self, interval_ms: int, show: Callable[[T], None], parent: QObject, share_of_core: float | None = None
    ) -> None:
        """`share_of_core`: showing takes no more than this share; where it would, the interval becomes longer."""
        self._interval_ms = interval_ms
        self._show = show
        self._share_of_core = share_of_core
        self._waiting: list[T] = []
        self._timer = QTimer(parent)
        self._timer.setSingleShot(True)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self._next)

    def submit(self, value: T) -> None:
        self._waiting = [value]
        if not self._timer.isActive():
            self._next()

    def show_now(self, value: T) -> None:
        self.stop()
        self._show(value)

    def stop(self) -> None:
        self._timer.stop()
        self._waiting = []

    def _next(self) -> None:
        if not self._waiting:
            return
        begun = time.thread_time()
        self._show(self._waiting.pop())
        if self._share_of_core:
            took_ms = 1000 * (time.thread_time() - begun)
            self._timer.setInterval(max(self._interval_ms, round(took_ms / self._share_of_core)))
        self._timer.start()

"""Limits how often a rapidly changing value is shown."""

from collections.abc import Callable
from typing import Generic, TypeVar

from PySide6.QtCore import QObject, QTimer

T = TypeVar("T")


class Throttle(Generic[T]):
    """The first value at once, then the latest of each interval. Its timer runs only while values come."""

    def __init__(self, interval_ms: int, show: Callable[[T], None], parent: QObject) -> None:
        self._show = show
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
        self._timer.stop()
        self._waiting = []
        self._show(value)

    def _next(self) -> None:
        if self._waiting:
            self._show(self._waiting.pop())
            self._timer.start()

"""Cancels one request; a shared flag would lose a Stop pressed before the job begins."""

import ctypes
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from specchat.domain.errors import Cancelled

T = TypeVar("T")


class CancelToken:
    def __init__(self) -> None:
        self._lock = threading.RLock()  # cancel may come from a signal handler
        self._cancelled = False
        self.closing = False
        """Whoever cancels does so because the window is closed."""
        self.flag = ctypes.create_string_buffer(2)
        """A C string, empty until cancelled: what computes without Python can look at it."""
        self._listeners: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        return self._cancelled

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            self.flag[0] = b"!"
            for listener in self._listeners:  # under the lock: none is called once it has stopped listening
                listener()

    def check(self) -> None:
        if self._cancelled:
            raise Cancelled

    def checked(self, items: Iterable[T]) -> Iterator[T]:
        """Checks before each item."""
        for item in items:
            self.check()
            yield item

    def wait(self, seconds: float) -> None:
        woken = threading.Event()
        with self.listening(woken.set):
            woken.wait(seconds)
        self.check()

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call `listener` when cancelled, at once if that already happened."""
        with self._lock:
            self._listeners.append(listener)
            already = self._cancelled
        try:
            if already:
                listener()
            yield
        finally:
            with self._lock:
                self._listeners.remove(listener)

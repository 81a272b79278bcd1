"""Ctrl-C while llama.cpp computes: Python's main thread must be free to see it, so the work runs beside it."""

import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from specchat.domain.cancel import CancelToken

T = TypeVar("T")


@contextmanager
def cancelled_by_ctrl_c() -> Iterator[CancelToken]:
    cancel = CancelToken()

    def on_interrupt(_signal: int, _frame: FrameType | None) -> None:
        cancel.cancel()

    previous = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, previous)


def beside(make: Callable[[], Iterator[T]]) -> Iterator[T]:
    """Iterate in another thread; errors arrive here."""
    items: queue.SimpleQueue[T | BaseException | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            for item in make():
                items.put(item)
            items.put(None)
        except BaseException as error:  # noqa: BLE001 - raised again below
            items.put(error)

    thread = threading.Thread(target=work, name="generation")
    thread.start()
    try:
        while (item := items.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        thread.join()

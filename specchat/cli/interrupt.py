"""Handles Ctrl-C during computation by running the work in another thread."""

import queue
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError

T = TypeVar("T")


@contextmanager
def cancel_on_ctrl_c(*also: signal.Signals) -> Iterator[CancelToken]:
    """The first asks the work to end, the second ends the program. `also`: other signals that mean the same."""
    cancel = CancelToken()
    interrupts: list[int] = []

    def on_interrupt(number: int, _frame: FrameType | None) -> None:
        for each in previous:
            signal.signal(each, signal.SIG_DFL)
        interrupts.append(number)
        cancel.cancel()

    previous = {each: signal.signal(each, on_interrupt) for each in (signal.SIGINT, *also)}
    try:
        yield cancel
    except UserError:
        if interrupts:  # whoever stops the program does not care for what else went wrong
            raise Cancelled from None
        raise
    finally:
        for each, before in previous.items():
            signal.signal(each, before)


def iterate_in_thread(make: Callable[[], Iterator[T]], cancel: CancelToken) -> Generator[T, None, None]:
    """Iterate in another thread; errors arrive here. Nothing of the work goes on after this ends."""
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
        cancel.cancel()
        thread.join()

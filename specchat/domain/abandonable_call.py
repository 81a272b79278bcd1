"""Calls that nothing ends: whoever cancels one leaves it behind."""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Event, Thread
from typing import TypeVar

from specchat.domain.cancel_token import CancelToken

T = TypeVar("T")

_ENDS_WITHIN = 0.2
"""Seconds: most do when they are hung up on."""


def call_abandonably(attempt: Callable[[], T], cancel: CancelToken, name: str) -> T:
    """Such as the search for an address, or the wait for the first byte. `name`: of the thread."""
    answer: Future[T] = Future()
    ended = Event()

    def run() -> None:
        try:
            answer.set_result(attempt())
        except BaseException as error:  # noqa: BLE001 - raised where it is waited for
            answer.set_exception(error)
        ended.set()

    thread = Thread(target=run, name=name, daemon=True)
    with cancel.listening(ended.set):
        thread.start()
        ended.wait()
    thread.join(_ENDS_WITHIN)
    cancel.check()
    return answer.result()

"""HTTP requests that can be cancelled and are retried after temporary failures, with pauses that grow up to a limit."""

import json
import re
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from math import inf
from time import monotonic
from typing import TypeVar

import httpx2
from huggingface_hub import get_session

from specchat.domain.abandonable_call import call_abandonably
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError, HubTemporaryError

T = TypeVar("T")

_RANGE = re.compile(r"bytes (\d{1,18})-\d+/(\d{1,18})")
_SIZE = re.compile(r"\d{1,18}")
_LONGEST_TOLD = 16 << 20


class Clock:
    def now(self) -> float:
        """Seconds."""
        return monotonic()

    def in_seconds(self, seconds: float) -> datetime:
        """What time it will be then."""
        return datetime.now() + timedelta(seconds=seconds)

    def wait(self, seconds: float, cancel: CancelToken) -> None:
        cancel.wait(seconds)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    tries: int = 5
    first_wait: float = 0.5
    """Before the second try; it doubles with each."""
    longest_wait: float = 20
    """Whoever asks to wait longer is told to the user instead."""
    longest_pause: float = 60
    """That nobody asked for."""
    gives_up_after: float = 30
    """So many seconds in which nothing came."""
    silence: float = 10
    """So many seconds the other side may say nothing."""
    telling: float = 60
    """So many seconds it may take to say what it knows of models."""


class RetryState:
    """Of one thing."""

    def __init__(self, patience: RetryPolicy, clock: Clock) -> None:
        self._patience, self._clock = patience, clock
        self._in_vain = 0
        self._ends = inf

    def reset(self) -> None:
        """Something did: all the patience is there again."""
        self._in_vain = 0

    def next_pause(self, reason: HubError, tries: int | None = None) -> float:
        """Seconds until the next try. Raises `reason` where there is none."""
        patience, now = self._patience, self._clock.now()
        self._in_vain += 1
        if self._in_vain == 1:
            self._ends = now + patience.gives_up_after
        asked = reason.wait if isinstance(reason, HubTemporaryError) else 0
        is_last = self._in_vain >= (patience.tries if tries is None else tries)
        if is_last or self.seconds_left <= 0 or asked > min(patience.longest_wait, self.seconds_left):
            raise reason from None
        own = min(patience.first_wait * 2.0 ** (self._in_vain - 1), patience.longest_pause)
        return min(max(asked, own), self.seconds_left)

    @property
    def seconds_left(self) -> float:
        """Seconds until it is given up, should nothing come."""
        return self._ends - self._clock.now()


_CLOCK = Clock()


def call_with_retries(attempt: Callable[[], T], patience: RetryPolicy, cancel: CancelToken, clock: Clock = _CLOCK) -> T:
    cancel.check()
    retries = RetryState(patience, clock)
    while True:
        try:
            return call_abandonably(attempt, cancel, "Hub")
        except HubTemporaryError as error:
            clock.wait(retries.next_pause(error), cancel)


@contextmanager
def stream_response(
    url: str, headers: Mapping[str, str], patience: RetryPolicy, cancel: CancelToken, *, follow_redirects: bool = False
) -> Iterator[httpx2.Response]:
    """The answer before its body. Cancelling wakes whoever waits for bytes."""
    stream = get_session().stream(
        "GET",
        url,
        headers={"accept-encoding": "identity", **headers},
        timeout=patience.silence,
        follow_redirects=follow_redirects or "authorization" not in headers,
    )
    try:
        with stream as answer, cancel.listening(partial(_hang_up, answer)):
            yield answer
    except httpx2.TransportError:
        cancel.check()
        raise


def read_json(answer: httpx2.Response, patience: RetryPolicy) -> object:
    """JSON. ValueError: something else, or more than there could be to say."""
    text, begun = bytearray(), monotonic()
    for piece in answer.iter_raw():
        text += piece
        if len(text) > _LONGEST_TOLD:
            raise ValueError("it is endless")
        if monotonic() > begun + patience.telling:
            raise httpx2.ReadTimeout("it takes too long", request=answer.request)
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("too deep") from error


def content_range(answer: httpx2.Response) -> tuple[int, int | None]:
    """The first byte, and the size of the whole file; None: not the file as it is."""
    headers = answer.headers
    if "content-encoding" in headers:
        return 0, None
    if answer.status_code == 206:
        found = _RANGE.fullmatch(headers.get("content-range", ""))
        return (int(found[1]), int(found[2])) if found else (0, None)
    length = headers.get("content-length", "")
    return 0, int(length) if _SIZE.fullmatch(length) else None


def same_origin(one: str, other: str) -> bool:
    return httpx2.URL(one).origin == httpx2.URL(other).origin


def _hang_up(answer: httpx2.Response) -> None:
    connection = answer.extensions["network_stream"].get_extra_info("socket")
    with suppress(OSError):  # it has ended by itself
        connection.shutdown(socket.SHUT_RDWR)

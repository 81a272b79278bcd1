"""Retry policy: pauses that grow, up to a limit."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from time import monotonic

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError, HubTemporaryError


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

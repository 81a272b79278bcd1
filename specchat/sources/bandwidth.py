"""Limits the bandwidth of downloads and measures their speed."""

from collections import deque
from collections.abc import Callable
from threading import Lock
from time import monotonic

from specchat.domain.cancel_token import CancelToken

_LATELY_S = 5.0


class BandwidthLimit:
    """Shared by all downloads."""

    def __init__(self, bytes_per_second: int | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.bytes_per_second = bytes_per_second
        """None: as many as there are. May change at any time."""
        self._clock, self._lock = clock, Lock()
        self._spent_until = 0.0

    def wait_for(self, size: int, cancel: CancelToken) -> None:
        seconds = self.seconds_to_wait(size)
        if seconds > 0:
            cancel.wait(seconds)

    def seconds_to_wait(self, size: int) -> float:
        """For bytes that have just come in, before more are asked for."""
        if not self.bytes_per_second:
            return 0
        with self._lock:
            now = self._clock()
            self._spent_until = max(self._spent_until, now) + size / self.bytes_per_second
            return self._spent_until - now


class SpeedMeter:
    """Of the last few seconds."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._came: deque[tuple[float, int]] = deque()

    def add(self, size: int) -> None:
        self._came.append((self._clock(), size))

    @property
    def bytes_per_second(self) -> float:
        now = self._clock()
        while self._came and self._came[0][0] < now - _LATELY_S:
            self._came.popleft()
        seconds = min(now - self._began, _LATELY_S)
        return sum(size for _, size in self._came) / seconds if seconds > 0 else 0.0

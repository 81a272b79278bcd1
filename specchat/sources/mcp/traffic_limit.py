"""Limits what a server sends between two of our requests: more is read only as slowly as it costs nothing."""

import time
from collections.abc import Callable

MESSAGES = 5000, 10.0
"""At first, and in each second after that."""
BYTES = float(16 << 20), float(1 << 18)
REQUESTS = 500, 10.0
"""Over HTTP, which a server may make us send by ending its streams."""


class _Bucket:
    def __init__(self, most: float, per_second: float, clock: Callable[[], float]) -> None:
        self._most, self._per_second, self._clock = most, per_second, clock
        self.renew()

    def renew(self) -> None:
        self._left, self._counted = self._most, self._clock()

    def take(self, amount: float) -> bool:
        """Whether there was as much."""
        now = self._clock()
        self._left = min(self._most, self._left + self._per_second * (now - self._counted)) - amount
        self._counted = now
        return self._left >= 0


class TrafficLimit:
    def __init__(self, flooded: Callable[[], None], clock: Callable[[], float] = time.monotonic) -> None:
        """`flooded` is called when there is too much."""
        self._flooded = flooded
        self._messages, self._bytes = _Bucket(*MESSAGES, clock), _Bucket(*BYTES, clock)
        self._requests = _Bucket(*REQUESTS, clock)

    def renew(self) -> None:
        """We ask for something: messages may come."""
        for bucket in (self._messages, self._bytes, self._requests):
            bucket.renew()

    def take_message(self) -> bool:
        return self._take(self._messages, 1)

    def take_bytes(self, count: int) -> bool:
        return self._take(self._bytes, count)

    def take_request(self) -> bool:
        return self._take(self._requests, 1)

    def _take(self, bucket: _Bucket, amount: float) -> bool:
        has_room = bucket.take(amount)
        if not has_room:
            self._flooded()
        return has_room

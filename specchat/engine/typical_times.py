"""Medians of recent costs, and interpolation between sizes."""

from bisect import bisect_left, insort
from collections import deque
from collections.abc import Iterable, Iterator

_WINDOW = 31
KNOWN = 5
"""So many measurements make a level reliable enough to derive the pace from it."""
TRUSTED = 2
"""The number of measurements that exclude a stall."""
NEAR = 1.3
"""One measurement counts as at most this factor off its level, because the pace is followed with a delay."""


class MedianWindow:
    __slots__ = ("_ordered", "_values")

    def __init__(self, values: Iterable[float] = ()) -> None:
        self._values = deque(values)
        self._ordered = sorted(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def add(self, value: float) -> None:
        if len(self._values) == _WINDOW:
            del self._ordered[bisect_left(self._ordered, self._values.popleft())]
        self._values.append(value)
        insort(self._ordered, value)

    @property
    def median(self) -> float:
        return self._ordered[len(self._ordered) // 2]


class TypicalTime(MedianWindow):
    """The usual time of a pass of one size, or of a guess."""

    __slots__ = ()

    @property
    def is_known(self) -> bool:
        return len(self) >= KNOWN

    def observe(self, seconds: float) -> None:
        self.add(max(self.median / NEAR, min(seconds, self.median * NEAR)) if self.is_known else seconds)


def median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def isotonic_curve(points: list[tuple[int, float, int]]) -> list[tuple[int, float]]:
    """Returns the nearest curve that never falls: neighbors that fall get their common mean."""
    blocks: list[tuple[list[int], float, int]] = []
    for size, seconds, weight in points:
        sizes = [size]
        while blocks and blocks[-1][1] >= seconds:
            before, mean, count = blocks.pop()
            seconds = (mean * count + seconds * weight) / (count + weight)
            sizes, weight = before + sizes, count + weight
        blocks.append((sizes, seconds, weight))
    return [(size, seconds) for sizes, seconds, _ in blocks for size in sizes]


def interpolate(points: list[tuple[int, float]], longest: int) -> Iterator[float]:
    """Yields values for 1 to `longest`, between the nearest measured sizes, or extrapolated from the last two."""
    at = 1
    for size in range(1, longest + 1):
        while points[at][0] < size and at < len(points) - 1:
            at += 1
        (left, low), (right, high) = points[at - 1], points[at]
        yield max(0.0, low + (high - low) * (size - left) / (right - left))

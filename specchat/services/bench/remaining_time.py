"""Estimates the remaining time of a benchmark from the answers so far."""

from collections import Counter
from collections.abc import Iterable
from statistics import median

from specchat.domain.benchmark import BenchMethod


class RemainingTime:
    def __init__(self, turns: Iterable[BenchMethod]) -> None:
        self._left = Counter(turns)
        self._took: dict[BenchMethod, list[float]] = {}
        self.total = self._left.total()

    @property
    def done(self) -> int:
        return self.total - self._left.total()

    def record_turn(self, method: BenchMethod, seconds: float | None) -> None:
        """Records a turn; None: it failed, and doesn't count."""
        self._left[method] -= 1
        if seconds is not None:
            self._took.setdefault(method, []).append(seconds)

    def seconds(self) -> float | None:
        """None: nothing is known yet."""
        if not self._took:
            return None
        usual = {method: median(times) for method, times in self._took.items()}
        others = median(usual.values())
        return sum(count * usual.get(method, others) for method, count in self._left.items())

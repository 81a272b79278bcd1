"""What a pass of the target costs here: running medians, because machines stall."""

from collections import deque
from statistics import median

_WINDOW = 31


class PassCosts:
    """Seconds per target pass by its number of tokens, and per guess of the drafter. Lives as long as the pair."""

    def __init__(self) -> None:
        self._passes: dict[int, deque[float]] = {}
        self._guesses: deque[float] = deque(maxlen=_WINDOW)
        self._last_size = 0

    def observe_pass(self, n_tokens: int, seconds: float) -> None:
        """A pass as large as the one before is cheaper. Plain decoding has only such, so only those tell its cost."""
        same_size, self._last_size = n_tokens == self._last_size, n_tokens
        if n_tokens == 1 and not same_size:
            return
        self._passes.setdefault(n_tokens, deque(maxlen=_WINDOW)).append(seconds)

    def observe_draft(self, n_guesses: int, seconds: float) -> None:
        if n_guesses:
            self._guesses.append(seconds / n_guesses)

    def samples(self, n_tokens: int) -> int:
        return len(self._passes.get(n_tokens, ()))

    @property
    def plain(self) -> float | None:
        return self.of_pass(1) if self.samples(1) else None

    @property
    def guess(self) -> float | None:
        return median(self._guesses) if self._guesses else None

    def of_pass(self, n_tokens: int) -> float:
        """Measured where possible, else on the line between (or beyond) the nearest measured sizes."""
        known = sorted(self._passes)
        if n_tokens in self._passes:
            return median(self._passes[n_tokens])
        if not known:
            return 0.0
        below = max((k for k in known if k < n_tokens), default=None)
        above = min((k for k in known if k > n_tokens), default=None)
        if below is not None and above is not None:
            a, b = self.of_pass(below), self.of_pass(above)
            return a + (b - a) * (n_tokens - below) / (above - below)
        nearest = below if below is not None else known[0]
        return self.of_pass(nearest) * (n_tokens / nearest if below is not None else 1.0)

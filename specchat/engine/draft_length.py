"""How far to guess."""

from collections.abc import Sequence
from typing import Protocol

from specchat.engine.costs import PassCosts

_DECAY = 0.95
_PROBE_EVERY = 64
_CALIBRATION_PASSES = 2
_RECALIBRATE_EVERY = 128


class DraftLength(Protocol):
    @property
    def off_reason(self) -> str | None:
        """Why nothing is drafted at present."""

    def budget(self) -> int:
        """How many guesses to ask for in the next step."""

    def observe(self, drafted: int, accepted: int) -> None: ...


class FixedLength:
    """Always the same, but for the few plain passes that tell what plain decoding costs here."""

    def __init__(self, length: int, costs: PassCosts) -> None:
        self._length = length
        self._costs = costs
        self._steps = 0

    @property
    def off_reason(self) -> str | None:
        return None if self._length else "draft length is 0"

    def budget(self) -> int:
        return 0 if _calibrating(self._costs, self._steps) else self._length

    def observe(self, drafted: int, accepted: int) -> None:
        self._steps += 1


class AdaptiveLength:
    """The length with the best predicted rate: measured costs, measured acceptance per position, off when it loses.

    rate(k) = (1 + expected accepted of k) / (k guesses + a pass of k + 1 tokens)
    """

    def __init__(self, costs: PassCosts, longest: int) -> None:
        self._costs = costs
        self._longest = longest
        self._tried = [1.0] * longest
        self._held = [0.7] * longest
        self._steps = 0
        self._since_probe = 0
        self._off = False

    @property
    def off_reason(self) -> str | None:
        return "guessing costs more time than it saves here" if self._off else None

    def budget(self) -> int:
        self._steps += 1
        if _calibrating(self._costs, self._steps):
            return 0
        best = self._best()
        self._off = best == 0
        if not self._off:
            self._since_probe = 0
            return best
        self._since_probe += 1
        if self._since_probe % _PROBE_EVERY == 0:
            return min(2, self._longest)
        return 0

    def observe(self, drafted: int, accepted: int) -> None:
        for position in range(min(drafted, accepted + 1, self._longest)):
            self._tried[position] = self._tried[position] * _DECAY + 1
            self._held[position] = self._held[position] * _DECAY + (position < accepted)

    def _best(self) -> int:
        if self._costs.guess is None:
            return min(3, self._longest)
        rates = [self._rate(k) for k in range(self._longest + 1)]
        return max(range(len(rates)), key=rates.__getitem__)

    def _rate(self, k: int) -> float:
        guess = self._costs.guess or 0.0
        seconds = k * guess + self._costs.of_pass(k + 1)
        return (1 + _expected(self._chances()[:k])) / seconds if seconds else 0.0

    def _chances(self) -> list[float]:
        return [held / tried for held, tried in zip(self._held, self._tried, strict=True)]


def _calibrating(costs: PassCosts, step: int) -> bool:
    """Plain passes tell what plain decoding costs: a few at first, later two in a row now and then."""
    return costs.samples(1) < _CALIBRATION_PASSES or step % _RECALIBRATE_EVERY >= _RECALIBRATE_EVERY - 2


def _expected(chances: Sequence[float]) -> float:
    total, run = 0.0, 1.0
    for chance in chances:
        run *= chance
        total += run
    return total

"""Limits the time spent on deciding whether to guess, which matters with a tiny target."""

from math import ceil

from specchat.engine.typical_times import MedianWindow

_SHARE, _MOST_CREDIT = 0.005, 0.25
"""The share of time for decisions, and the number of plain passes' time that may be saved up."""
_MOST_DEBT = 8.0
"""In plain passes."""
_LONGEST_PAUSE = 64
"""In steps."""
_STALLED = 20.0
"""A decision is charged at most this times its usual time; the rest is due to other programs. Making a new plan takes
about ten times the usual time."""


class DecisionBudget:
    def __init__(self) -> None:
        self._credit = 0.0
        """In seconds."""
        self._latest = MedianWindow()

    @property
    def is_spent(self) -> bool:
        return self._credit < 0

    @property
    def usual_s(self) -> float:
        """The median time of a decision. The first decision alone doesn't count, because it only warms up."""
        return self._latest.median if len(self._latest) > 1 else 0.0

    def earn(self, seconds: float, plain: float) -> None:
        """Adds credit for `seconds` of computing. `plain`: seconds of a plain pass."""
        self._credit = min(self._credit + _SHARE * seconds, _MOST_CREDIT * plain)

    def spend(self, seconds: float, plain: float, *, is_guess: bool) -> None:
        """Charges a decision that led to no guess; guesses pay for their own decisions. Stalls are not charged."""
        self._latest.add(seconds)
        if not is_guess and len(self._latest) > 1:
            self._credit = max(self._credit - min(seconds, _STALLED * self._latest.median), -_MOST_DEBT * plain)

    def steps_until_earned(self, plain: float) -> int:
        return min(ceil(-self._credit / (_SHARE * plain)), _LONGEST_PAUSE) if self.is_spent else 0

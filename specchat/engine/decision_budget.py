"""Limits the time spent on deciding whether to guess, which matters with a tiny target."""

from math import ceil

from specchat.engine.typical_times import MedianWindow

_SHARE, _MOST_CREDIT = 0.005, 0.25
"""The share of time, and the number of plain passes that may be saved up."""
_MOST_DEBT = 8.0
"""Plain passes."""
_LONGEST_PAUSE = 64
"""Steps."""
_STALLED = 20.0
"""Times as long as usual: more is another program's doing. Planning anew takes about ten times as long."""


class DecisionBudget:
    def __init__(self) -> None:
        self._credit = 0.0
        """Seconds."""
        self._latest = MedianWindow()

    @property
    def is_spent(self) -> bool:
        return self._credit < 0

    @property
    def usual_s(self) -> float:
        """What a decision takes. The first one only warms up."""
        return self._latest.median if len(self._latest) > 1 else 0.0

    def earn(self, seconds: float, plain: float) -> None:
        """`seconds` have passed; `plain`: those of a plain pass."""
        self._credit = min(self._credit + _SHARE * seconds, _MOST_CREDIT * plain)

    def spend(self, seconds: float, plain: float, *, is_guess: bool) -> None:
        """Guesses pay for their decision themselves, and a stall is no decision."""
        self._latest.add(seconds)
        if not is_guess and len(self._latest) > 1:
            self._credit = max(self._credit - min(seconds, _STALLED * self._latest.median), -_MOST_DEBT * plain)

    def steps_until_earned(self, plain: float) -> int:
        return min(ceil(-self._credit / (_SHARE * plain)), _LONGEST_PAUSE) if self.is_spent else 0

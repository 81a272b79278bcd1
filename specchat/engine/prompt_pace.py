"""Decides how much of prompts is read between the steps of other answers, so that none of these is held up for long."""

from collections import deque
from collections.abc import Callable
from statistics import median, median_low

_LONGEST = 1.25
"""Steps that reading may take, between one step of the others and the next: these get longer as the cache fills, and
nobody should wait for more than three of those before.
"""
_SLOPE_OVER = 8
"""Rows over which passes tell what one of a prompt takes, until that is measured."""
_MOST_AT_FIRST = 64
_STEP_ALONE_EVERY = 32
"""Passes of steps with something that is read: then there is one without."""
_LEAST_SHARE = 0.1
"""Of a pass, that what was read in it took."""
_LATEST = 5
"""Of which the median counts: whatever else the computer does makes single ones slow."""
_LATEST_STEPS = 15
"""Of which the median size counts, as guesses make some much larger than others."""


class _Speed:
    """Of one context."""

    def __init__(self) -> None:
        self.paces = deque[float](maxlen=_LATEST)
        """Seconds of passes of steps, against what is told of their rows."""
        self.rows_s = deque[float](maxlen=_LATEST)
        """What a token that was read added."""
        self.n_mixed = 0
        """Passes since the last one of steps alone."""

    @property
    def pace(self) -> float:
        """0: not known."""
        return median(self.paces) if self.paces else 0.0

    @property
    def row_s(self) -> float:
        return median(self.rows_s) if self.rows_s else 0.0


class PromptPace:
    def __init__(self, pass_s: Callable[[int], float]) -> None:
        """`pass_s`: of so many rows. Only how they compare matters."""
        self._pass_s = pass_s
        self._of_target, self._of_draft = _Speed(), _Speed()
        self._n_rows = deque[int](maxlen=_LATEST_STEPS)
        """Of the target's steps."""
        self._spent_s = 0.0
        """On reading, since the target's latest pass of steps."""
        self._is_drafts_turn = False

    def most_rows(self, n_steps: int, least: int, *, is_draft: bool, is_mixed: bool) -> int:
        """To be read while so many rows of steps wait: a multiple of `least`, or nothing. `is_mixed`: beside some."""
        target, speed = self._of_target, self._speed(is_draft)
        if not target.pace or (is_mixed and speed.n_mixed >= _STEP_ALONE_EVERY):
            return 0
        usual = min(n_steps, median_low(self._n_rows)) if self._n_rows else n_steps
        left = _LONGEST * target.pace * self._pass_s(usual) - self._spent_s
        most = int(max(0.0, left) / speed.row_s) if speed.row_s else self._first(n_steps, is_mixed=is_mixed)
        return max(most // least * least, 0 if self._spent_s else least)

    def _first(self, n_steps: int, *, is_mixed: bool) -> int:
        """Before it was ever seen how long it takes to read beside others."""
        if self._spent_s:
            return 0
        step, larger = (self._pass_s(n_rows) for n_rows in (n_steps, n_steps + _SLOPE_OVER))
        each = max((larger - step) / _SLOPE_OVER, step / _MOST_AT_FIRST)
        fixed = 0.0 if is_mixed else max(0.0, step - n_steps * each)
        return min(_MOST_AT_FIRST, int((_LONGEST * step - fixed) / each))

    def step_s(self, n_rows: int, *, is_draft: bool) -> float:
        """Of a pass in which nothing is read; 0: not known."""
        return self._speed(is_draft).pace * self._pass_s(n_rows)

    def is_drafts_turn(self) -> bool:
        """To read, where the target has something to read as well, or steps."""
        self._is_drafts_turn = not self._is_drafts_turn
        return self._is_drafts_turn

    def observe(self, n_steps: int, n_read: int, seconds: float, *, is_draft: bool, holds_up: bool) -> None:
        """A pass. `holds_up`: there are steps, in it or elsewhere."""
        speed = self._speed(is_draft)
        if n_read and holds_up:
            took = (
                max(seconds - self.step_s(n_steps, is_draft=is_draft), _LEAST_SHARE * seconds) if n_steps else seconds
            )
            self._spent_s += took
            speed.rows_s.append(took / n_read)
            speed.n_mixed += n_steps > 0
        elif n_steps:
            speed.paces.append(seconds / self._pass_s(n_steps))
            speed.n_mixed = 0
        if n_steps and not is_draft:
            self._n_rows.append(n_steps)
            self._spent_s = 0.0

    def _speed(self, is_draft: bool) -> _Speed:
        return self._of_draft if is_draft else self._of_target

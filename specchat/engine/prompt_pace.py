"""Decides how much of waiting prompts is read between the steps of other answers, so that these are not held up."""

from collections import deque
from collections.abc import Callable, Sequence
from statistics import median, median_low

_LONGEST = 1.25
"""The time for reading between two steps of the other answers, in steps. Steps get longer as the cache fills, and no
answer should wait for longer than three of its earlier steps.
"""
_AT_ONCE_S = 0.5
"""Prompts that take no longer than this together are read in one pass: in pieces, each row would take about twice as
long. Steps have to make up for such a pause before the next one may be as long.
"""
_LARGE = 16
"""With so many rows and more, a row takes less time than in a small piece."""
_SLOPE_OVER = 8
"""Until the time of a prompt row is measured, it is derived from the cost of so many additional rows."""
_MOST_AT_FIRST = 64
_STEP_ALONE_EVERY = 32
"""After so many passes that contained steps and prompts, one pass contains only steps."""
_LEAST_SHARE = 0.1
"""The minimum share of a pass's time that counts as reading."""
_LATEST = 5
"""The median of so many measurements counts, because other programs slow down single passes."""
_LATEST_STEPS = 15
"""The median size of so many steps counts, because guesses make some much larger than others."""


class _Speed:
    """The speed of one context."""

    def __init__(self) -> None:
        self.paces = deque[float](maxlen=_LATEST)
        """Times of passes with steps only, relative to the known cost of their rows."""
        self.rows_s = deque[float](maxlen=_LATEST)
        """Seconds that each prompt token added, in pieces."""
        self.large_rows_s = deque[float](maxlen=_LATEST)
        """The same in large passes."""
        self.at_once = False
        """Whether the prompts are read at once."""
        self.n_mixed = 0
        """Passes since the last one with steps only."""

    @property
    def pace(self) -> float:
        """0 if it is not known."""
        return median(self.paces) if self.paces else 0.0

    @property
    def row_s(self) -> float:
        return median(self.rows_s) if self.rows_s else 0.0

    @property
    def large_row_s(self) -> float:
        return median(self.large_rows_s) if self.large_rows_s else 0.0


class PromptPace:
    def __init__(self, pass_s: Callable[[int], float]) -> None:
        """`pass_s`: the cost of a pass over n rows. Only the ratios matter."""
        self._pass_s = pass_s
        self._of_target, self._of_draft = _Speed(), _Speed()
        self._n_rows = deque[int](maxlen=_LATEST_STEPS)
        """Of the target's steps."""
        self._spent_s = 0.0
        """Seconds spent on reading since the target's latest pass with steps."""
        self._held_up_s = 0.0
        """The time that prompts read at once took, less that of the steps since."""
        self._is_drafts_turn = False

    def most_rows(self, n_steps: int, prompts: Sequence[int], least: int, *, is_draft: bool, is_mixed: bool) -> int:
        """How many prompt rows may be read while `n_steps` rows of steps wait: those of the shortest prompts, which may
        be read at once, or a multiple of `least`, or 0. `prompts`: their rows, with those that have been read, so that
        the end of a long prompt holds nobody up. `is_mixed`: in the same pass as steps.
        """
        target, speed = self._of_target, self._speed(is_draft)
        if not target.pace or (is_mixed and speed.n_mixed >= _STEP_ALONE_EVERY):
            return 0
        at_once = self._rows_at_once(prompts, speed.large_row_s or target.pace * self._row(n_steps))
        speed.at_once = at_once > 0
        if at_once:
            return at_once
        usual = min(n_steps, median_low(self._n_rows)) if self._n_rows else n_steps
        left = _LONGEST * target.pace * self._pass_s(usual) - self._spent_s
        most = int(max(0.0, left) / speed.row_s) if speed.row_s else self._first(n_steps, is_mixed=is_mixed)
        return max(most // least * least, 0 if self._spent_s else least)

    def _rows_at_once(self, prompts: Sequence[int], row_s: float) -> int:
        rows = 0
        for n_rows in sorted(prompts):
            if self._held_up_s + (rows + n_rows) * row_s > _AT_ONCE_S:
                break
            rows += n_rows
        return rows

    def _first(self, n_steps: int, *, is_mixed: bool) -> int:
        """The number of rows before the reading speed has been measured."""
        if self._spent_s:
            return 0
        step, each = self._pass_s(n_steps), self._row(n_steps)
        fixed = 0.0 if is_mixed else max(0.0, step - n_steps * each)
        return min(_MOST_AT_FIRST, int((_LONGEST * step - fixed) / each))

    def _row(self, n_steps: int) -> float:
        """The relative cost of a prompt row beside `n_steps` rows."""
        step, larger = (self._pass_s(n_rows) for n_rows in (n_steps, n_steps + _SLOPE_OVER))
        return max((larger - step) / _SLOPE_OVER, step / _MOST_AT_FIRST)

    def step_s(self, n_rows: int, *, is_draft: bool) -> float:
        """The time of a pass with steps only. 0 if it is not known."""
        return self._speed(is_draft).pace * self._pass_s(n_rows)

    def is_drafts_turn(self) -> bool:
        """Returns whether the draft may read next; target and draft take turns."""
        self._is_drafts_turn = not self._is_drafts_turn
        return self._is_drafts_turn

    def observe(self, n_steps: int, n_read: int, seconds: float, *, is_draft: bool, holds_up: bool) -> None:
        """Records a pass. `holds_up`: there were steps, in this pass or waiting for another one."""
        speed = self._speed(is_draft)
        step_s = min(self.step_s(n_steps, is_draft=is_draft), (1 - _LEAST_SHARE) * seconds) if n_steps else 0.0
        took = seconds - step_s
        if n_read >= _LARGE:
            speed.large_rows_s.append(took / n_read)
        if n_read and holds_up:
            self._spent_s += took
            if speed.at_once:
                self._held_up_s += took
            else:
                speed.rows_s.append(took / n_read)
            speed.n_mixed += n_steps > 0
        elif n_steps:
            speed.paces.append(seconds / self._pass_s(n_steps))
            speed.n_mixed = 0
        if n_steps and not is_draft:
            self._n_rows.append(n_steps)
            self._spent_s = 0.0
            self._held_up_s = max(0.0, self._held_up_s - (step_s if n_read else seconds))

    def _speed(self, is_draft: bool) -> _Speed:
        return self._of_draft if is_draft else self._of_target

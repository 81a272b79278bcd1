"""Decides how much of prompts is read in the passes of other answers, so that none of these is held up for long."""

_LONGEST = 2.0
"""Plain passes that reading may add to one."""
_FEWEST, _FIRST = 16, 64
_GAIN = 0.2


class PromptPace:
    def __init__(self) -> None:
        self.step_s = 0.0
        """A pass in which nothing is read; 0: not known."""
        self._row_s = 0.0
        """What a token that is read adds."""
        self._has_read = False

    def most_rows(self, step_s: float) -> int:
        """While steps wait that take so long."""
        if not step_s or not self._row_s:
            return _FIRST
        return max(_FEWEST, int(_LONGEST * step_s / self._row_s))

    def is_turn_of_readers(self) -> bool:
        """Alternates between steps and prompts if a pass can't contain both."""
        self._has_read = not self._has_read
        return self._has_read

    def observe(self, has_steps: bool, n_read: int, seconds: float) -> None:
        if has_steps and not n_read:
            self.step_s = _follow(self.step_s, seconds)
        elif has_steps and self.step_s:
            self._row_s = _follow(self._row_s, max(seconds - self.step_s, 0.1 * seconds) / n_read)
        elif n_read and not self._row_s:
            self._row_s = seconds / n_read


def _follow(known: float, seen: float) -> float:
    return known + _GAIN * (seen - known) if known else seen

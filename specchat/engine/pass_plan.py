"""What passes are planned with, and how that stays up to date: when to plan anew, and when to measure a plain pass."""

from specchat.engine.step_costs import StepCosts

_SOON, _LATE = 16, 128
"""The minimum and maximum number of steps until the next plan; fewer if the last plan changed much."""
_OTHER_COSTS = 1.15
"""A change of larger passes' costs by this factor requires a new plan."""
_OTHER_ROWS = 2
"""So many more or fewer rows in passes shared with other answers require a new plan."""
_PLAIN_FIRST = 4
_BETWEEN_CHECKS = 6
"""Steps with guesses between two checks, if plain passes are needed for comparison."""


class PassPlan:
    def __init__(self, costs: StepCosts) -> None:
        self._costs = costs
        self.passes: list[float] = []
        """Seconds, by number of guesses, with what deciding about them takes; empty before the first plan."""
        self._n_steps, self._n_left = _SOON, 0
        self._factor, self._load = costs.larger_factor, costs.load
        self._n_plain_first = _PLAIN_FIRST
        self._n_until_check = _BETWEEN_CHECKS

    @property
    def plain(self) -> float:
        return self.passes[0]

    def begin(self) -> None:
        """Another answer."""
        self._n_steps, self._n_left = _SOON, 0

    @property
    def has_expired(self) -> bool:
        return self._n_left <= 0 or self._costs_changed()

    def expire(self) -> None:
        self._n_left = 0

    def renew(self, longest: int, length: int, deciding_s: float) -> None:
        self._n_left = self._n_steps
        self._factor, self._load = self._costs.larger_factor, self._costs.load
        plain, *larger = self._costs.passes(longest + 1, length)
        self.passes = [plain, *(seconds + deciding_s for seconds in larger)]

    def schedule(self, *, has_changed: bool) -> None:
        """`has_changed`: what follows from it."""
        self._n_steps = self._n_left = _SOON if has_changed else min(2 * self._n_steps, _LATE)

    def count_step(self) -> None:
        self._n_left -= 1

    def is_check_step(self) -> bool:
        """Whether this step has to be plain. The first steps check the costs measured earlier. Later checks take two
        plain steps in a row, because a plain pass after a larger one is slower.
        """
        if self._n_plain_first:
            self._n_plain_first -= 1
            return True
        self._n_until_check = _BETWEEN_CHECKS if self._n_until_check < -1 else self._n_until_check - 1
        return self._n_until_check < 0 and self._costs.wants_plain

    def _costs_changed(self) -> bool:
        (n_writing, n_rows), (n_planned, n_rows_planned) = self._costs.load, self._load
        if n_writing != n_planned or abs(n_rows - n_rows_planned) > max(_OTHER_ROWS, n_rows_planned // 2):
            return True
        return not 1 / _OTHER_COSTS < self._costs.larger_factor / self._factor < _OTHER_COSTS

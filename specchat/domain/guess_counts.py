"""Counts guesses and those that were accepted, by place and by who made them.

Drafted are the guesses that went into a pass of the target; checked those whose place in the text was reached, beyond
which nothing can be said about a guess. Of several guesses for a place one at most is accepted.
"""

from collections import Counter
from dataclasses import dataclass, field

from specchat.domain.types import StepStats


@dataclass(slots=True)
class GuessCounts:
    drafted_at: Counter[int] = field(default_factory=Counter)
    """Passes with a guess for this place, from 1."""
    accepted_at: Counter[int] = field(default_factory=Counter)
    drafted_from: Counter[str] = field(default_factory=Counter)
    accepted_from: Counter[str] = field(default_factory=Counter)
    n_checked: int = 0
    _n_passes: int = 0
    """Passes with guesses."""
    _n_rough: int = 0
    """Those whose time saved is a rough estimate."""

    def add(self, step: StepStats) -> None:
        if not step.drafted:
            return
        self._n_passes += 1
        self._n_rough += step.saved_is_rough
        self.drafted_at.update(range(1, step.reach + 1))
        self.accepted_at.update(range(1, step.accepted + 1))
        for origin, is_held in step.guesses():
            self.n_checked += is_held is not None
            self.drafted_from[origin] += 1
            self.accepted_from[origin] += is_held is True

    @property
    def n_drafted(self) -> int:
        return self.drafted_from.total()

    @property
    def n_accepted(self) -> int:
        return self.accepted_from.total()

    @property
    def acceptance_rate(self) -> float:
        return self.n_accepted / self.n_drafted if self.drafted_from else 0.0

    @property
    def is_saving_rough(self) -> bool:
        return 0 < self._n_passes <= 2 * self._n_rough

    @property
    def accepted_per_position(self) -> tuple[float, ...]:
        return tuple(self.accepted_at[place] / self.drafted_at[place] for place in sorted(self.drafted_at))

"""A strategy for the lookahead drafter: chooses the window's size by the costs of passes and their results."""

from specchat.domain.ports import DraftContext, ProbingDrafter
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import SpeculationOff
from specchat.engine.costs import PassCosts
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.strategy import NO_PAUSE, SpeculationPause, StepOutcome

EXPECTED = {7: 1.15, 15: 1.3, 23: 1.45, 47: 1.6}
"""The expected tokens per pass by the number of additional rows, until passes of this size were made."""
LARGEST = max(EXPECTED)
_LEAST_SPEEDUP = 1.03
_KEPT = 0.98
_FILLING = 32
"""The first passes of an answer don't count, because few n-grams are known yet."""
_PLANNED_FOR = 16
"""Steps until the costs of passes are looked up again."""
_HOPE = 0.2
"""The share by which each new answer moves learned values back to the expected ones."""


class LookaheadStrategy(FixedLengthStrategy):
    def __init__(self, drafter: ProbingDrafter, n_rows: int | None, costs: PassCosts) -> None:
        """`n_rows`: rows for guesses and window together. None: as many as pay off."""
        super().__init__(drafter, LARGEST if n_rows is None else n_rows, costs)
        self._probing = drafter
        self._chooses = n_rows is None
        self._per_pass = dict(EXPECTED)
        self._n_rows = self._n_passes = 0
        self._passes: list[float] = []
        self._plan_left = 0
        self._is_off = self._is_shared = False

    @property
    def off_reason(self) -> SpeculationOff | None:
        if self._is_shared:
            return SpeculationOff.SHARED
        return SpeculationOff.COSTS_MORE if self._is_off else super().off_reason

    @property
    def pause(self) -> SpeculationPause:
        return SpeculationPause(n_steps=self._plan_left) if self._is_off else NO_PAUSE

    def begin(self, *, sampled: bool) -> None:
        super().begin(sampled=sampled)
        self._is_off, self._is_shared, self._n_passes, self._plan_left = False, False, 0, 0
        for n_rows, first in EXPECTED.items():
            self._per_pass[n_rows] += _HOPE * (first - self._per_pass[n_rows])

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._proposal = Proposal()
        self._is_shared = context.target.max_branches == 1
        if self._is_shared:
            return self._proposal
        if room <= 0 or self._plain_left:
            return super().propose(context, room)
        self._n_rows = self._best_size(len(context.tokens), room) if self._chooses else min(room, self._length)
        if room >= min(EXPECTED):  # at the end of an answer there is no room for a window
            self._is_off = self._chooses and not self._n_rows
        if self._n_rows:
            self._proposal = self._probing.propose(context, self._n_rows)
            self._why_none = SpeculationOff.NO_USABLE_GUESS
        return self._proposal

    def observe(self, outcome: StepOutcome) -> None:
        super().observe(outcome)
        if self._proposal.probes.tokens and outcome.probed is not None:
            self._probing.learn(outcome.probed)
            self._n_passes += 1
            if self._chooses and self._n_passes > _FILLING:
                before = self._per_pass[self._n_rows]
                self._per_pass[self._n_rows] = _KEPT * before + (1 - _KEPT) * len(outcome.emitted)

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        self._plan_left -= n_steps

    def _best_size(self, length: int, room: int) -> int:
        """The size with the highest rate. 0 if none pays off."""
        if self._plan_left <= 0:
            self._passes, self._plan_left = self._costs.passes(LARGEST + 1, length), _PLANNED_FOR
        self._plan_left -= 1
        passes = self._passes
        rates = {
            n_rows: tokens * passes[0] / passes[n_rows] for n_rows, tokens in self._per_pass.items() if n_rows <= room
        }
        best = max(rates, key=rates.__getitem__, default=0)
        return best if rates.get(best, 0.0) >= _LEAST_SPEEDUP else 0

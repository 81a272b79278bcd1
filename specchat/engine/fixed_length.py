"""A strategy that always asks for the same number of guesses."""

from specchat.domain.ports import DraftContext, Drafter, StateReadingDrafter
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import NGRAM
from specchat.engine.step_costs import StepCosts
from specchat.engine.strategy import NO_PAUSE, SpeculationPause, StepOutcome
from specchat.engine.tree_planner import add_all_branches

_PLAIN_FIRST = 2
"""Plain passes at the start of an answer, if the cost of plain decoding is not known yet."""


class FixedLengthStrategy:
    def __init__(self, drafter: Drafter, length: int, costs: StepCosts, *, branches: bool = False) -> None:
        """`branches`: adds the second-best candidate of each guess as a branch, as far as there is room."""
        self._drafter = drafter
        self._length = length
        self._costs = costs
        self._branches = branches
        self._proposal = Proposal()
        self._plain_left = 0
        self._why_none = SpeculationOff.ENDED_FIRST

    @property
    def off_reason(self) -> SpeculationOff | None:
        return None if self._length else SpeculationOff.NO_LENGTH

    @property
    def draft_off_reason(self) -> None:
        """Always None: there is only one drafter."""

    @property
    def no_guess_reason(self) -> SpeculationOff:
        return self.off_reason or self._why_none

    @property
    def pause(self) -> SpeculationPause:
        return NO_PAUSE

    def begin(self, *, sampled: bool) -> None:
        self._plain_left = 0 if self._costs.knows_plain else _PLAIN_FIRST
        self._why_none = SpeculationOff.ENDED_FIRST

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._proposal = Proposal()
        if room > 0 and self._plain_left:
            self._why_none = SpeculationOff.MEASURING
        elif (budget := min(self._length, room)) > 0:
            self._proposal = self._drafter.propose(context, budget).first(budget)
            self._why_none = (
                SpeculationOff.NOTHING_TO_REPEAT if self._drafter.name == NGRAM else SpeculationOff.NO_USABLE_GUESS
            )
        if self._branches:
            return add_all_branches(self._proposal, room, context.target.max_branches)
        return self._proposal

    def follow(self, context: DraftContext) -> None:
        if self._length and isinstance(self._drafter, StateReadingDrafter):
            self._drafter.follow(context)

    def observe(self, outcome: StepOutcome) -> None:
        self._plain_left = max(0, self._plain_left - 1)
        if self._proposal.tokens:
            self._drafter.observe(outcome.accepted, self._proposal)

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        pass

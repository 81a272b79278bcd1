"""Always as many guesses."""

from specchat.domain.guessing import Off
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.types import Proposal
from specchat.engine.costs import PassCosts
from specchat.engine.strategy import Outcome

_PLAIN_FIRST = 2
"""Passes that tell what plain decoding takes, where nobody knows yet."""


class FixedLength:
    def __init__(self, drafter: Drafter, length: int, costs: PassCosts) -> None:
        self._drafter = drafter
        self._length = length
        self._costs = costs
        self._proposal = Proposal()
        self._plain_left = 0

    @property
    def off_reason(self) -> Off | None:
        return None if self._length else Off.NO_LENGTH

    @property
    def draft_off(self) -> None:
        """Nobody else guesses."""

    def begin(self, *, sampled: bool) -> None:
        self._plain_left = 0 if self._costs.knows_plain else _PLAIN_FIRST

    def propose(self, context: DraftContext, room: int) -> Proposal:
        budget = 0 if self._plain_left else min(self._length, room)
        self._proposal = self._drafter.propose(context, budget).first(budget) if budget > 0 else Proposal()
        return self._proposal

    def observe(self, outcome: Outcome) -> None:
        self._plain_left = max(0, self._plain_left - 1)
        if self._proposal.tokens:
            self._drafter.observe(outcome.accepted, self._proposal)

"""The grammar drafter: guesses the tokens for which an answer's grammar leaves no choice."""

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.types import GRAMMAR


class GrammarDrafter:
    name = GRAMMAR

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        foreseen = context.constraint.foresee(budget) if context.constraint is not None else []
        if not foreseen:
            return Proposal()
        tokens, scores = zip(*foreseen, strict=True)
        return Proposal(tokens, (self.name,) * len(tokens), scores)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

"""A strategy that asks one drafter, and ends each proposal where a stop rule tells it to."""

from collections.abc import Sequence

import numpy as np

from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken
from specchat.engine.extended_context import ExtendedContext
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.sampling import Logits
from specchat.engine.step_costs import StepCosts
from specchat.engine.stop_rules import LONGEST, GuessFacts, StopRule
from specchat.engine.strategy import StepOutcome


class StopRuleStrategy(FixedLengthStrategy):
    def __init__(self, drafter: Drafter, rule: StopRule, costs: StepCosts) -> None:
        super().__init__(drafter, LONGEST, costs)
        self._rule = rule

    def propose(self, context: DraftContext, room: int) -> Proposal:
        judged = _JudgedContext(context, self._rule)
        self._proposal = super().propose(judged, min(room, self._rule.longest())).first(judged.n_allowed)
        return self._proposal

    def observe(self, outcome: StepOutcome) -> None:
        if self._proposal.tokens:
            self._rule.observe(len(self._proposal.tokens), outcome.accepted)
        super().observe(outcome)


class _JudgedContext(ExtendedContext):
    """A context that applies a stop rule to the probabilities of each guess."""

    def __init__(self, context: DraftContext, rule: StopRule) -> None:
        super().__init__(context, (), lambda _: self.n_allowed == LONGEST)
        self._rule = rule
        self.n_allowed = LONGEST
        """The number of guesses before the first one that the rule rejects."""

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        choice = super().guess(logits, drafted)
        if self.n_allowed == LONGEST and not self._rule.allows(guess_facts(logits, choice.token)):
            self.n_allowed = len(drafted)
        return choice


def guess_facts(logits: Logits, token: int) -> GuessFacts:
    shifted = logits - logits.max()
    weights = np.exp(shifted)
    total = float(weights.sum())
    finite = weights > 0
    entropy = float(np.log(total) - (weights[finite] * shifted[finite]).sum() / total)
    return GuessFacts(float(weights[token]) / total, max(0.0, entropy))

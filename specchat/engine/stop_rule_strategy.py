"""A strategy that asks one drafter and ends each proposal where a stop rule says."""

from collections.abc import Sequence

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import DraftContext, Drafter, LanguageModel
from specchat.domain.types import Proposal, SampledToken
from specchat.engine.costs import PassCosts
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.sampling import Logits
from specchat.engine.stop_rules import LONGEST, GuessFacts, StopRule
from specchat.engine.strategy import StepOutcome
from specchat.engine.tokens import Tokens


class StopRuleStrategy(FixedLengthStrategy):
    def __init__(self, drafter: Drafter, rule: StopRule, costs: PassCosts) -> None:
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


class _JudgedContext:
    """Looks at the probabilities of each guess."""

    def __init__(self, context: DraftContext, rule: StopRule) -> None:
        self._context, self._rule = context, rule
        self.n_allowed = 0
        self._goes_on = True

    @property
    def tokens(self) -> Tokens:
        return self._context.tokens

    @property
    def target(self) -> LanguageModel:
        return self._context.target

    @property
    def cancel(self) -> CancelToken:
        return self._context.cancel

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        choice = self._context.guess(logits, drafted)
        self._goes_on = self._goes_on and self._rule.allows(_facts(logits, choice.token))
        self.n_allowed += self._goes_on
        return choice

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        return self._context.guess_earlier(logits, length)

    def worth_another(self, score: float) -> bool:
        return self._goes_on


def _facts(logits: Logits, token: int) -> GuessFacts:
    shifted = logits - logits.max()
    weights = np.exp(shifted)
    total = float(weights.sum())
    finite = weights > 0
    entropy = float(np.log(total) - (weights[finite] * shifted[finite]).sum() / total)
    return GuessFacts(float(weights[token]) / total, max(0.0, entropy))

"""Guessing with a smaller model."""

import numpy as np

from specchat.domain.errors import ComputeError, ContextFullError, DrafterError
from specchat.domain.ports import DraftContext, LanguageModel
from specchat.domain.types import Proposal
from specchat.engine.tokens import common_prefix


class DraftModel:
    """Keeps its cache: after a step only what it has not seen is computed, usually one token."""

    name = "draft"

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._latest = np.empty(1, dtype=np.int32)

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        budget = min(budget, self._model.n_ctx - len(context.tokens))
        if budget <= 0:
            return Proposal()
        try:
            return self._guess(context, budget)
        except (ComputeError, ContextFullError) as error:
            raise DrafterError(f"the draft failed: {error}") from error

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    def _guess(self, context: DraftContext, budget: int) -> Proposal:
        model = self._model
        tokens = context.tokens
        if context.target.n_vocab > model.n_vocab:  # what only the target has becomes some other token
            tokens = np.minimum(tokens, model.n_vocab - 1)
        known = model.keep(min(common_prefix(model.cached, tokens), len(tokens) - 1))
        logits = model.evaluate(tokens[known:], 1, context.cancel)
        drafted: list[int] = []
        confidences: list[float] = []
        while True:
            choice = context.guess(logits[0], drafted)
            drafted.append(choice.token)
            confidences.append(choice.probability or 0.0)
            if len(drafted) == budget or model.is_end(choice.token):
                return Proposal(tuple(drafted), (self.name,) * len(drafted), tuple(confidences))
            self._latest[0] = choice.token
            logits = model.evaluate(self._latest, 1, context.cancel)

"""The drafter that guesses with a smaller model."""

from collections.abc import Sequence

import numpy as np

from specchat.domain.errors import ComputeError, ContextFullError, DrafterError
from specchat.domain.ports import DraftContext, LanguageModel
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure
from specchat.domain.types import DRAFT
from specchat.drafters.guess_list import GuessList
from specchat.engine.tokens import Tokens, common_prefix

_REMINDER = 2
"""Times what is rehearsed: so much text leads to it."""


class ModelDrafter:
    """Keeps its cache: after a step only what it has not seen is computed, usually one token."""

    def __init__(self, model: LanguageModel, name: str = DRAFT) -> None:
        self.name = name
        self._model = model
        self._latest = np.empty(1, dtype=np.int32)
        self._hidden = 0

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        self._follow(context)
        budget = min(budget, self._model.n_ctx - len(context.draft_tokens) + self._hidden)
        if budget <= 0:
            return Proposal()
        try:
            return self._guess(context, budget)
        except (ComputeError, ContextFullError) as error:
            raise DrafterError(DrafterFailure(error.message)) from error

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass

    @property
    def n_skipped(self) -> int:
        return self._hidden

    @property
    def usual_lag(self) -> int:
        return 2

    def n_missed(self, context: DraftContext) -> int:
        known = self._follow(context)
        return len(context.draft_tokens) - self._hidden - known

    def restart_with_last(self, context: DraftContext, n_tokens: int) -> None:
        self._model.keep(0)
        self._hidden = max(0, len(context.draft_tokens) - n_tokens)

    def rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        """With a hole between what it knows and the last tokens: good enough to tell how well it guesses, and the
        next guess computes only what was missed.
        """
        try:
            return self._rehearse(context, count)
        except (ComputeError, ContextFullError) as error:
            raise DrafterError(DrafterFailure(error.message)) from error

    def _rehearse(self, context: DraftContext, count: int) -> Sequence[tuple[float, bool]]:
        model = self._model
        known = model.keep(self._follow(context))
        tokens = self._visible(context)
        count = min(count, model.max_batch, len(tokens) - 1)
        start = max(known, len(tokens) - 1 - _REMINDER * count)
        if count < 1 or len(tokens) - 1 - start < count or known + len(tokens) - start > model.n_ctx:
            return []
        logits = model.evaluate(tokens[start:-1], count, context.cancel)
        first = len(context.tokens) - count
        choices = [context.guess_earlier(logits[i], first + i) for i in range(count)]
        self._time_a_guess(context, tokens, choices[-1].probability or 0.0)
        model.keep(known)
        said = context.draft_tokens[len(context.draft_tokens) - count :]
        return [(choice.probability or 0.0, choice.token == said[i]) for i, choice in enumerate(choices)]

    def _time_a_guess(self, context: DraftContext, tokens: Tokens, score: float) -> None:
        context.worth_another(score)
        self._latest[0] = tokens[-1]
        choice = context.guess(self._model.evaluate(self._latest, 1, context.cancel)[0], ())
        context.worth_another(choice.probability or 0.0)

    def _guess(self, context: DraftContext, budget: int) -> Proposal:
        model = self._model
        tokens = self._visible(context)
        known = model.keep(min(common_prefix(model.cached, tokens), len(tokens) - 1))
        logits = model.evaluate(tokens[known:], 1, context.cancel)
        guesses = GuessList(self.name)
        while True:
            choice = context.guess(logits[0], guesses.tokens)
            score = guesses.add(choice)
            if len(guesses) == budget or model.is_end_token(choice.token) or not context.worth_another(score):
                return guesses.proposal()
            self._latest[0] = choice.token
            logits = model.evaluate(self._latest, 1, context.cancel)

    def _follow(self, context: DraftContext) -> int:
        """How many of the tokens that it looks at are known. In another text it looks at all."""
        known = common_prefix(self._model.cached, self._visible(context))
        if self._hidden and not known and (len(self._model.cached) or self._hidden >= len(context.draft_tokens)):
            self._hidden = 0
        return known

    def _visible(self, context: DraftContext) -> Tokens:
        """What only the target has becomes some other token."""
        tokens = context.draft_tokens[self._hidden :]
        n_vocab = self._model.n_vocab
        return tokens if context.target.n_vocab <= n_vocab else np.minimum(tokens, n_vocab - 1)

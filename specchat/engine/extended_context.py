"""A DraftContext that is extended by the guesses of another drafter."""

from collections.abc import Callable, Sequence

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import Constraint, DraftContext, LanguageModel
from specchat.domain.types import SampledToken
from specchat.engine.sampling import Logits
from specchat.engine.tokens import Tokens


class ExtendedContext:
    constraint: Constraint | None = None
    """What is allowed after the guesses is not known."""

    def __init__(self, context: DraftContext, guessed: tuple[int, ...], worth_another: Callable[[float], bool]) -> None:
        self._context = context
        self._guessed = guessed
        self.worth_another = worth_another
        self.tokens = _extended(context.tokens, guessed)

    @property
    def draft_tokens(self) -> Tokens:
        return _extended(self._context.draft_tokens, self._guessed)

    @property
    def text_tokens(self) -> Tokens:
        return _extended(self._context.text_tokens, self._guessed)

    @property
    def target(self) -> LanguageModel:
        return self._context.target

    @property
    def cancel(self) -> CancelToken:
        return self._context.cancel

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        return self._context.guess(logits, [*self._guessed, *drafted] if self._guessed else drafted)

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        return self._context.guess_earlier(logits, length)


def _extended(tokens: Tokens, guessed: tuple[int, ...]) -> Tokens:
    return np.concatenate([tokens, np.array(guessed, dtype=np.int32)]) if guessed else tokens

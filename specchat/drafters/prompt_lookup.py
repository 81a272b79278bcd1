"""Guessing that what followed these words before follows them again."""

import numpy as np

from specchat.domain.ports import DraftContext
from specchat.domain.types import Proposal
from specchat.engine.tokens import Tokens


class PromptLookup:
    name = "ngram"

    def __init__(self, max_ngram_size: int = 3, num_pred_tokens: int = 16, min_ngram_size: int = 2) -> None:
        self._sizes = range(max_ngram_size, min_ngram_size - 1, -1)
        self._num_pred_tokens = num_pred_tokens

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        length = min(budget, self._num_pred_tokens)
        for size in self._sizes:
            start = last_occurrence(context.tokens, size)
            if start is not None:
                guessed = context.tokens[start : start + length].tolist()
                confidence = size / (size + 1)
                return Proposal(tuple(guessed), (self.name,) * len(guessed), (confidence,) * len(guessed))
        return Proposal()

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


def last_occurrence(tokens: Tokens, size: int) -> int | None:
    """Where the text after the latest earlier copy of the last `size` tokens begins."""
    if len(tokens) <= size:
        return None
    ends = np.flatnonzero(tokens[size - 1 : -1] == tokens[-1])
    for back in range(1, size):
        ends = ends[tokens[ends + (size - 1 - back)] == tokens[-1 - back]]
    return int(ends[-1]) + size if len(ends) else None

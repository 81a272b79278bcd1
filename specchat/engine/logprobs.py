"""Log probabilities of the chosen token and of the most likely ones."""

from collections.abc import Callable

import numpy as np

from specchat.domain.types import ScoredToken, TokenLogprobs
from specchat.engine.sampling import Logits, top_k


def token_logprobs(logits: Logits, token: int, count: int, piece: Callable[[int], bytes]) -> TokenLogprobs:
    highest = float(logits.max())
    total = highest + float(np.log(np.exp(logits - highest).sum(dtype=np.float64)))

    def chance(token: int) -> ScoredToken:
        return ScoredToken(token, piece(token), float(logits[token]) - total)

    likely = top_k(logits, count) if count > 0 else np.empty(0, dtype=np.intp)
    best = likely[np.argsort(-logits[likely], kind="stable")][:count]
    return TokenLogprobs(chance(token), tuple(map(chance, best.tolist())))

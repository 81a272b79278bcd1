"""How likely the model found what was chosen, and what it found likeliest."""

from collections.abc import Callable

import numpy as np

from specchat.domain.types import TokenChance, TokenLogprobs
from specchat.engine.sampling import Logits, top_k


def token_logprobs(logits: Logits, token: int, count: int, piece: Callable[[int], bytes]) -> TokenLogprobs:
    highest = float(logits.max())
    total = highest + float(np.log(np.exp(logits - highest).sum(dtype=np.float64)))

    def chance(token: int) -> TokenChance:
        return TokenChance(token, piece(token), float(logits[token]) - total)

    likely = top_k(logits, count) if count > 0 else np.empty(0, dtype=np.intp)
    best = likely[np.argsort(-logits[likely], kind="stable")][:count]
    return TokenLogprobs(chance(token), tuple(map(chance, best.tolist())))

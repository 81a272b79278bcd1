"""Narrows the tokens that may fill a gap, like llama.cpp's infill sampler: it ends the text if the model is unsure."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.intp]
Scores = NDArray[np.float64]

_END_WEIGHT = 3
_LEAST_SHARE = 0.2
_MOST_COMPARED = 128
"""Only so many of the best tokens are compared; the others together are less likely than any token that is kept."""


class GapSampler:
    def __init__(self, piece: Callable[[int], bytes], end_tokens: Sequence[int]) -> None:
        self._piece = piece
        self._ends = np.array(end_tokens, dtype=np.intp)

    def narrow(self, ids: Ids, scores: Scores) -> tuple[Ids, Scores]:
        """Returns end tokens if the end is likely, otherwise the tokens that are likely enough. Tokens with a common
        beginning count as one.
        """
        shares = np.exp(scores - scores.max())
        shares /= shares.sum()
        is_end = np.isin(ids, self._ends)
        of_ends = float(shares[is_end].sum())
        if is_end.any() and _END_WEIGHT * of_ends * len(ids) > 1.0 - of_ends:
            return ids[is_end], scores[is_end]
        best = np.argsort(-shares, kind="stable")[:_MOST_COMPARED]
        ids, scores, is_end = ids[best], scores[best], is_end[best]
        shares = self._joined(ids, shares[best])
        kept = is_end | (shares >= _LEAST_SHARE)
        n_texts = int((kept & ~is_end).sum())
        if not n_texts:
            return self._end(ids, scores)
        shares = shares / shares[kept].sum()
        kept &= is_end | (shares >= 1.0 / (n_texts + 1))
        return ids[kept], scores[kept]

    def _joined(self, ids: Ids, shares: Scores) -> Scores:
        """If one token begins with another, gives both shares to the likelier one."""
        pieces, joined = [self._piece(token) for token in ids.tolist()], shares.tolist()
        is_gone = [False] * len(pieces)
        for i, piece in enumerate(pieces):
            for j, other in enumerate(pieces):
                if is_gone[i]:
                    break
                if i == j or is_gone[j] or not piece or not other.startswith(piece):
                    continue
                kept, gone = (j, i) if joined[j] > joined[i] else (i, j)
                joined[kept] += joined[gone]
                joined[gone], is_gone[gone] = 0.0, True
        return np.array(joined)

    def _end(self, ids: Ids, scores: Scores) -> tuple[Ids, Scores]:
        """Returns an end token, for when nothing is likely enough."""
        return (self._ends[:1], np.zeros(1)) if len(self._ends) else (ids[:1], scores[:1])

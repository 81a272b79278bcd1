"""Narrows the tokens that may fill a gap, like llama.cpp's infill sampler: it ends the text if the model is unsure."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from specchat.engine.sampling import top_k

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
        is_end = self._are_ends(ids)
        of_ends = float(shares[is_end].sum())
        if is_end.any() and _END_WEIGHT * of_ends * len(ids) > 1.0 - of_ends:
            return ids[is_end], scores[is_end]
        likely = top_k(shares, _MOST_COMPARED)
        best = likely[np.argsort(-shares[likely], kind="stable")[:_MOST_COMPARED]]
        ids, scores, is_end = ids[best], scores[best], is_end[best]
        shares = self._joined(ids, shares[best])
        kept = is_end | (shares >= _LEAST_SHARE)
        n_texts = int((kept & ~is_end).sum())
        if not n_texts:
            return self._end(ids, scores)
        shares = shares / shares[kept].sum()
        kept &= is_end | (shares >= 1.0 / (n_texts + 1))
        return ids[kept], scores[kept]

    def _are_ends(self, ids: Ids) -> NDArray[np.bool_]:
        """There are few of them: looking for each takes a tenth of what np.isin does."""
        found = np.zeros(len(ids), dtype=np.bool_)
        for end in self._ends:
            found |= ids == end
        return found

    def _joined(self, ids: Ids, shares: Scores) -> Scores:
        """If one token begins with another, gives both shares to the likelier one."""
        joined = shares.tolist()
        is_gone = [False] * len(joined)
        for i, longer in enumerate(_longer_pieces([self._piece(token) for token in ids.tolist()])):
            for j in longer:
                if is_gone[i]:
                    break
                if is_gone[j]:
                    continue
                kept, gone = (j, i) if joined[j] > joined[i] else (i, j)
                joined[kept] += joined[gone]
                joined[gone], is_gone[gone] = 0.0, True
        return np.array(joined)

    def _end(self, ids: Ids, scores: Scores) -> tuple[Ids, Scores]:
        """Returns an end token, for when nothing is likely enough."""
        return (self._ends[:1], np.zeros(1)) if len(self._ends) else (ids[:1], scores[:1])


def _longer_pieces(pieces: Sequence[bytes]) -> list[list[int]]:
    """For each piece, which others begin with it. Of two that are the same, the first one has the second."""
    found: list[list[int]] = [[] for _ in pieces]
    beginnings: list[int] = []
    """Of the present one, which begin with each other: in order, whatever begins with a piece follows it at once."""
    for i in sorted((i for i, piece in enumerate(pieces) if piece), key=pieces.__getitem__):
        while beginnings and not pieces[i].startswith(pieces[beginnings[-1]]):
            beginnings.pop()
        for shorter in beginnings:
            found[shorter].append(i)
        beginnings.append(i)
    return [sorted(longer) for longer in found]

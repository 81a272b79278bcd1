"""A llama_batch over a tree of tokens, with one sequence per branch; the first one is the sequence of the cache.

A token belongs to the sequences of all branches that contain it. In llama.cpp it sees the tokens of its first sequence
up to its position, so it sees its ancestors, but no tokens of other branches.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.domain.compute_settings import BATCH
from specchat.domain.proposal import count_branches, main_length

Tokens = NDArray[np.int32]


def branches_through(parents: Sequence[int]) -> list[list[int]]:
    """Returns the branches through each token of the tree. The first one follows the main branch."""
    through: list[list[int]] = [[] for _ in parents]
    followed = set(parents)
    paths = [_path(leaf, parents) for leaf in range(len(parents)) if leaf not in followed]
    last = main_length(parents) - 1
    for branch, path in enumerate(sorted(paths, key=lambda path: last not in path)):
        for token in path:
            through[token].append(branch)
    return through


def _path(leaf: int, parents: Sequence[int]) -> list[int]:
    path = [leaf]
    while parents[path[-1]] >= 0:
        path.append(parents[path[-1]])
    return path


class TreeBatch:
    def __init__(self, max_branches: int) -> None:
        self._batch = llama.llama_batch_init(BATCH, 0, max_branches)
        self._tokens = np.ctypeslib.as_array(self._batch.token, shape=(BATCH,))
        self._positions = np.ctypeslib.as_array(self._batch.pos, shape=(BATCH,))
        self._wanted = np.ctypeslib.as_array(self._batch.logits, shape=(BATCH,))

    def fill(
        self, tokens: Tokens, parents: Sequence[int], position: int, n_logits: int, sequences: Sequence[int]
    ) -> Any:
        """Fills the batch. The last tokens form the tree; the last `n_logits` get logits. `sequences`: by branch."""
        n, n_before = len(tokens), len(tokens) - len(parents)
        self._batch.n_tokens = n
        self._tokens[:n] = tokens
        self._positions[:n_before] = np.arange(position, position + n_before)
        for i, parent in enumerate(parents):
            self._positions[n_before + i] = self._positions[n_before + parent] + 1
        self._wanted[: n - n_logits] = 0
        self._wanted[n - n_logits : n] = 1
        everywhere = list(range(count_branches(parents)))
        for i, branches in enumerate([*[everywhere] * n_before, *branches_through(parents)]):
            self._batch.n_seq_id[i] = len(branches)
            for place, branch in enumerate(branches):
                self._batch.seq_id[i][place] = sequences[branch]
        return self._batch

    def close(self) -> None:
        llama.llama_batch_free(self._batch)

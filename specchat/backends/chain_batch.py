"""A llama_batch of one sequence."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.domain.compute_settings import BATCH

Tokens = NDArray[np.int32]


class ChainBatch:
    """Filled through arrays, which costs no Python per token."""

    def __init__(self) -> None:
        self._batch = batch = llama.llama_batch_init(BATCH, 0, 1)
        self._tokens = np.ctypeslib.as_array(batch.token, shape=(BATCH,))
        self._positions = np.ctypeslib.as_array(batch.pos, shape=(BATCH,))
        self._wanted = np.ctypeslib.as_array(batch.logits, shape=(BATCH,))
        for i in range(BATCH):
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
        self._counts = np.arange(BATCH, dtype=np.int32)

    def fill(self, tokens: Tokens, position: int, n_logits: int) -> Any:
        """The logits of so many of the last ones are wanted."""
        n = self._batch.n_tokens = len(tokens)
        if n == 1:  # by far the most frequent, between two decodes that wait for it
            self._tokens[0], self._positions[0], self._wanted[0] = tokens[0], position, n_logits
            return self._batch
        self._tokens[:n] = tokens
        self._positions[:n] = self._counts[:n] + position
        self._wanted[:n] = 0
        self._wanted[n - n_logits : n] = 1
        return self._batch

    def close(self) -> None:
        llama.llama_batch_free(self._batch)

"""A llama_batch of chains of tokens, each in its own sequence."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.domain.compute_settings import BATCH

Tokens = NDArray[np.int32]


class PassBatch:
    """Filled through arrays, without Python code per token. Rows keep their sequence until another one needs them."""

    def __init__(self, size: int = BATCH) -> None:
        self._batch = batch = llama.llama_batch_init(size, 0, 1)
        self._tokens = np.ctypeslib.as_array(batch.token, shape=(size,))
        self._positions = np.ctypeslib.as_array(batch.pos, shape=(size,))
        self._wanted = np.ctypeslib.as_array(batch.logits, shape=(size,))
        for i in range(size):
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = 0
        self._sequences = np.zeros(size, dtype=np.int32)
        self._counts = np.arange(size, dtype=np.int32)

    def fill(self, tokens: Tokens, position: int, n_logits: int, sequence: int) -> Any:
        """Fills the batch with one chain, with logits for its last `n_logits` tokens."""
        self._batch.n_tokens = len(tokens)
        self._write(0, tokens, position, n_logits, sequence)
        return self._batch

    def begin(self) -> None:
        self._batch.n_tokens = 0

    def add(self, tokens: Tokens, position: int, n_logits: int, sequence: int) -> int:
        """Adds a chain and returns its first row."""
        first = int(self._batch.n_tokens)
        self._batch.n_tokens = first + len(tokens)
        self._write(first, tokens, position, n_logits, sequence)
        return first

    @property
    def filled(self) -> Any:
        return self._batch

    def _write(self, first: int, tokens: Tokens, position: int, n_logits: int, sequence: int) -> None:
        n = len(tokens)
        if n == 1 and self._sequences[first] == sequence:  # by far the most frequent case, which has to be fast
            self._tokens[first], self._positions[first], self._wanted[first] = tokens[0], position, n_logits
            return
        end = first + n
        self._tokens[first:end] = tokens
        self._positions[first:end] = self._counts[:n] + position
        self._wanted[first:end] = 0
        self._wanted[end - n_logits : end] = 1
        for i in np.flatnonzero(self._sequences[first:end] != sequence):
            self._batch.seq_id[first + int(i)][0] = sequence
        self._sequences[first:end] = sequence

    def close(self) -> None:
        llama.llama_batch_free(self._batch)

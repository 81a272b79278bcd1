"""A llama_batch for a head, with rows of one or more answers."""

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.backends.weights import Weights
from specchat.domain.compute_settings import HEAD_BATCH

_POSITIONS = 4
"""The number of position values per row without a token, if positions have several dimensions."""

States = NDArray[np.float32]
Tokens = NDArray[np.int32]


class HeadRows(NamedTuple):
    """Rows of one answer: tokens, states, or both. The last `n_logits` get logits."""

    sequence: int
    place: int
    tokens: Tokens | None
    states: States | None
    n_logits: int

    @property
    def n_rows(self) -> int:
        rows = self.states if self.tokens is None else self.tokens
        assert rows is not None
        return len(rows)


class HeadBatch:
    """It uses its own arrays."""

    def __init__(self, weights: Weights) -> None:
        self._tokens = np.zeros(HEAD_BATCH, dtype=np.int32)
        self._places = np.zeros(HEAD_BATCH * _POSITIONS, dtype=np.int32)
        self._wanted = np.zeros(HEAD_BATCH, dtype=np.int8)
        self._counts = np.arange(HEAD_BATCH, dtype=np.int32)
        self._sequences = np.zeros(HEAD_BATCH, dtype=np.int32)
        self._n_sequences = np.ones(HEAD_BATCH, dtype=np.int32)
        self._states: States | None = None
        rope = int(llama.llama_model_rope_type(weights.handle))
        self._is_multiple = rope in (llama.LLAMA_ROPE_TYPE_MROPE, llama.LLAMA_ROPE_TYPE_IMROPE)
        self._batch = llama.llama_batch()
        self._batch.pos = _ints(self._places)
        self._batch.logits = self._wanted.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))
        places = [_ints(self._sequences[i:]) for i in range(HEAD_BATCH)]
        self._sequence_ids = (ctypes.POINTER(ctypes.c_int32) * HEAD_BATCH)(*places)
        self._batch.seq_id, self._batch.n_seq_id = self._sequence_ids, _ints(self._n_sequences)

    def fill(self, parts: Sequence[HeadRows]) -> Any:
        """All parts have tokens, or none has."""
        n = 0
        for part in parts:
            end = n + part.n_rows
            if part.tokens is not None:
                self._tokens[n:end] = part.tokens
            self._places[n:end] = self._counts[: part.n_rows] + part.place
            self._sequences[n:end] = part.sequence
            self._wanted[n : end - part.n_logits] = 0
            self._wanted[end - part.n_logits : end] = 1
            n = end
        has_tokens = parts[0].tokens is not None
        self._batch.n_tokens = n
        self._batch.token = _ints(self._tokens) if has_tokens else None
        if self._is_multiple and not has_tokens:
            for i in range(1, _POSITIONS):
                self._places[i * n : (i + 1) * n] = self._places[:n] if i < _POSITIONS - 1 else 0
        states = [part.states for part in parts if part.states is not None]
        whole = states[0] if len(states) == 1 else np.concatenate(states) if states else None
        self._states = None if whole is None else np.ascontiguousarray(whole, dtype=np.float32)
        self._batch.embd = None if self._states is None else self._states.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        return self._batch


def _ints(array: NDArray[np.int32]) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))

"""A llama_batch for a head: tokens, rows of states, or both, in one sequence."""

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.backends.weights import Weights
from specchat.domain.compute_settings import HEAD_BATCH

_POSITIONS = 4
"""The number of position values per row without a token, if positions have several dimensions."""

States = NDArray[np.float32]
Tokens = NDArray[np.int32]


class HeadBatch:
    """It uses its own arrays."""

    def __init__(self, weights: Weights) -> None:
        self._tokens = np.zeros(HEAD_BATCH, dtype=np.int32)
        self._places = np.zeros(HEAD_BATCH * _POSITIONS, dtype=np.int32)
        self._wanted = np.zeros(HEAD_BATCH, dtype=np.int8)
        self._counts = np.arange(HEAD_BATCH, dtype=np.int32)
        self._states: States | None = None
        rope = int(llama.llama_model_rope_type(weights.handle))
        self._is_multiple = rope in (llama.LLAMA_ROPE_TYPE_MROPE, llama.LLAMA_ROPE_TYPE_IMROPE)
        self._batch = llama.llama_batch()
        self._batch.pos = _ints(self._places)
        self._batch.logits = self._wanted.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))
        self._sequence = np.zeros(1, dtype=np.int32)
        self._sequence_ids = (ctypes.POINTER(ctypes.c_int32) * HEAD_BATCH)(*[_ints(self._sequence)] * HEAD_BATCH)
        self._n_sequences = np.ones(HEAD_BATCH, dtype=np.int32)
        self._batch.seq_id, self._batch.n_seq_id = self._sequence_ids, _ints(self._n_sequences)

    def of(self, tokens: Tokens, states: States | None, place: int, sequence: int) -> Any:
        n = len(tokens)
        self._tokens[:n] = tokens
        self._batch.token = _ints(self._tokens)
        self._places[:n] = self._counts[:n] + place
        return self._filled(n, states, sequence)

    def of_states(self, states: States, place: int, sequence: int) -> Any:
        n = len(states)
        self._batch.token = None
        positions = self._counts[:n] + place
        for i in range(_POSITIONS - 1 if self._is_multiple else 1):
            self._places[i * n : (i + 1) * n] = positions
        if self._is_multiple:
            self._places[(_POSITIONS - 1) * n : _POSITIONS * n] = 0
        return self._filled(n, states, sequence)

    def want(self, n_logits: int) -> None:
        n = self._batch.n_tokens
        self._wanted[: n - n_logits] = 0
        self._wanted[n - n_logits : n] = 1

    def _filled(self, n: int, states: States | None, sequence: int) -> Any:
        self._batch.n_tokens = n
        self._sequence[0] = sequence
        self._states = None if states is None else np.ascontiguousarray(states, dtype=np.float32)
        self._batch.embd = None if self._states is None else self._states.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        return self._batch


def _ints(array: NDArray[np.int32]) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))

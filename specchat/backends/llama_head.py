"""The Head port over llama.cpp: a head in its own file, or in layers of the target file."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import devices, head_functions, library
from specchat.backends.batch_runner import BatchRunner
from specchat.backends.binding import llama
from specchat.backends.context import make_head_context
from specchat.backends.llama_model import CacheState, LlamaModel
from specchat.backends.memory_log import parse_allocated_log
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import HEAD_BATCH
from specchat.domain.errors import BugError, ComputeError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import LAST_STATE, ModelSettings

_POSITIONS = 4
"""The number of position values per row without a token, if positions have several dimensions."""

Logits = NDArray[np.float32]
States = NDArray[np.float32]
Tokens = NDArray[np.int32]


class LlamaHead(BatchRunner):
    def __init__(
        self,
        kind: HeadKind,
        target: LlamaModel,
        path: Path | None,
        settings: ModelSettings,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
    ) -> None:
        """`path`: None if the head is in the target's file."""
        super().__init__()
        self.kind = kind
        self.settings = settings
        self._own_weights: Weights | None = None
        with library.capture_log() as log:
            if path is not None:
                self._own_weights = Weights(path, settings, cancel or CancelToken(), progress)
            self.weights = self._own_weights or target.weights
            try:
                self.own(make_head_context(self.weights, settings, kind, target.context, target.settings))
            except BaseException:
                self.close()
                raise
        names = [device.name for device in devices.available()]
        self.allocated: Mapping[str, MemoryBreakdown] = parse_allocated_log(log, names, HEAD_BATCH)
        self.n_ctx = int(llama.llama_n_ctx(self.handle))
        self._memory = llama.llama_get_memory(self.handle)
        self._batch = _Batch(self.weights)
        self._n_outputs = 0
        self._target_width = target.weights.n_embd
        self._configure(target)

    def _configure(self, target: LlamaModel) -> None:
        model, kind = self.weights.handle, self.kind
        self.selector_width = head_functions.selector_width(model) if kind.guesses_blocks else 0
        self.n_layers = max(1, int(llama.llama_model_n_layer_nextn(model)))
        head_functions.enable_states(self.handle, outputs_only=not self.selector_width)
        if kind.guesses_blocks:
            causal = self.weights.metadata("dflash.attention.causal") == "true"
            llama.llama_set_causal_attn(self.handle, causal)
        self.layers: Sequence[int] = head_functions.target_layers(model) if kind.reads_layers else [LAST_STATE]
        n_target_layers = int(llama.llama_model_n_layer(target.weights.handle))
        self.layers = [LAST_STATE if layer == n_target_layers else layer for layer in self.layers]

    # Properties

    @property
    def path(self) -> Path:
        """The path of the head's file."""
        return self.weights.path

    @property
    def n_vocab(self) -> int:
        return self.weights.vocabulary.size

    @property
    def width(self) -> int:
        """The width of the states that the head produces."""
        return self.weights.n_embd

    @property
    def shares_cache(self) -> bool:
        """Whether the head reads its target's cache and has none of its own."""
        return self.weights.shares_cache

    @property
    def state_width(self) -> int:
        """The total width of the target's states that the head reads."""
        return len(self.layers) * self._target_width

    @property
    def next_position(self) -> int:
        """The position after the tokens in its cache; with a shared cache, after the target's text."""
        return int(llama.llama_memory_seq_pos_max(self._memory, 0)) + 1

    @property
    def mask_token(self) -> int:
        """The token that stands for a token to be guessed."""
        return int(llama.llama_vocab_mask(llama.llama_model_get_vocab(self.weights.handle)))

    @property
    def block_size(self) -> int:
        return int(self.weights.metadata("dflash.block_size") or 16)

    @property
    def guesses_anchor(self) -> bool:
        """Whether the first row of a block, whose token is known, also makes a guess; otherwise only masked rows do."""
        return self.kind is HeadKind.DSPARK and self.weights.metadata("dflash.sample_from_anchor") != "false"

    @property
    def has_confidence(self) -> bool:
        return self.kind is HeadKind.DSPARK and self.weights.metadata("dflash.has_confidence_head") != "false"

    # Computing

    def encode(self, states: States) -> States:
        """Converts the target's states to the head's own representation."""
        encoded = np.empty((len(states), self.width), dtype=np.float32)
        for at in range(0, len(states), HEAD_BATCH):
            part = states[at : at + HEAD_BATCH]
            batch = self._batch.of_states(part, self.next_position)  # the position is checked, but not used
            self._batch.want(len(part))
            self._check(llama.llama_encode(self.handle, batch))
            encoded[at : at + len(part)] = self._states(len(part))
        return encoded

    def read(self, place: int, tokens: Tokens | None, states: States, cancel: CancelToken) -> None:
        """Reads rows into the cache, starting at `place`. Without tokens, reads only states."""
        self._watch(cancel)
        for at in range(0, len(states), HEAD_BATCH):
            rows = slice(at, at + HEAD_BATCH)
            self._compute(place + at, None if tokens is None else tokens[rows], states[rows], 0)

    def guess(self, place: int, tokens: Tokens, states: States, n_logits: int, cancel: CancelToken) -> Logits:
        """Returns the logits of the last rows, as a view that the next call invalidates."""
        if n_logits > HEAD_BATCH:
            raise BugError(f"{n_logits} logits of a head; at most {HEAD_BATCH}")
        self._watch(cancel)
        ahead = len(tokens) - n_logits
        if ahead > 0:  # a head's graph computes logits of all rows, so rows without logits go first
            self.read(place, tokens[:ahead], states[:ahead], cancel)
            place, tokens, states = place + ahead, tokens[ahead:], states[ahead:]
        self._compute(place, tokens, states, n_logits)
        return _floats(library.logits_address(self.handle, -n_logits), n_logits, self.n_vocab)

    def states(self) -> States:
        """Returns the states of the rows of the last `guess`, as a view that the next call invalidates."""
        return self._states(self._n_outputs)

    def guess_block(self, place: int, tokens: Tokens, cancel: CancelToken) -> None:
        """Computes all rows at once; `states` and `logits_of` return the results."""
        self._watch(cancel)
        n_rows = len(tokens)
        self._compute(place, tokens, None, 0 if self.selector_width else n_rows)
        self._n_outputs = n_rows

    def logits_of(self, row: int) -> Logits:
        row_of_one: Logits = _floats(library.logits_address(self.handle, row), 1, self.n_vocab)[0]
        return row_of_one

    def choose_layer(self, offset: int) -> None:
        head_functions.select_layer(self.handle, offset)

    def keep(self, length: int) -> None:
        llama.llama_memory_seq_rm(self._memory, 0, length, -1)

    def clear(self) -> None:
        llama.llama_memory_clear(self._memory, False)

    def try_guess(self, target: LlamaModel) -> None:
        """Guesses once after one token of the target, so that failing assertions fail here."""
        cancel, token = CancelToken(), np.zeros(1, dtype=np.int32)
        assert target.states is not None
        rows = target.states.rows(0, 1)
        if self.kind.guesses_blocks:
            self.read(0, None, rows, cancel)
            self.guess_block(1, np.full(self.block_size, self.mask_token, dtype=np.int32), cancel)
        else:
            encoded = self.encode(rows) if self.kind.reads_layers else rows
            self.guess(self.next_position, token, encoded, 1, cancel)
        self.clear()

    # The cache

    @property
    def state_bytes(self) -> int:
        if self.shares_cache or self.weights.attention_window:
            return 0
        return int(llama.llama_state_seq_get_size(self.handle, 0))

    def state(self, tokens: Tokens) -> CacheState:
        data = np.empty(self.state_bytes, dtype=np.uint8)
        written = llama.llama_state_seq_get_data(self.handle, _bytes(data), data.nbytes, 0)
        return CacheState(tokens.copy(), data[:written])

    def restore(self, state: CacheState) -> bool:
        self.clear()
        read = llama.llama_state_seq_set_data(self.handle, _bytes(state.data), state.data.nbytes, 0)
        if read != state.data.nbytes:
            self.clear()
            return False
        return True

    def close(self) -> None:
        self.free()
        if self._own_weights is not None:
            self._own_weights.close()

    # Implementation

    def _states(self, count: int) -> States:
        return _floats(head_functions.states(self.handle), count, self.width)

    def _watch(self, cancel: CancelToken) -> None:
        cancel.check()  # a GPU doesn't check the flag
        super()._watch(cancel)

    def _compute(self, place: int, tokens: Tokens | None, states: States | None, n_logits: int) -> None:
        batch = self._batch.of_states(states, place) if tokens is None else self._batch.of(tokens, states, place)
        self._batch.want(n_logits)
        self._n_outputs = n_logits
        self._check(self._decode(batch))

    def _check(self, code: int) -> None:
        if code:
            self.clear()
        super()._check(code)

    def _failure(self, code: int) -> ComputeError:
        return ComputeError(
            "The draft head failed (llama.cpp code {code}).",
            "This computer may have run out of memory. Use a smaller context (-c).",
            code=code,
        )


class _Batch:
    """A llama_batch over its own arrays, with tokens, with rows of states, or with both."""

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

    def of(self, tokens: Tokens, states: States | None, place: int) -> Any:
        n = len(tokens)
        self._tokens[:n] = tokens
        self._batch.token = _ints(self._tokens)
        self._places[:n] = self._counts[:n] + place
        return self._filled(n, states)

    def of_states(self, states: States | None, place: int) -> Any:
        assert states is not None
        n = len(states)
        self._batch.token = None
        positions = self._counts[:n] + place
        for i in range(_POSITIONS - 1 if self._is_multiple else 1):
            self._places[i * n : (i + 1) * n] = positions
        if self._is_multiple:
            self._places[(_POSITIONS - 1) * n : _POSITIONS * n] = 0
        return self._filled(n, states)

    def want(self, n_logits: int) -> None:
        n = self._batch.n_tokens
        self._wanted[: n - n_logits] = 0
        self._wanted[n - n_logits : n] = 1

    def _filled(self, n: int, states: States | None) -> Any:
        self._batch.n_tokens = n
        self._states = None if states is None else np.ascontiguousarray(states, dtype=np.float32)
        self._batch.embd = None if self._states is None else self._states.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        return self._batch


def _floats(address: int, rows: int, width: int) -> NDArray[np.float32]:
    return np.ctypeslib.as_array((ctypes.c_float * width * rows).from_address(address))


def _ints(array: NDArray[np.int32]) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_int32))


def _bytes(array: NDArray[np.uint8]) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))

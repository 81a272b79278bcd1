"""The Head port over llama.cpp: a head in its own file, or in layers of the target file."""

import ctypes
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import head_functions
from specchat.backends.binding import llama
from specchat.backends.cached_sequence import CacheState
from specchat.backends.head_batch import HeadRows, States, Tokens
from specchat.backends.head_context import HeadContext
from specchat.backends.llama_model import LlamaModel
from specchat.backends.weights import Progress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import HEAD_BATCH
from specchat.domain.errors import BugError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.engine.slot_scheduler import PassPart

Logits = NDArray[np.float32]


class LlamaHead:
    """One answer's part of a head's context."""

    def __init__(
        self,
        kind: HeadKind,
        target: LlamaModel,
        path: Path | None,
        settings: ModelSettings,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
        *,
        beside: "LlamaHead | None" = None,
    ) -> None:
        """`path`: None if the head is in the target's file. `target`: of the same answer. `beside`: the head of another
        answer, whose context this one shares.
        """
        self.kind = kind
        self.settings = settings
        self._shared: HeadContext = (
            beside._shared
            if beside is not None
            else HeadContext(kind, target, path, settings, cancel or CancelToken(), progress)
        )
        self._target = target
        self.sequence = target.sequence
        self._waiting: HeadRows | None = None
        """The rows that wait for a shared pass."""
        self._guessed: tuple[Logits, States] | None = None
        """What the latest pass has computed, if it was shared."""
        self._n_outputs = 0

    def add_slots(self, targets: Sequence[LlamaModel]) -> "list[LlamaHead]":
        """Returns a head for each answer, itself first."""
        path, settings = self.path, self.settings
        return [self, *(LlamaHead(self.kind, target, path, settings, beside=self) for target in targets[1:])]

    # Properties

    @property
    def path(self) -> Path:
        """The path of the head's file."""
        return self._shared.weights.path

    @property
    def allocated(self) -> Mapping[str, MemoryBreakdown]:
        return self._shared.allocated

    @property
    def n_ctx(self) -> int:
        return self._shared.n_ctx

    @property
    def layers(self) -> Sequence[int]:
        """The target's layers that it reads."""
        return self._shared.layers

    @property
    def n_layers(self) -> int:
        return self._shared.n_layers

    @property
    def selector_width(self) -> int:
        return self._shared.selector_width

    @property
    def n_vocab(self) -> int:
        return self._shared.weights.vocabulary.size

    @property
    def width(self) -> int:
        """The width of the states that the head produces."""
        return self._shared.weights.n_embd

    @property
    def shares_cache(self) -> bool:
        """Whether the head reads its target's cache and has none of its own."""
        return self._shared.weights.shares_cache

    @property
    def state_width(self) -> int:
        """The total width of the target's states that the head reads."""
        return len(self.layers) * self._shared.target_width

    def n_free(self, n_tokens: int) -> int:
        """If it reads its target's cache, llama.cpp wants a free cell there, although it doesn't use it."""
        if self.shares_cache and (self._target.n_suspended or not self._target.shared.has_room):
            return 0
        return self.n_ctx - n_tokens

    @property
    def next_position(self) -> int:
        """The position after the tokens in its cache; with a shared cache, after the target's text."""
        return int(llama.llama_memory_seq_pos_max(self._shared.memory, self.sequence)) + 1

    @property
    def mask_token(self) -> int:
        """The token that stands for a token to be guessed."""
        return int(llama.llama_vocab_mask(llama.llama_model_get_vocab(self._shared.weights.handle)))

    @property
    def block_size(self) -> int:
        return int(self._shared.weights.metadata("dflash.block_size") or 16)

    @property
    def guesses_anchor(self) -> bool:
        """Whether the first row of a block, whose token is known, also makes a guess; otherwise only masked rows do."""
        return self.kind is HeadKind.DSPARK and self._shared.weights.metadata("dflash.sample_from_anchor") != "false"

    @property
    def has_confidence(self) -> bool:
        return self.kind is HeadKind.DSPARK and self._shared.weights.metadata("dflash.has_confidence_head") != "false"

    # Computing

    def encode(self, states: States, cancel: CancelToken) -> States:
        """Converts the target's states to the head's own representation."""
        encoded = np.empty((len(states), self.width), dtype=np.float32)
        for at in range(0, len(states), HEAD_BATCH):
            part = states[at : at + HEAD_BATCH]
            place = self.next_position  # checked, but not used
            rows = HeadRows(self.sequence, place, None, part, len(part))
            encoded[at : at + len(part)] = self._shared.encode(rows, cancel)
        return encoded

    def read(self, place: int, tokens: Tokens | None, states: States, cancel: CancelToken) -> None:
        """Reads rows into the cache, starting at `place`. Without tokens, reads only states."""
        for at in range(0, len(states), HEAD_BATCH):
            rows = slice(at, at + HEAD_BATCH)
            some = None if tokens is None else tokens[rows]
            self._compute(HeadRows(self.sequence, place + at, some, states[rows], 0), cancel)

    def guess(self, place: int, tokens: Tokens, states: States, n_logits: int, cancel: CancelToken) -> Logits:
        """Returns the logits of the last rows, as a view that the next call invalidates."""
        if n_logits > HEAD_BATCH:
            raise BugError(f"{n_logits} logits of a head; at most {HEAD_BATCH}")
        ahead = len(tokens) - n_logits
        if ahead > 0:  # a head's graph computes logits of all rows, so rows without logits go first
            self.read(place, tokens[:ahead], states[:ahead], cancel)
            place, tokens, states = place + ahead, tokens[ahead:], states[ahead:]
        rows = HeadRows(self.sequence, place, tokens, states, n_logits)
        scheduler = self._target.shared.scheduler
        if scheduler is None or not scheduler.is_shared or not self._shared.shares_passes:
            self._compute(rows, cancel)
            return self._shared.logits(-n_logits, n_logits)
        self._waiting = rows
        scheduler.wait_for(self._shared, PassPart(self, tokens, n_logits), cancel)
        assert self._guessed is not None
        return self._guessed[0]

    def take_rows(self) -> HeadRows:
        """Takes the rows that wait for a shared pass."""
        rows, self._waiting = self._waiting, None
        assert rows is not None
        return rows

    def has_guessed(self, first: int, n_logits: int) -> None:
        """Copies the results of a shared pass, because passes of other answers may come before this one continues."""
        states = self._shared.states(first + n_logits)[first:]
        self._guessed = self._shared.logits(first, n_logits).copy(), states.copy()

    def states(self) -> States:
        """Returns the states of the rows of the last `guess`, as a view that the next call invalidates."""
        return self._shared.states(self._n_outputs) if self._guessed is None else self._guessed[1]

    def guess_block(self, place: int, tokens: Tokens, cancel: CancelToken) -> None:
        """Computes all rows at once; `states` and `logits_of` return the results."""
        n_rows = len(tokens)
        n_logits = 0 if self.selector_width else n_rows
        self._compute(HeadRows(self.sequence, place, tokens, None, n_logits), cancel)
        self._n_outputs = n_rows

    def logits_of(self, row: int) -> Logits:
        row_of_one: Logits = self._shared.logits(row, 1)[0]
        return row_of_one

    def choose_layer(self, offset: int) -> None:
        head_functions.select_layer(self._shared.handle, offset)

    def keep(self, length: int) -> None:
        llama.llama_memory_seq_rm(self._shared.memory, self.sequence, length, -1)

    def clear(self) -> None:
        llama.llama_memory_seq_rm(self._shared.memory, self.sequence, -1, -1)

    def try_guess(self, target: LlamaModel) -> None:
        """Guesses once after one token of the target, so that failing assertions fail here."""
        cancel, token = CancelToken(), np.zeros(1, dtype=np.int32)
        assert target.states is not None
        rows = target.states.rows(0, 1)
        if self.kind.guesses_blocks:
            self.read(0, None, rows, cancel)
            self.guess_block(1, np.full(self.block_size, self.mask_token, dtype=np.int32), cancel)
        else:
            encoded = self.encode(rows, cancel) if self.kind.reads_layers else rows
            self.guess(self.next_position, token, encoded, 1, cancel)
        self.clear()

    # The cache

    @property
    def state_bytes(self) -> int:
        if self.shares_cache or self._shared.weights.attention_window:
            return 0
        return int(llama.llama_state_seq_get_size(self._shared.handle, self.sequence))

    def state(self, tokens: Tokens) -> CacheState:
        data = np.empty(self.state_bytes, dtype=np.uint8)
        written = llama.llama_state_seq_get_data(self._shared.handle, _bytes(data), data.nbytes, self.sequence)
        return CacheState(tokens.copy(), data[:written])

    def restore(self, state: CacheState) -> bool:
        self.clear()
        data, n_bytes = _bytes(state.data), state.data.nbytes
        if llama.llama_state_seq_set_data(self._shared.handle, data, n_bytes, self.sequence) != n_bytes:
            self.clear()
            return False
        return True

    def close(self) -> None:
        """Closes the head and all others that share its context."""
        self._shared.close()

    # Implementation

    def _compute(self, rows: HeadRows, cancel: CancelToken) -> None:
        self._n_outputs, self._guessed = rows.n_logits, None
        try:
            self._shared.decode([rows], cancel)
        except BaseException:
            self.clear()
            raise


def _bytes(array: NDArray[np.uint8]) -> Any:
    return array.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))

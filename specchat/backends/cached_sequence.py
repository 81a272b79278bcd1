"""One sequence of a llama.cpp context: the text that it has in the cache, and the room that this takes."""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends.binding import llama
from specchat.backends.llama_context import LlamaContext
from specchat.backends.text_positions import TextPositions
from specchat.backends.watched_states import WatchedStates
from specchat.backends.weights import Weights
from specchat.domain.errors import ContextFullError
from specchat.engine.slot_scheduler import PartError
from specchat.engine.state_history import StateHistory
from specchat.engine.tokens import FIRST_PICTURE, without_part_of_picture

Tokens = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CacheState:
    """A saved state of a cache. It is compared by identity, because it contains arrays."""

    tokens: Tokens
    data: NDArray[np.uint8]
    pictures: tuple[tuple[int, int], ...] = ()
    """As `TextPositions` has them."""


class CachedSequence:
    def __init__(self, shared: LlamaContext) -> None:
        """`shared`: the context, which other answers may share."""
        self.shared = shared
        self.sequence = len(shared.models)
        self._context = shared.handle
        self._memory = shared.memory
        self._n_ctx = shared.n_ctx
        recurrent = self.weights.is_recurrent
        self.max_rollback = int(llama.llama_n_rs_seq(self._context)) if recurrent else self._n_ctx
        self._cached = np.empty(self._n_ctx, dtype=np.int32)
        self._length = 0
        self._positions = TextPositions()
        self._snapshots = 0
        self._latest_pass = 0
        self._states: WatchedStates | None = None
        self._watch_states()
        self.in_use = True
        self.since = 0
        """The order in which answers began; smaller is earlier."""
        self._suspended: CacheState | None = None
        self.before_idle_clear: Callable[[], None] = lambda: None
        """Called before a text that no answer continues makes room for others."""

    @property
    def weights(self) -> Weights:
        return self.shared.weights

    @property
    def n_ctx(self) -> int:
        return self._n_ctx

    @property
    def cached(self) -> Tokens:
        """The tokens that its answer continues from, even if they were moved out of the cache."""
        if self._suspended is not None:
            return self._suspended.tokens
        view = self._cached[: self._length]
        view.flags.writeable = False
        return view

    @property
    def next_position(self) -> int:
        """In the cache: of what is appended."""
        return self._positions.of(self._length)

    @property
    def states(self) -> StateHistory | None:
        return self._states.history if self._states is not None else None

    def _watch_states(self) -> None:
        reader = self.shared.layer_reader
        self._states = WatchedStates(reader) if reader is not None else None

    # Keeping and removing text

    def keep(self, length: int) -> int:
        if self._suspended is not None:  # it is restored as a whole, or not at all
            if length < self.n_suspended:
                self._drop_suspended()
            return self.n_suspended
        length = without_part_of_picture(self._cached[: self._length], self._known_to_drafters(length))
        if length >= self._length:
            self._forget_states()
            return self._length
        if self._can_return_to(length) and self._forget_after(length):
            self._length, self._snapshots = length, 0
            self._positions.keep(length)
            self._forget_states()
        else:
            self._clear()
        return self._length

    def _forget_after(self, length: int) -> bool:
        """Removes later tokens from all sequences of this model."""
        position = self._positions.of(length)
        self.shared.branches.keep(self.sequence, length, position)
        return bool(llama.llama_memory_seq_rm(self._memory, self.sequence, position, -1))

    def _known_to_drafters(self, length: int) -> int:
        """Returns the length to keep. Drafters need the state of its last token; without it, it is one token less.
        Pictures have no such states.
        """
        states, length = self.states, min(length, self._length)
        if states is None or not length or states.has(length - 1) or self.weights.is_recurrent:
            return length
        if self._cached[length - 1] <= FIRST_PICTURE:
            return length
        return length - 1

    def _forget_states(self) -> None:
        if self._states is not None:
            self._states.history.keep(self._length)

    def adopt_states(self, rows: Sequence[int]) -> None:
        if self._states is not None:
            self._states.adopt(rows)

    def _can_return_to(self, length: int) -> bool:
        if length <= 0:
            return False
        if self.weights.is_recurrent:  # the latest batch left snapshots, valid for one rollback before the next batch
            return self._latest_pass == self.shared.n_passes_here and self._length - length <= self._snapshots
        # A sliding-window cache may have dropped tokens that the next token needs.
        window = self.weights.attention_window
        return window == 0 or int(llama.llama_memory_seq_pos_min(self._memory, self.sequence)) <= max(
            0, self._positions.of(length) - window
        )

    # Adding text

    def _require_room(self, n_tokens: int) -> None:
        if len(self.cached) + n_tokens > self._n_ctx:
            raise ContextFullError(
                "The context of {n} tokens is full.",
                "Use a larger context (-c), or start a new chat.",
                n=self._n_ctx,
            )

    def _add(self, chunk: Tokens, first: int, parents: Sequence[int] = ()) -> None:
        """Records tokens that were added to the cache. `first`: their first row in the pass. `parents`: of the tree at
        its end.
        """
        count = len(chunk)
        if self._states is not None:
            self._states.read(self._length, count, first, parents)
        self._append(chunk)
        self._snapshots = min(self.max_rollback, count - 1)

    def _append(self, chunk: Tokens) -> None:
        self._cached[self._length : self._length + len(chunk)] = chunk
        self._length += len(chunk)
        self._latest_pass = self.shared.n_passes_here

    def forget_unfinished(self) -> None:
        """Removes parts of a failed batch from the cache."""
        removable = self._length > 0 and not self.weights.is_recurrent
        if not (removable and self._forget_after(self._length)):
            self._clear()

    def _clear(self) -> None:
        self._empty_cache()
        self._forget_states()

    def _empty_cache(self) -> None:
        if self.shared.n_slots == 1:
            llama.llama_memory_clear(self._memory, False)
            self.shared.branches.forget_all()
        else:
            self._forget_after(0)
        self._length = self._snapshots = 0
        self._positions.keep(0)

    # Saving and restoring

    @property
    def state_bytes(self) -> int:
        """The size of `state`; 0: the state can't be used in parts, so there is no point in keeping it."""
        if self.weights.is_recurrent or self.weights.attention_window:
            return 0
        return int(llama.llama_state_seq_get_size(self._context, self.sequence))

    def state(self) -> CacheState:
        data = np.empty(int(llama.llama_state_seq_get_size(self._context, self.sequence)), dtype=np.uint8)
        written = llama.llama_state_seq_get_data(self._context, _address(data), data.nbytes, self.sequence)
        return CacheState(self.cached.copy(), data[:written], self._positions.pictures)

    def restore(self, state: CacheState) -> bool:
        """Restores a state. Returns False, with an empty cache, if this fails."""
        if self._length:
            self._clear()
        if not self.shared.has_streams:
            self.shared.remove_idle(len(state.tokens), self)
        read = llama.llama_state_seq_set_data(self._context, _address(state.data), state.data.nbytes, self.sequence)
        if read != state.data.nbytes:
            self._clear()
            return False
        self._adopt_text(state.tokens, state.pictures)
        return True

    def _adopt_text(self, tokens: Tokens, pictures: tuple[tuple[int, int], ...]) -> None:
        """It is in the cache already."""
        self._cached[: len(tokens)] = tokens
        self._length = len(tokens)
        self._positions.replace(pictures, len(tokens))

    # Sharing the cache with other answers

    def can_share(self, length: int) -> bool:
        """Whether another model can share the first `length` tokens. Recurrent states belong to the whole text."""
        return not self.weights.is_recurrent and (length == self._length or self._can_return_to(length))

    def copy_beginning(self, other: "CachedSequence", length: int) -> None:
        """Shares the beginning of another model's text, which the common cache then stores only once."""
        self._clear()
        llama.llama_memory_seq_cp(self._memory, other.sequence, self.sequence, 0, other.position(length))
        self._adopt_text(other.cached[:length], other.pictures)
        if self._states is not None and other._states is not None:
            self._states.history.copy_beginning(other._states.history, length)

    def position(self, length: int) -> int:
        """Of what follows so many of its tokens."""
        return self._positions.of(length)

    @property
    def pictures(self) -> tuple[tuple[int, int], ...]:
        return self._positions.pictures

    @property
    def n_held(self) -> int:
        """The number of tokens that take room in the common cache."""
        return self._length

    @property
    def n_suspended(self) -> int:
        """The number of suspended tokens, which need room again."""
        return len(self._suspended.tokens) if self._suspended is not None else 0

    def suspend(self) -> None:
        """Makes room in the cache. The state of a running answer is stored in RAM, and so are the states of its layers,
        which heads still read; a draft reads its text again.
        """
        if self.in_use and self._length and not self.shared.is_draft:
            self._suspended = self.state()
            self._empty_cache()
            return
        if not self.in_use:
            self.before_idle_clear()
        self._clear()

    def release(self) -> None:
        """Ends the use by an answer. The text stays in the cache until other answers need the room."""
        self.in_use = False
        self._drop_suspended()

    def _drop_suspended(self) -> None:
        if self._suspended is not None:
            self._suspended = None
            self._forget_states()

    def resume(self) -> None:
        state, self._suspended = self._suspended, None
        if state is not None and not self.restore(state):
            raise PartError(
                "llama.cpp failed to restore its cache.", "Use a larger context (-c), or fewer slots.", model=self
            )


def _address(data: NDArray[np.uint8]) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))

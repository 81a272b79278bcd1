"""The LanguageModel port over llama.cpp: one answer's part of a context, with its text in the cache."""

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.llama_context import LlamaContext
from specchat.backends.text_positions import TextPositions
from specchat.backends.vocabulary import Vocabulary
from specchat.backends.watched_states import WatchedStates
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, ContextFullError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.proposal import count_branches, main_length
from specchat.domain.types import ModelSettings
from specchat.engine.slot_scheduler import PartError, PassPart, SlotScheduler
from specchat.engine.state_history import StateHistory
from specchat.engine.tokens import FIRST_PICTURE, cut, picture_rows, without_part_of_picture

Logits = NDArray[np.float32]
Tokens = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class CacheState:
    """A saved state of a cache. It is compared by identity, because it contains arrays."""

    tokens: Tokens
    data: NDArray[np.uint8]
    pictures: tuple[tuple[int, int], ...] = ()
    """As `TextPositions` has them."""


class LlamaModel:
    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
        *,
        beside: "LlamaModel | None" = None,
    ) -> None:
        """`beside`: the model of another answer, whose context this one shares."""
        self.settings = settings
        self.shared: LlamaContext = (
            beside.shared if beside is not None else LlamaContext(path, settings, cancel or CancelToken(), progress)
        )
        self.sequence = len(self.shared.models)
        self.shared.models.append(self)
        self._context = self.shared.handle
        self._memory = self.shared.memory
        self._n_ctx = self.shared.n_ctx
        recurrent = self.weights.is_recurrent
        self.max_rollback = int(llama.llama_n_rs_seq(self._context)) if recurrent else self._n_ctx
        self._cached = np.empty(self._n_ctx, dtype=np.int32)
        self._length = 0
        self._positions = TextPositions()
        self._snapshots = 0
        self._latest_pass = 0
        self._views: dict[tuple[int, int], Logits] = {}
        self._output_row = -1
        """The row of the first logits in the latest pass; negative: from the end of its outputs."""
        self._max_batch = settings.max_draft + 1
        self.max_branches_alone = self.shared.max_branches
        """The maximum number of branches while only one answer is written."""
        self._states: WatchedStates | None = None
        self._watch_states()
        self.in_use = True
        self.since = 0
        """The order in which answers began; smaller is earlier."""
        self._suspended: CacheState | None = None

    def add_slots(self, count: int, scheduler: SlotScheduler) -> "list[LlamaModel]":
        """Returns a model for each answer, itself first. From now on, they share passes."""
        self.shared.scheduler = scheduler
        others = [LlamaModel(self.weights.path, self.settings, beside=self) for _ in range(1, count)]
        for model in [self, *others]:
            model.in_use, model._max_batch, model.max_branches_alone = False, self._max_batch, self.max_branches_alone
        return [self, *others]

    # Properties

    @property
    def context(self) -> Any:
        """The llama.cpp context, for a head."""
        return self._context

    @property
    def weights(self) -> Weights:
        return self.shared.weights

    @property
    def allocated(self) -> Mapping[str, MemoryBreakdown]:
        return self.shared.allocated

    @property
    def max_batch(self) -> int:
        if not self._is_shared:
            return self._max_batch
        assert self.shared.scheduler is not None
        if self.weights.is_recurrent:  # other answers' passes leave no snapshots to return to
            return 1
        most = min(self.shared.max_outputs, self.shared.max_rows) // self.shared.scheduler.n_answers
        return max(1, min(self._max_batch, most))

    @max_batch.setter
    def max_batch(self, most: int) -> None:
        self._max_batch = most

    @property
    def max_branches(self) -> int:
        """The maximum number of branches. Several answers use chains, because sharing passes gains much more."""
        return 1 if self._is_shared else self.max_branches_alone

    @max_branches.setter
    def max_branches(self, most: int) -> None:
        self.max_branches_alone = most

    @property
    def _is_shared(self) -> bool:
        return self.shared.scheduler is not None and self.shared.scheduler.is_shared

    @property
    def vocabulary(self) -> Vocabulary:
        return self.weights.vocabulary

    @property
    def n_vocab(self) -> int:
        return self.vocabulary.size

    @property
    def n_ctx(self) -> int:
        return self._n_ctx

    @property
    def n_ctx_trained(self) -> int:
        return self.weights.n_ctx_train

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
    def end_tokens(self) -> list[int]:
        return self.vocabulary.end_tokens

    def is_end_token(self, token: int) -> bool:
        return self.vocabulary.is_end_token(token)

    def piece(self, token: int) -> bytes:
        return self.vocabulary.piece(token)

    # Computing

    @property
    def states(self) -> StateHistory | None:
        return self._states.history if self._states is not None else None

    def capture_layers(self, layers: Sequence[int]) -> None:
        self.shared.read_layers(layers)
        for model in self.shared.models:
            model._watch_states()

    def _watch_states(self) -> None:
        reader = self.shared.layer_reader
        self._states = WatchedStates(reader) if reader is not None else None

    def keep(self, length: int) -> int:
        if self._suspended is not None:  # it is restored as a whole, or not at all
            if length < self.n_suspended:
                self._suspended = None
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

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        if n_logits > self._max_batch or (n_logits > 1 and len(tokens) > BATCH):
            raise BugError(f"{n_logits} logits of {len(tokens)} tokens; at most {self._max_batch}")
        self._require_room(len(tokens))
        for begin, end in self._pieces(tokens):
            cancel.check()  # a GPU doesn't check the flag
            part = PassPart(self, tokens[begin:end], n_logits if end == len(tokens) else 0)
            if self._is_shared:
                assert self.shared.scheduler is not None
                self.shared.scheduler.wait_for(self.shared, part, cancel, alone=_is_picture(part))
            else:
                self.shared.admit([part])
                self.compute(part, cancel)
        return self._logits(n_logits)

    def _pieces(self, tokens: Tokens) -> Iterable[tuple[int, int]]:
        if self.shared.pictures is not None:
            return cut(tokens, BATCH)
        return ((at, min(at + BATCH, len(tokens))) for at in range(0, len(tokens), BATCH))

    def _compute_picture(self, part: "PassPart[LlamaModel]", cancel: CancelToken) -> None:
        """There are no logits after it, as text follows."""
        pictures = self.shared.pictures
        if pictures is None or part.n_logits:
            raise BugError("a picture for a model that reads text only, or at the end")
        picture = pictures.part(part.tokens)
        if self.shared.layer_reader is not None:
            self.shared.layer_reader.expect_none()
        try:
            self.shared.read_picture(picture, self.next_position, self.sequence, cancel)
        except BaseException:
            self.forget_unfinished()
            raise
        self._append(part.tokens)
        self._positions.add(self._length, picture.n_rows - picture.n_positions)
        self._snapshots = 0

    def compute(self, part: "PassPart[LlamaModel]", cancel: CancelToken) -> None:
        """Computes the part in its own pass."""
        if _is_picture(part):
            self._compute_picture(part, cancel)
            return
        try:
            self.shared.run(self.shared.chain(part), cancel)
        except BaseException:
            self.forget_unfinished()
            raise
        self.has_computed(part, 0)

    def has_computed(self, part: "PassPart[LlamaModel]", first: int) -> None:
        """Records a pass in which this part begins with the row `first`."""
        self._output_row = first + len(part.tokens) - part.n_logits
        self._add(part.tokens, first)

    def evaluate_tree(self, tokens: Tokens, parents: Sequence[int], cancel: CancelToken) -> Logits:
        n_logits, n_branches = len(parents) + 1, count_branches(parents)
        tree = self.shared.tree
        if self.shared.pictures is not None and (pictures := picture_rows(tokens)):  # its cache was lost
            n_before = pictures[-1][1]
            self.evaluate(tokens[:n_before], 0, cancel)
            tokens = tokens[n_before:]
        if tree is None or n_branches > self.max_branches or n_logits > self.max_batch or len(tokens) > BATCH:
            raise BugError(f"a tree of {len(parents)} tokens and {n_branches} branches")
        self._require_room(len(tokens))
        cancel.check()
        part = PassPart(self, tokens, n_logits)
        self.shared.admit([part])
        length, position = self._length, self.next_position
        sequences = self.shared.branches.extend(self.sequence, n_branches, length, len(tokens), self._positions.of)
        try:
            n_outputs = self.shared.count_outputs([part])[0]
            self.shared.run(tree.fill(tokens, parents, position, n_outputs, sequences), cancel)
        except BaseException:
            self.forget_unfinished()
            raise
        n_beside = len(parents) - main_length(parents)
        self.shared.branches.keep(self.sequence, length, position)
        llama.llama_memory_seq_rm(self._memory, self.sequence, position + len(tokens) - n_beside, -1)
        self._output_row = -n_logits
        self._add(tokens[: len(tokens) - n_beside], 0, parents)
        return self._logits(n_logits)

    def adopt_states(self, rows: Sequence[int]) -> None:
        if self._states is not None:
            self._states.adopt(rows)

    def evaluate_states(self, tokens: Tokens, cancel: CancelToken) -> Logits:
        if len(tokens) > self.max_batch:
            raise BugError(f"states of {len(tokens)} tokens; at most {self.max_batch}")
        llama.llama_set_embeddings(self._context, True)
        try:
            self.evaluate(tokens, len(tokens), cancel)
            rows = [llama.llama_get_embeddings_ith(self._context, i) for i in range(len(tokens))]
            return np.stack([np.ctypeslib.as_array(row, shape=(self.weights.n_embd,)) for row in rows])
        finally:
            reader = self.shared.layer_reader
            llama.llama_set_embeddings(self._context, reader is not None and reader.has_outputs)

    # The cache

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
        self._clear()
        read = llama.llama_state_seq_set_data(self._context, _address(state.data), state.data.nbytes, self.sequence)
        if read != state.data.nbytes:
            self._clear()
            return False
        self._adopt_text(state.tokens, state.pictures)
        return True

    # Sharing the cache with other answers

    def can_share(self, length: int) -> bool:
        """Whether another model can share the first `length` tokens. Recurrent states belong to the whole text."""
        return not self.weights.is_recurrent and (length == self._length or self._can_return_to(length))

    def copy_beginning(self, other: "LlamaModel", length: int) -> None:
        """Shares the beginning of another model's text, which the common cache then stores only once."""
        self._clear()
        llama.llama_memory_seq_cp(self._memory, other.sequence, self.sequence, 0, other.position(length))
        self._adopt_text(other.cached[:length], other.pictures)

    def position(self, length: int) -> int:
        """Of what follows so many of its tokens."""
        return self._positions.of(length)

    @property
    def pictures(self) -> tuple[tuple[int, int], ...]:
        return self._positions.pictures

    def _adopt_text(self, tokens: Tokens, pictures: tuple[tuple[int, int], ...]) -> None:
        """It is in the cache already."""
        self._cached[: len(tokens)] = tokens
        self._length = len(tokens)
        self._positions.replace(pictures, len(tokens))

    @property
    def n_held(self) -> int:
        """The number of tokens that take room in the common cache."""
        return self._length

    @property
    def n_suspended(self) -> int:
        """The number of suspended tokens, which need room again."""
        return len(self._suspended.tokens) if self._suspended is not None else 0

    def suspend(self) -> None:
        """Makes room in the cache. The state of a running answer is stored in RAM; a draft reads its text again."""
        if self.in_use and self._length and not self.shared.is_draft:
            self._suspended = self.state()
        self._clear()

    def release(self) -> None:
        """Ends the use by an answer. The text stays in the cache until other answers need the room."""
        self.in_use, self._suspended = False, None

    def resume(self) -> None:
        state, self._suspended = self._suspended, None
        if state is not None and not self.restore(state):
            raise PartError(
                "llama.cpp failed to restore its cache.", "Use a larger context (-c), or fewer slots.", model=self
            )

    def close(self) -> None:
        """Closes the model and all others that share its context."""
        self.shared.close()

    # Implementation

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
        if self.shared.n_slots == 1:
            llama.llama_memory_clear(self._memory, False)
            self.shared.branches.forget_all()
        else:
            self._forget_after(0)
        self._length = self._snapshots = 0
        self._positions.keep(0)
        self._forget_states()

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

    def _logits(self, count: int) -> Logits:
        if count == 0:
            return np.empty((0, self.n_vocab), dtype=np.float32)
        place = (library.logits_address(self._context, self._output_row), count)
        if place not in self._views:
            floats = ctypes.c_float * self.n_vocab * count
            self._views = {place: np.ctypeslib.as_array(floats.from_address(place[0]))}
        return self._views[place]


def _is_picture(part: "PassPart[LlamaModel]") -> bool:
    return bool(part.tokens[0] <= FIRST_PICTURE)


def _address(data: NDArray[np.uint8]) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))

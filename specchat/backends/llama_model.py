"""The LanguageModel port over llama.cpp: a model and its cache."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import devices, library
from specchat.backends.binding import llama
from specchat.backends.chain_batch import ChainBatch
from specchat.backends.context import branch_limit, make_context
from specchat.backends.memory_log import parse_allocated_log
from specchat.backends.openmp import spin_control
from specchat.backends.rpc_registry import name_buffers
from specchat.backends.tree_batch import TreeBatch
from specchat.backends.vocabulary import Vocabulary
from specchat.backends.watched_states import WatchedStates
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError, Cancelled, ComputeError, ContextFullError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.proposal import count_branches, main_length
from specchat.domain.types import ModelSettings
from specchat.engine.state_history import StateHistory

_ABORTED = 2

Logits = NDArray[np.float32]
Tokens = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class CacheState:
    """A cache as it was."""

    tokens: Tokens
    data: NDArray[np.uint8]


class LlamaModel:
    n_passes = 0
    """Of all models, which tells that something is computed."""

    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
    ) -> None:
        self.settings = settings
        self._context: Any = None
        self._chain: ChainBatch | None = None
        self._tree: TreeBatch | None = None
        with library.capture_log() as log:
            self.weights = Weights(path, settings, cancel or CancelToken(), progress)
            try:
                self.weights.require_chat()
                self._context = make_context(self.weights, settings)
            except BaseException:
                self.close()
                raise
        names = [device.name for device in devices.available()]
        self.max_branches = branch_limit(self.weights, settings)
        outputs = (settings.max_draft + 1) / self.max_branches  # for each branch there is one from the start
        self.allocated: Mapping[str, MemoryBreakdown] = parse_allocated_log(name_buffers(log), names, outputs)
        """On each device."""
        self._spin_control = spin_control()
        self._n_threads = int(llama.llama_n_threads(self._context))
        self._memory = llama.llama_get_memory(self._context)
        self._n_ctx = int(llama.llama_n_ctx(self._context))
        recurrent = self.weights.is_recurrent
        self.max_rollback = int(llama.llama_n_rs_seq(self._context)) if recurrent else self._n_ctx
        self._chain = ChainBatch()
        self._cached = np.empty(self._n_ctx, dtype=np.int32)
        self._length = 0
        self._snapshots = 0
        self._watched: CancelToken | None = None
        self._views: dict[tuple[int, int], Logits] = {}
        self.max_batch = settings.max_draft + 1
        self._states: WatchedStates | None = None
        if self.max_branches > 1:
            self._tree = TreeBatch(self.max_branches)
        self._shared = [0] * self.max_branches
        """So many tokens of the text belong to each branch's sequence: the others follow when they are needed."""

    # What it is

    @property
    def context(self) -> Any:
        """For a head."""
        return self._context

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
        view = self._cached[: self._length]
        view.flags.writeable = False
        return view

    @property
    def end_tokens(self) -> list[int]:
        return self.vocabulary.end_tokens

    def is_end_token(self, token: int) -> bool:
        return self.vocabulary.is_end_token(token)

    def piece(self, token: int) -> bytes:
        return self.vocabulary.piece(token)

    # What it does

    @property
    def states(self) -> StateHistory | None:
        return self._states.history if self._states is not None else None

    def capture_layers(self, layers: Sequence[int]) -> None:
        llama.llama_set_embeddings(self._context, False)
        self._states = WatchedStates(self._context, layers, self.weights.n_embd) if layers else None

    def keep(self, length: int) -> int:
        length = self._known_to_drafters(length)
        if length >= self._length:
            self._forget_states()
            return self._length
        if self._can_return_to(length) and self._forget_after(length):
            self._length, self._snapshots = length, 0
            self._forget_states()
        else:
            self._clear()
        return self._length

    def _forget_after(self, length: int) -> bool:
        """In all sequences."""
        self._shared = [min(shared, length) for shared in self._shared]
        of_all = -1 if self._tree is not None else 0
        return bool(llama.llama_memory_seq_rm(self._memory, of_all, length, -1))

    def _known_to_drafters(self, length: int) -> int:
        """They go on from the state of the last token that is kept: without it, that token is read once more."""
        states, length = self.states, min(length, self._length)
        if states is None or not length or states.has(length - 1) or self.weights.is_recurrent:
            return length
        return length - 1

    def _forget_states(self) -> None:
        if self._states is not None:
            self._states.history.keep(self._length)

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        if n_logits > self.max_batch or (n_logits > 1 and len(tokens) > BATCH):
            raise BugError(f"{n_logits} logits of {len(tokens)} tokens; at most {self.max_batch}")
        self._require_room(len(tokens))
        self._watch(cancel)
        for at in range(0, len(tokens), BATCH):
            cancel.check()  # a GPU does not look at the flag
            chunk = tokens[at : at + BATCH]
            last = at + len(chunk) == len(tokens)
            self._decode(chunk, n_logits if last else 0, cancel)
        return self._logits(n_logits)

    def evaluate_tree(self, tokens: Tokens, parents: Sequence[int], cancel: CancelToken) -> Logits:
        n_logits, n_branches = len(parents) + 1, count_branches(parents)
        if self._tree is None or n_branches > self.max_branches or n_logits > self.max_batch or len(tokens) > BATCH:
            raise BugError(f"a tree of {len(parents)} tokens and {n_branches} branches")
        self._require_room(len(tokens))
        self._watch(cancel)
        cancel.check()
        length = self._length
        for branch in range(1, n_branches):
            if self._shared[branch] < length:
                llama.llama_memory_seq_cp(self._memory, 0, branch, self._shared[branch], -1)
                self._shared[branch] = length
        n_outputs = self._count_outputs(len(tokens), n_logits)
        self._run(self._tree.fill(tokens, parents, length, n_outputs), cancel)
        n_beside = len(parents) - main_length(parents)
        for branch in range(1, n_branches):
            llama.llama_memory_seq_rm(self._memory, branch, length, -1)
        llama.llama_memory_seq_rm(self._memory, 0, length + len(tokens) - n_beside, -1)
        self._add(tokens[: len(tokens) - n_beside], parents)
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
            llama.llama_set_embeddings(self._context, self._states is not None and self._states.has_outputs)

    # What it has read

    @property
    def state_bytes(self) -> int:
        """What `state` would take; 0: a part of such a state is no state, so keeping it is of no use."""
        if self.weights.is_recurrent or self.weights.attention_window:
            return 0
        return int(llama.llama_state_seq_get_size(self._context, 0))

    def state(self) -> CacheState:
        data = np.empty(self.state_bytes, dtype=np.uint8)
        written = llama.llama_state_seq_get_data(self._context, _address(data), data.nbytes, 0)
        return CacheState(self.cached.copy(), data[:written])

    def restore(self, state: CacheState) -> bool:
        """Otherwise nothing is left in the cache."""
        self._clear()
        read = llama.llama_state_seq_set_data(self._context, _address(state.data), state.data.nbytes, 0)
        if read != state.data.nbytes:
            self._clear()
            return False
        self._cached[: len(state.tokens)] = state.tokens
        self._length = len(state.tokens)
        return True

    def close(self) -> None:
        if self._chain is not None:
            self._chain.close()
            self._chain = None
        if self._tree is not None:
            self._tree.close()
            self._tree = None
        if self._context:
            llama.llama_free(self._context)
            self._context = None
        self.weights.close()

    # How

    def _watch(self, cancel: CancelToken) -> None:
        if cancel is not self._watched:
            self._watched = cancel
            llama.llama_set_abort_callback(self._context, library.non_empty_function(), ctypes.addressof(cancel.flag))

    def _require_room(self, n_tokens: int) -> None:
        if self._length + n_tokens > self._n_ctx:
            raise ContextFullError(
                "The context of {n} tokens is full.",
                "Use a larger context (-c), or start a new chat.",
                n=self._n_ctx,
            )

    def _decode(self, chunk: Tokens, n_logits: int, cancel: CancelToken) -> None:
        assert self._chain is not None
        n_outputs = self._count_outputs(len(chunk), n_logits)
        self._run(self._chain.fill(chunk, self._length, n_outputs), cancel)
        self._add(chunk)

    def _count_outputs(self, n_tokens: int, n_logits: int) -> int:
        return n_logits if self._states is None else self._states.count_outputs(n_tokens, n_logits, self.max_batch)

    def _run(self, batch: Any, cancel: CancelToken) -> None:
        code = self._pass(batch)
        if code == 0:
            return
        self._forget_unfinished()
        if code == _ABORTED or cancel.cancelled:
            raise Cancelled
        raise ComputeError(
            "llama.cpp failed (code {code}).",
            "This computer may have run out of memory. Use a smaller context (-c) or fewer GPU layers (-ngl).",
            code=code,
        )

    def _add(self, chunk: Tokens, parents: Sequence[int] = ()) -> None:
        """These are in the cache now. `parents`: of the tree that the pass ended with."""
        count = len(chunk)
        self._cached[self._length : self._length + count] = chunk
        if self._states is not None:
            self._states.read(self._length, count, parents)
        self._length += count
        self._snapshots = min(self.max_rollback, count - 1)

    def _pass(self, batch: Any) -> int:
        control = self._spin_control
        if control is not None:
            control.pass_begins(self._n_threads)
        try:
            return int(llama.llama_decode(self._context, batch))
        finally:
            LlamaModel.n_passes += 1
            if control is not None:
                control.pass_ends()

    def _forget_unfinished(self) -> None:
        """Parts of a failed batch may be in the cache, which this class does not count."""
        removable = self._length > 0 and not self.weights.is_recurrent
        if not (removable and self._forget_after(self._length)):
            self._clear()

    def _clear(self) -> None:
        llama.llama_memory_clear(self._memory, False)
        self._length = self._snapshots = 0
        self._shared = [0] * len(self._shared)
        self._forget_states()

    def _can_return_to(self, length: int) -> bool:
        if length <= 0:
            return False
        if self.weights.is_recurrent:  # the last batch left snapshots, good for one return
            return self._length - length <= self._snapshots
        # A sliding-window cache may have dropped tokens that the next one would look at.
        window = self.weights.attention_window
        return window == 0 or int(llama.llama_memory_seq_pos_min(self._memory, 0)) <= max(0, length - window)

    def _logits(self, count: int) -> Logits:
        if count == 0:
            return np.empty((0, self.n_vocab), dtype=np.float32)
        place = (library.logits_address(self._context, -count), count)
        if place not in self._views:
            floats = ctypes.c_float * self.n_vocab * count
            self._views = {place: np.ctypeslib.as_array(floats.from_address(place[0]))}
        return self._views[place]


def _address(data: NDArray[np.uint8]) -> Any:
    return data.ctypes.data_as(ctypes.POINTER(ctypes.c_uint8))

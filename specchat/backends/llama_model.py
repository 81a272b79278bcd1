"""The LanguageModel port over llama.cpp: one answer's part of a context, and the passes that compute it."""

import ctypes
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.cached_sequence import CachedSequence, Tokens
from specchat.backends.llama_context import LlamaContext
from specchat.backends.vocabulary import Vocabulary
from specchat.backends.weights import Progress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.errors import BugError
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.proposal import count_branches, main_length
from specchat.domain.types import ModelSettings
from specchat.engine.slot_scheduler import PassPart, SlotScheduler
from specchat.engine.tokens import FIRST_PICTURE, cut, picture_rows

Logits = NDArray[np.float32]


class LlamaModel(CachedSequence):
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
        super().__init__(
            beside.shared if beside is not None else LlamaContext(path, settings, cancel or CancelToken(), progress)
        )
        self.shared.models.append(self)
        self._views: dict[tuple[int, int], Logits] = {}
        self._output_row = -1
        """The row of the first logits in the latest pass; negative: from the end of its outputs."""
        self._max_batch = settings.max_draft + 1
        self.max_branches_alone = self.shared.max_branches
        """The maximum number of branches while only one answer is written."""

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
    def n_ctx_trained(self) -> int:
        return self.weights.n_ctx_train

    @property
    def end_tokens(self) -> list[int]:
        return self.vocabulary.end_tokens

    def is_end_token(self, token: int) -> bool:
        return self.vocabulary.is_end_token(token)

    def piece(self, token: int) -> bytes:
        return self.vocabulary.piece(token)

    # Computing

    def capture_layers(self, layers: Sequence[int]) -> None:
        self.shared.read_layers(layers)
        for model in self.shared.models:
            model._watch_states()

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
        if self.shared.media is not None:
            return cut(tokens, BATCH)
        return ((at, min(at + BATCH, len(tokens))) for at in range(0, len(tokens), BATCH))

    def _compute_picture(self, part: "PassPart[LlamaModel]", cancel: CancelToken) -> None:
        """There are no logits after it, as text follows."""
        media = self.shared.media
        if media is None or part.n_logits:
            raise BugError("a picture for a model that reads text only, or at the end")
        picture = media.part(part.tokens)
        if self.shared.layer_reader is not None:
            self.shared.layer_reader.expect_none()
        try:
            self.shared.read_media(picture, self.next_position, self.sequence, cancel)
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
        if self.shared.media is not None and (pictures := picture_rows(tokens)):  # its cache was lost
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

    def close(self) -> None:
        """Closes the model and all others that share its context."""
        self.shared.close()

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

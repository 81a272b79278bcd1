"""A llama.cpp context with its weights, and the passes that its answers share."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from specchat.backends import devices, library
from specchat.backends.batch_runner import BatchRunner
from specchat.backends.binding import llama
from specchat.backends.branch_sequences import BranchSequences
from specchat.backends.context import branch_limit, has_streams, make_context, slot_limit
from specchat.backends.media_encoder import MediaEncoder, MediaPart
from specchat.backends.memory_log import parse_allocated_log
from specchat.backends.pass_batch import PassBatch
from specchat.backends.rpc_registry import name_buffers
from specchat.backends.tree_batch import TreeBatch
from specchat.backends.watched_states import LayerReader
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH, most_outputs
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.engine.slot_scheduler import PassPart, SlotScheduler

if TYPE_CHECKING:
    from specchat.backends.cached_sequence import CachedSequence
    from specchat.backends.llama_model import LlamaModel


class LlamaContext(BatchRunner):
    def __init__(self, path: Path, settings: ModelSettings, cancel: CancelToken, progress: Progress) -> None:
        super().__init__()
        self.settings = settings
        self._batch: PassBatch | None = None
        self.tree: TreeBatch | None = None
        self.media: MediaEncoder | None = None
        """None: it reads text only."""
        self.layer_reader: LayerReader | None = None
        """None: there is no head that reads states."""
        with library.capture_log() as log:
            self.weights = Weights(path, settings, cancel, progress)
            try:
                self.weights.require_chat()
                self.own(make_context(self.weights, settings))
            except BaseException:
                self.close()
                raise
        names = [device.name for device in devices.available()]
        self.n_slots = slot_limit(self.weights, settings)
        self.max_branches = branch_limit(self.weights, settings)
        self.max_outputs = most_outputs(settings.max_draft, self.n_slots)
        n_sequences = self.n_slots + self.max_branches - 1
        """llama.cpp reserves one output per sequence from the start."""
        self.allocated: Mapping[str, MemoryBreakdown] = parse_allocated_log(
            name_buffers(log), names, self.max_outputs / n_sequences
        )
        """The allocated memory by device."""
        self.memory = llama.llama_get_memory(self.handle)
        self.branches = BranchSequences(self.memory, self.n_slots, self.max_branches - 1)
        self.n_ctx = int(llama.llama_n_ctx_seq(self.handle))
        self.is_draft = settings.guesses
        self.has_streams = has_streams(self.weights, settings)
        self.max_rows = BATCH
        """The maximum number of rows in a shared pass, without prompts. In exact mode, the self-test lowers it."""
        self.shares_passes = True
        """Whether answers share passes. In exact mode, only if the self-test found that these round the same way."""
        self.least_piece = BATCH if settings.exact else 1
        """The smallest piece of a prompt. In exact mode, the smallest that the self-test found to round the same."""
        self.scheduler: SlotScheduler | None = None
        self.models: list[LlamaModel] = []
        """The models of the slots."""
        if settings.mmproj is not None:
            self.media = MediaEncoder(settings.mmproj, self.weights, settings)
        self._nobody = CancelToken()
        """The token of shared passes, which is never canceled, because one answer can't stop a pass of others."""
        self._batch = PassBatch()
        if self.max_branches > 1:
            self.tree = TreeBatch(self.max_branches)

    @property
    def mixes_prompts(self) -> bool:
        """Whether a pass may contain prompts and steps of other answers. Not in exact mode, nor if a head needs the
        states of all rows of the steps, which a pass with a prompt has no room for.
        """
        reader = self.layer_reader
        return not (self.settings.exact or (reader is not None and reader.reads_outputs))

    def read_layers(self, layers: Sequence[int]) -> None:
        """From the next pass on, for heads."""
        llama.llama_set_embeddings(self.handle, False)
        self.layer_reader = LayerReader(self.handle, layers, self.weights.n_embd) if layers else None

    def count_outputs(self, parts: "Sequence[PassPart[LlamaModel]]") -> list[int]:
        """Returns how many of the last rows of each part are outputs of the next pass."""
        reader = self.layer_reader
        n_rows = sum(len(part.tokens) for part in parts)
        is_whole = reader is not None and reader.prepare_pass(n_rows, min(self.max_outputs, self.max_rows))
        return [len(part.tokens) if is_whole else part.n_logits for part in parts]

    def chain(self, part: "PassPart[LlamaModel]") -> Any:
        assert self._batch is not None
        model = part.model
        return self._batch.fill(part.tokens, model.next_position, self.count_outputs([part])[0], model.sequence)

    def compute(self, parts: "Sequence[PassPart[LlamaModel]]") -> None:
        """Computes all parts in one pass, sorted by sequence, because llama.cpp joins only adjacent ones in streams."""
        if len(parts) == 1:
            parts[0].model.compute(parts[0], self._nobody)
            return
        batch = self._batch
        assert batch is not None
        parts = sorted(parts, key=lambda part: part.model.sequence)
        batch.begin()
        outputs = self.count_outputs(parts)
        rows = [
            batch.add(part.tokens, part.model.next_position, n_outputs, part.model.sequence)
            for part, n_outputs in zip(parts, outputs, strict=True)
        ]
        try:
            self.run(batch.filled, self._nobody)
        except BaseException:
            for part in parts:
                part.model.forget_unfinished()
            raise
        for part, row in zip(parts, rows, strict=True):
            part.model.has_computed(part, row)

    def read_media(self, part: MediaPart, position: int, sequence: int, cancel: CancelToken) -> None:
        """In passes of its own."""
        assert self.media is not None
        media = self.media
        media.encode(part, cancel)
        cancel.check()
        self.run_call(lambda: media.decode(part, self.handle, position, sequence), cancel)

    # Room

    def admit(self, parts: "Sequence[PassPart[LlamaModel]]") -> "list[PassPart[LlamaModel]]":
        """Returns the parts that the common cache has room for, at least one; earlier answers come first. To make room,
        idle texts are removed first, then the caches of later answers, which are stored in RAM while these wait.
        """
        if self.has_streams or self.n_slots == 1:
            return list(parts)
        admitted: list[PassPart[LlamaModel]] = []
        reserved = 0
        for part in sorted(parts, key=lambda part: part.model.since):
            model = part.model
            needed = reserved + len(part.tokens) + model.n_suspended
            if self._free < needed:
                self._free_up(needed, model, [other.model for other in admitted])
            if self._free >= needed:
                model.resume()
                admitted.append(part)
                reserved += len(part.tokens)
        return admitted

    @property
    def has_room(self) -> bool:
        """Whether the common cache has a free cell."""
        return self.has_streams or self._free > 0

    @property
    def _free(self) -> int:
        return self.n_ctx - sum(model.n_held for model in self.models)

    def remove_idle(self, needed: int, wanted_by: "CachedSequence") -> None:
        """Removes idle texts from the common cache until it has room."""
        idle = [model for model in self.models if not model.in_use and model is not wanted_by]
        self._suspend(sorted(idle, key=lambda model: model.since), needed)

    def _free_up(self, needed: int, wanted_by: "LlamaModel", admitted: "Sequence[LlamaModel]") -> None:
        self.remove_idle(needed, wanted_by)
        others = [model for model in self.models if model.in_use and model not in (wanted_by, *admitted)]
        self._suspend(
            [m for m in sorted(others, key=lambda m: -m.since) if m.since > wanted_by.since or not admitted], needed
        )

    def _suspend(self, models: "Sequence[LlamaModel]", needed: int) -> None:
        for model in models:
            if self._free >= needed:
                return
            model.suspend()

    def close(self) -> None:
        if self._batch is not None:
            self._batch.close()
            self._batch = None
        if self.tree is not None:
            self.tree.close()
            self.tree = None
        if self.media is not None:
            self.media.close()
            self.media = None
        self.free()
        self.weights.close()

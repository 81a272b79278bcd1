"""The llama.cpp context of a head, with a sequence for each answer."""

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from specchat.backends import devices, head_functions, library
from specchat.backends.batch_runner import BatchRunner
from specchat.backends.binding import llama
from specchat.backends.context import make_head_context
from specchat.backends.head_batch import HeadBatch, HeadRows, States
from specchat.backends.memory_log import parse_allocated_log
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import HEAD_BATCH
from specchat.domain.errors import ComputeError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import LAST_STATE, ModelSettings
from specchat.engine.slot_scheduler import PassPart

if TYPE_CHECKING:
    from specchat.backends.llama_head import LlamaHead
    from specchat.backends.llama_model import LlamaModel


class HeadContext(BatchRunner):
    is_draft = True
    max_outputs = max_rows = HEAD_BATCH
    least_piece = 1
    mixes_prompts = False
    """Each head reads prompts in passes of its own."""

    def __init__(
        self,
        kind: HeadKind,
        target: "LlamaModel",
        path: Path | None,
        settings: ModelSettings,
        cancel: CancelToken,
        progress: Progress,
    ) -> None:
        """`path`: None if the head is in the target's file."""
        super().__init__()
        settings = replace(settings, slots=min(settings.n_slots, target.shared.n_slots))
        self.kind = kind
        self._own_weights: Weights | None = None
        with library.capture_log() as log:
            if path is not None:
                self._own_weights = Weights(path, settings, cancel, progress)
            self.weights = self._own_weights or target.weights
            try:
                self.own(make_head_context(self.weights, settings, kind, target.context, target.settings))
            except BaseException:
                self.close()
                raise
        names = [device.name for device in devices.available()]
        self.allocated: Mapping[str, MemoryBreakdown] = parse_allocated_log(log, names, HEAD_BATCH / settings.n_slots)
        """llama.cpp reserves one output per sequence from the start."""
        self.n_ctx = int(llama.llama_n_ctx_seq(self.handle))
        self.memory = llama.llama_get_memory(self.handle)
        self.target_width = target.weights.n_embd
        self._batch = HeadBatch(self.weights)
        model = self.weights.handle
        self.selector_width = head_functions.selector_width(model) if kind.guesses_blocks else 0
        self.n_layers = max(1, int(llama.llama_model_n_layer_nextn(model)))
        head_functions.enable_states(self.handle, outputs_only=not self.selector_width)
        if kind.guesses_blocks:
            causal = self.weights.metadata("dflash.attention.causal") == "true"
            llama.llama_set_causal_attn(self.handle, causal)
        self.layers = self._layers_of(target)
        self.shares_passes = self.n_layers == 1 and not self.weights.shares_cache
        """Whether answers share passes. Not if each guess uses another layer, nor in a cache that is the target's."""
        self._nobody = CancelToken()
        """The token of shared passes, as in `LlamaContext`."""

    def _layers_of(self, target: "LlamaModel") -> Sequence[int]:
        """Returns the target's layers that it reads."""
        found = head_functions.target_layers(self.weights.handle) if self.kind.reads_layers else [LAST_STATE]
        n_target_layers = int(llama.llama_model_n_layer(target.weights.handle))
        return [LAST_STATE if layer == n_target_layers else layer for layer in found]

    def encode(self, rows: HeadRows, cancel: CancelToken) -> States:
        """Returns the encoder's results, as a view that the next pass invalidates."""
        cancel.check()  # a GPU doesn't check the flag
        batch = self._batch.fill([rows])
        self.run_call(lambda: llama.llama_encode(self.handle, batch), cancel)
        return self.states(rows.n_rows)

    def decode(self, parts: Sequence[HeadRows], cancel: CancelToken) -> None:
        cancel.check()
        self.run(self._batch.fill(parts), cancel)

    # Shared passes

    def admit(self, parts: "Sequence[PassPart[LlamaHead]]") -> "list[PassPart[LlamaHead]]":
        return list(parts)

    def compute(self, parts: "Sequence[PassPart[LlamaHead]]") -> None:
        """Computes all parts in one pass, sorted by sequence, because llama.cpp joins only adjacent ones in streams."""
        heads = sorted((part.model for part in parts), key=lambda head: head.sequence)
        rows = [head.take_rows() for head in heads]
        self.decode(rows, self._nobody)
        first = 0
        for head, each in zip(heads, rows, strict=True):
            head.has_guessed(first, each.n_logits)
            first += each.n_rows

    def states(self, count: int) -> States:
        return floats_at(head_functions.states(self.handle), count, self.weights.n_embd)

    def logits(self, row: int, count: int) -> NDArray[np.float32]:
        return floats_at(library.logits_address(self.handle, row), count, self.weights.vocabulary.size)

    def close(self) -> None:
        self.free()
        if self._own_weights is not None:
            self._own_weights.close()

    def _failure(self, code: int) -> ComputeError:
        return ComputeError(
            "The draft head failed (llama.cpp code {code}).",
            "This computer may have run out of memory. Use a smaller context (-c).",
            code=code,
        )


def floats_at(address: int, rows: int, width: int) -> NDArray[np.float32]:
    return np.ctypeslib.as_array((ctypes.c_float * width * rows).from_address(address))

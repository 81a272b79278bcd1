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
from specchat.backends.head_batch import HeadBatch, States, Tokens
from specchat.backends.memory_log import parse_allocated_log
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import HEAD_BATCH
from specchat.domain.errors import ComputeError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import LAST_STATE, ModelSettings

if TYPE_CHECKING:
    from specchat.backends.llama_model import LlamaModel


class HeadContext(BatchRunner):
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
        settings = replace(settings, slots=min(settings.slots, target.shared.n_slots))
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
        self.allocated: Mapping[str, MemoryBreakdown] = parse_allocated_log(log, names, HEAD_BATCH / settings.slots)
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

    def _layers_of(self, target: "LlamaModel") -> Sequence[int]:
        """Returns the target's layers that it reads."""
        found = head_functions.target_layers(self.weights.handle) if self.kind.reads_layers else [LAST_STATE]
        n_target_layers = int(llama.llama_model_n_layer(target.weights.handle))
        return [LAST_STATE if layer == n_target_layers else layer for layer in found]

    def encode(self, states: States, place: int, sequence: int, cancel: CancelToken) -> States:
        """Returns the encoder's results, as a view that the next pass invalidates."""
        batch = self._batch.of_states(states, place, sequence)
        self._batch.want(len(states))
        cancel.check()
        self.run_call(lambda: llama.llama_encode(self.handle, batch), cancel)
        return self.states(len(states))

    def compute(
        self,
        place: int,
        tokens: Tokens | None,
        states: States | None,
        n_logits: int,
        sequence: int,
        cancel: CancelToken,
    ) -> None:
        cancel.check()  # a GPU doesn't check the flag
        if tokens is not None:
            batch = self._batch.of(tokens, states, place, sequence)
        else:
            assert states is not None
            batch = self._batch.of_states(states, place, sequence)
        self._batch.want(n_logits)
        self.run(batch, cancel)

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

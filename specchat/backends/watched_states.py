"""Reads the states that heads need from a context's layers after each pass."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import head_functions, library
from specchat.backends.binding import llama
from specchat.domain.compute_settings import STATES_KEPT
from specchat.domain.proposal import main_length
from specchat.domain.types import LAST_STATE, OUTPUT_STATE
from specchat.engine.state_history import StateHistory

States = NDArray[np.float32]


class LayerReader:
    """Reads layers of a context, for all answers that share it."""

    def __init__(self, context: Any, layers: Sequence[int], width: int) -> None:
        self._context, self._layers, self._width = context, tuple(layers), width
        self.total_width = len(self._layers) * width
        self.reads_outputs = OUTPUT_STATE in self._layers
        """Whether it reads the states of the output layer."""
        self.has_outputs = False
        """Whether the latest pass computed these."""
        for layer in layers:
            if layer == OUTPUT_STATE:  # enabled for each pass
                continue
            if layer == LAST_STATE:
                head_functions.enable_states(context, outputs_only=False)
            else:
                head_functions.enable_layer_input(context, layer)

    def prepare_pass(self, n_rows: int, most: int) -> bool:
        """Returns whether all rows need logits. llama.cpp computes the output layer's states for all rows of a pass,
        together with their logits, or for none.
        """
        self._compute_outputs(self.reads_outputs and n_rows <= most)
        return self.has_outputs

    def expect_none(self) -> None:
        """Of the next pass, which reads a picture: what follows it is guessed from its text."""
        self._compute_outputs(False)

    def _compute_outputs(self, wanted: bool) -> None:
        if wanted != self.has_outputs:
            llama.llama_set_embeddings(self._context, wanted)
            self.has_outputs = wanted

    def copy(self, first: int, found: States) -> None:
        """Copies rows of the latest pass, from `first` on. The next pass overwrites them."""
        width, n_floats = self._width, self._width * len(found)
        for i, layer in enumerate(self._layers):
            address = self._address(layer)
            if address:
                floats = (ctypes.c_float * n_floats).from_address(address + 4 * width * first)
                found[:, i * width : (i + 1) * width] = np.ctypeslib.as_array(floats).reshape(-1, width)
            else:
                found[:, i * width : (i + 1) * width] = 0

    def _address(self, layer: int) -> int:
        """Returns the address of a layer's states. 0 if they were not computed."""
        if layer == OUTPUT_STATE:
            return library.states_address(self._context) if self.has_outputs else 0
        if layer == LAST_STATE:
            return head_functions.states(self._context)
        return head_functions.layer_input(self._context, layer)


class WatchedStates:
    """The states of one answer's text."""

    def __init__(self, reader: LayerReader) -> None:
        self._reader = reader
        self.history = StateHistory(reader.total_width, STATES_KEPT)
        self._n_main = 0
        self._beside = np.empty((0, self.history.width), dtype=np.float32)
        """The states of the latest tree's tokens after its main branch."""

    def read(self, position: int, count: int, first: int, parents: Sequence[int]) -> None:
        """Reads the states of `count` tokens. `first`: their first row in the pass. `parents`: of the tree there."""
        history = self.history
        history.keep(position)
        self._n_main = main_length(parents)
        n_beside = len(parents) - self._n_main
        if not n_beside:
            self._reader.copy(first, history.add(position, count))
            return
        found = np.empty((count + n_beside, history.width), dtype=np.float32)
        self._reader.copy(first, found)
        history.add(position, count)[:], self._beside = found[:count], found[count:]

    def adopt(self, rows: Sequence[int]) -> None:
        """Keeps rows of the latest tree as the states of the next tokens."""
        for row in rows:
            self.history.add(self.history.end, 1)[:] = self._beside[row - self._n_main]

"""The states that heads want of a context's layers, read after each pass."""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from specchat.backends import head_functions, library
from specchat.backends.binding import llama
from specchat.domain.compute_settings import STATES_KEPT
from specchat.domain.proposal import main_length
from specchat.domain.types import LAST_STATE, OUTPUT_STATE
from specchat.engine.state_history import StateHistory


class WatchedStates:
    def __init__(self, context: Any, layers: Sequence[int], width: int) -> None:
        self._context, self._layers, self._width = context, tuple(layers), width
        self.has_outputs = False
        """Of the latest pass."""
        self.history = StateHistory(len(layers) * width, STATES_KEPT)
        self._n_main = 0
        self._beside = np.empty((0, self.history.width), dtype=np.float32)
        """Of the latest tree, those of what comes after its main branch."""
        for layer in layers:
            if layer == OUTPUT_STATE:  # wanted pass by pass
                continue
            if layer == LAST_STATE:
                head_functions.enable_states(context, outputs_only=False)
            else:
                head_functions.enable_layer_input(context, layer)

    def count_outputs(self, n_tokens: int, n_logits: int, max_batch: int) -> int:
        """llama.cpp has the output's states of all tokens of a pass, with their logits, or of none."""
        is_whole = OUTPUT_STATE in self._layers and n_tokens <= max_batch
        if is_whole != self.has_outputs:
            llama.llama_set_embeddings(self._context, is_whole)
            self.has_outputs = is_whole
        return n_tokens if is_whole else n_logits

    def expect_none(self) -> None:
        """Of the next pass, which reads a picture: what follows it is guessed from its text."""
        if self.has_outputs:
            llama.llama_set_embeddings(self._context, False)
            self.has_outputs = False

    def read(self, position: int, count: int, parents: Sequence[int]) -> None:
        """The next pass overwrites them. `parents`: of the tree that the pass ended with."""
        history, width = self.history, self._width
        history.keep(position)
        self._n_main = main_length(parents)
        n_beside = len(parents) - self._n_main
        shape = (count + n_beside, history.width)
        found = np.empty(shape, dtype=np.float32) if n_beside else history.add(position, count)
        floats = ctypes.c_float * width * len(found)
        for i, layer in enumerate(self._layers):
            address = self._address(layer)
            rows = np.ctypeslib.as_array(floats.from_address(address)) if address else 0
            found[:, i * width : (i + 1) * width] = rows
        if n_beside:
            history.add(position, count)[:], self._beside = found[:count], found[count:]

    def adopt(self, rows: Sequence[int]) -> None:
        """Keeps rows of the latest tree as the states of the next tokens."""
        for row in rows:
            self.history.add(self.history.end, 1)[:] = self._beside[row - self._n_main]

    def _address(self, layer: int) -> int:
        """0: they were not computed."""
        if layer == OUTPUT_STATE:
            return library.states_address(self._context) if self.has_outputs else 0
        if layer == LAST_STATE:
            return head_functions.states(self._context)
        return head_functions.layer_input(self._context, layer)

"""Runs batches in a llama.cpp context: each can be cancelled, and what fails is told."""

import ctypes
from collections.abc import Callable
from typing import Any

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.openmp import SpinControl, spin_control
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ComputeError

_ABORTED = 2


class BatchRunner:
    n_passes = 0
    """Of all contexts, which tells that something is computed."""

    def __init__(self) -> None:
        self.handle: Any = None
        self._spin_control: SpinControl | None = None
        self._n_threads = 0
        self._encodes = False
        self._watched: CancelToken | None = None
        self.n_passes_here = 0

    def own(self, handle: Any, *, encodes: bool = False) -> None:
        """`encodes`: its model has no part that llama.cpp decodes with."""
        self.handle = handle
        self._encodes = encodes
        self._spin_control = spin_control()
        self._n_threads = int(llama.llama_n_threads(handle))

    def run(self, batch: Any, cancel: CancelToken) -> None:
        self._watch(cancel)
        self._check(self._decode(batch))

    def run_call(self, compute: Callable[[], int], cancel: CancelToken) -> None:
        """`compute` makes a pass, and returns llama.cpp's code."""
        self._watch(cancel)
        self._check(self._pass(compute))

    def free(self) -> None:
        if self.handle:
            llama.llama_free(self.handle)
            self.handle = None

    def _watch(self, cancel: CancelToken) -> None:
        if cancel is not self._watched:
            self._watched = cancel
            llama.llama_set_abort_callback(self.handle, library.non_empty_function(), ctypes.addressof(cancel.flag))

    def _check(self, code: int) -> None:
        if code == 0:
            return
        if code == _ABORTED or (self._watched is not None and self._watched.cancelled):
            raise Cancelled
        raise self._failure(code)

    def _failure(self, code: int) -> ComputeError:
        return ComputeError(
            "llama.cpp failed (code {code}).",
            "This computer may have run out of memory. Use a smaller context (-c) or fewer GPU layers (-ngl).",
            code=code,
        )

    def _decode(self, batch: Any) -> int:
        return self._pass(llama.llama_encode if self._encodes else llama.llama_decode, self.handle, batch)

    def _pass(self, compute: Callable[..., int], *arguments: Any) -> int:
        control = self._spin_control
        if control is not None:
            control.pass_begins(self._n_threads)
        try:
            return int(compute(*arguments))
        finally:
            BatchRunner.n_passes += 1
            self.n_passes_here += 1
            if control is not None:
                control.pass_ends()

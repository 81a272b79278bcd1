"""Computes with matrices on a device, using ggml, for heads that llama.cpp doesn't support."""

import ctypes
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.backends import library
from specchat.domain.errors import ComputeError, ModelLoadError
from specchat.domain.medusa import F32

Floats = NDArray[np.float32]
Tensor = Any
Build = Callable[["Formula", Tensor], Tensor]

_POINTER, _SIZE, _INT64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64
_GRAPH_NODES = 256
"""The maximum number of tensors in one formula."""


class _InitParams(ctypes.Structure):
    _fields_ = (("mem_size", _SIZE), ("mem_buffer", _POINTER), ("no_alloc", ctypes.c_bool))


_SIGNATURES: dict[str, tuple[list[Any], Any]] = {
    "ggml_tensor_overhead": ([], _SIZE),
    "ggml_graph_overhead": ([], _SIZE),
    "ggml_init": ([_InitParams], _POINTER),
    "ggml_free": ([_POINTER], None),
    "ggml_new_tensor_2d": ([_POINTER, ctypes.c_int, _INT64, _INT64], _POINTER),
    "ggml_nbytes": ([_POINTER], _SIZE),
    "ggml_mul_mat": ([_POINTER] * 3, _POINTER),
    "ggml_add": ([_POINTER] * 3, _POINTER),
    "ggml_silu": ([_POINTER] * 2, _POINTER),
    "ggml_new_graph": ([_POINTER], _POINTER),
    "ggml_build_forward_expand": ([_POINTER] * 2, None),
    "ggml_set_input": ([_POINTER], None),
    "ggml_set_output": ([_POINTER], None),
    "ggml_quantize_chunk": ([ctypes.c_int, _POINTER, _POINTER, _INT64, _INT64, _INT64, _POINTER], _SIZE),
    "ggml_gallocr_new": ([_POINTER], _POINTER),
    "ggml_gallocr_alloc_graph": ([_POINTER] * 2, ctypes.c_bool),
    "ggml_gallocr_free": ([_POINTER], None),
    "ggml_backend_alloc_ctx_tensors": ([_POINTER] * 2, _POINTER),
    "ggml_backend_buffer_free": ([_POINTER], None),
    "ggml_backend_buffer_get_size": ([_POINTER], _SIZE),
    "ggml_backend_dev_init": ([_POINTER, ctypes.c_char_p], _POINTER),
    "ggml_backend_dev_name": ([_POINTER], ctypes.c_char_p),
    "ggml_backend_dev_supports_op": ([_POINTER] * 2, ctypes.c_bool),
    "ggml_backend_dev_backend_reg": ([_POINTER], _POINTER),
    "ggml_backend_free": ([_POINTER], None),
    "ggml_backend_get_default_buffer_type": ([_POINTER], _POINTER),
    "ggml_backend_graph_compute": ([_POINTER] * 2, ctypes.c_int),
    "ggml_backend_reg_get_proc_address": ([_POINTER, ctypes.c_char_p], _POINTER),
    "ggml_backend_tensor_set": ([_POINTER, _POINTER, _SIZE, _SIZE], None),
    "ggml_backend_tensor_get": ([_POINTER, _POINTER, _SIZE, _SIZE], None),
}
_SetThreads = ctypes.CFUNCTYPE(None, _POINTER, ctypes.c_int)


@cache
def function(name: str) -> Any:
    found = library.ggml_function(name)
    found.argtypes, found.restype = _SIGNATURES[name]
    return found


def quantize(type_number: int, rows: Floats) -> NDArray[np.uint8]:
    """Quantizes rows to ggml's storage format."""
    n_rows, n_columns = rows.shape
    room = np.empty(rows.nbytes, dtype=np.uint8)
    size = function("ggml_quantize_chunk")(type_number, rows.ctypes.data, room.ctypes.data, 0, n_rows, n_columns, None)
    return room[:size]


class Formula:
    """The steps of a computation."""

    def __init__(self) -> None:
        size = function("ggml_tensor_overhead")() * _GRAPH_NODES + function("ggml_graph_overhead")()
        self.context = function("ggml_init")(_InitParams(size, None, True))

    def matrix(self, type_number: int, n_columns: int, n_rows: int) -> Tensor:
        return function("ggml_new_tensor_2d")(self.context, type_number, n_columns, n_rows)

    def rows(self, n_rows: int, n_columns: int) -> Tensor:
        return self.matrix(F32, n_columns, n_rows)

    def product(self, matrix: Tensor, rows: Tensor) -> Tensor:
        return function("ggml_mul_mat")(self.context, matrix, rows)

    def sum(self, one: Tensor, other: Tensor) -> Tensor:
        return function("ggml_add")(self.context, one, other)

    def silu(self, rows: Tensor) -> Tensor:
        return function("ggml_silu")(self.context, rows)

    def close(self) -> None:
        function("ggml_free")(self.context)


def can_multiply(handle: int, type_number: int, n_columns: int, n_rows: int) -> bool:
    """Returns whether a device supports a matrix type; otherwise ggml would end the process."""
    formula = Formula()
    try:
        product = formula.product(formula.matrix(type_number, n_columns, n_rows), formula.rows(1, n_columns))
        return bool(function("ggml_backend_dev_supports_op")(handle, product))
    finally:
        formula.close()


class GgmlDevice:
    """A ggml device that stores matrices. Call `allocate` after `add` and before `fill`."""

    def __init__(self, handle: int, n_threads: int, n_matrices: int) -> None:
        self.n_bytes = 0
        """The memory allocated for the matrices."""
        with ExitStack() as undo:
            self._backend = _started(handle)
            undo.callback(function("ggml_backend_free"), self._backend)
            self._context = function("ggml_init")(
                _InitParams(function("ggml_tensor_overhead")() * (n_matrices + 1), None, True)
            )
            undo.callback(function("ggml_free"), self._context)
            buffer_type = function("ggml_backend_get_default_buffer_type")(self._backend)
            self._allocator = function("ggml_gallocr_new")(buffer_type)
            undo.callback(function("ggml_gallocr_free"), self._allocator)
            _set_threads(handle, self._backend, n_threads)
            self._owned = undo.pop_all()

    def add(self, type_number: int, n_columns: int, n_rows: int) -> Tensor:
        return function("ggml_new_tensor_2d")(self._context, type_number, n_columns, n_rows)

    def allocate(self) -> bool:
        buffer = function("ggml_backend_alloc_ctx_tensors")(self._context, self._backend)
        if not buffer:
            return False
        self._owned.callback(function("ggml_backend_buffer_free"), buffer)
        self.n_bytes = int(function("ggml_backend_buffer_get_size")(buffer))
        return True

    def fill(self, tensor: Tensor, parts: Iterable[NDArray[Any]]) -> None:
        """Fills a tensor with these parts, one after another."""
        at = 0
        for part in parts:
            function("ggml_backend_tensor_set")(tensor, part.ctypes.data, at, part.nbytes)
            at += part.nbytes

    def compute(self, build: Build, rows: Floats) -> Floats:
        """Returns one row of results for each input row."""
        formula = Formula()
        try:
            given = formula.rows(*rows.shape)
            function("ggml_set_input")(given)
            result = build(formula, given)
            function("ggml_set_output")(result)
            graph = function("ggml_new_graph")(formula.context)
            function("ggml_build_forward_expand")(graph, result)
            if not function("ggml_gallocr_alloc_graph")(self._allocator, graph):
                raise _failed(-2)
            rows = np.ascontiguousarray(rows, dtype=np.float32)
            self.fill(given, [rows])
            if code := function("ggml_backend_graph_compute")(self._backend, graph):
                raise _failed(code)
            found = np.empty((len(rows), function("ggml_nbytes")(result) // 4 // len(rows)), dtype=np.float32)
            function("ggml_backend_tensor_get")(result, found.ctypes.data, 0, found.nbytes)
            return found
        finally:
            formula.close()

    def close(self) -> None:
        self._owned.close()


def _started(handle: int) -> Any:
    if backend := function("ggml_backend_dev_init")(handle, None):
        return backend
    raise ModelLoadError(
        "{device} can't be used for the draft.",
        "Choose another device (-devd), or no draft layers on the GPU (-ngld 0).",
        device=function("ggml_backend_dev_name")(handle).decode("utf-8", "replace"),
    )


def _set_threads(handle: int, backend: Any, n_threads: int) -> None:
    """Sets the number of threads if the backend has a function for this; GPUs don't."""
    registry = function("ggml_backend_dev_backend_reg")(handle)
    address = function("ggml_backend_reg_get_proc_address")(registry, b"ggml_backend_set_n_threads")
    if address:
        _SetThreads(address)(backend, n_threads)


def _failed(code: int) -> ComputeError:
    return ComputeError(
        "The draft head failed (llama.cpp code {code}).",
        "This computer may have run out of memory. Use a smaller context (-c).",
        code=code,
    )

"""Detects weights that the CPU backend repacks, which keeps a second copy in memory."""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import SimpleNamespace
from typing import Any

from specchat.backends import library
from specchat.backends.memory_measurer import TiedEmbedding

_CPU, _F32 = 0, 0
_ROOM = 1 << 16
_ROWS = 16
"""Repacked layouts group rows by powers of two up to this."""
_GetTypes = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_void_p)


class _Room(ctypes.Structure):
    _fields_ = (("size", ctypes.c_size_t), ("memory", ctypes.c_void_p), ("no_alloc", ctypes.c_bool))


@cache
def is_repacked(weight: TiedEmbedding) -> bool:
    return any(_takes(buffer_type, weight) for buffer_type in _extra_buffer_types())


def _takes(buffer_type: int, weight: TiedEmbedding) -> bool:
    """Decides like llama.cpp whether a product with this weight could be computed from this buffer type."""
    ggml = _functions()
    with _scratch() as scratch:
        tensor = ggml.ggml_new_tensor_2d(scratch, weight.type, weight.width, _ROWS + weight.n_vocab % _ROWS)
        other = ggml.ggml_new_tensor_2d(scratch, _F32, weight.width, 1)
        product = ggml.ggml_mul_mat(scratch, tensor, other)
        buffer = ggml.ggml_backend_buft_alloc_buffer(buffer_type, ggml.ggml_nbytes(tensor))
        try:
            ggml.ggml_backend_tensor_alloc(buffer, tensor, ggml.ggml_backend_buffer_get_base(buffer))
            return bool(ggml.ggml_backend_dev_supports_op(ggml.ggml_backend_dev_by_type(_CPU), product))
        finally:
            ggml.ggml_backend_buffer_free(buffer)


@contextmanager
def _scratch() -> Iterator[int]:
    ggml = _functions()
    scratch = ggml.ggml_init(_Room(_ROOM, None, True))
    try:
        yield scratch
    finally:
        ggml.ggml_free(scratch)


def _extra_buffer_types() -> list[int]:
    ggml = _functions()
    device = ggml.ggml_backend_dev_by_type(_CPU)
    register = ggml.ggml_backend_dev_backend_reg(device)
    address = ggml.ggml_backend_reg_get_proc_address(register, b"ggml_backend_dev_get_extra_bufts")
    types = _GetTypes(address)(device) if address else None
    found: list[int] = []
    while types and (buffer_type := types[len(found)]):
        found.append(buffer_type)
    return found


_P, _SIZE = ctypes.c_void_p, ctypes.c_size_t
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "ggml_init": (_P, _Room),
    "ggml_free": (None, _P),
    "ggml_new_tensor_2d": (_P, _P, ctypes.c_int, ctypes.c_int64, ctypes.c_int64),
    "ggml_mul_mat": (_P, _P, _P, _P),
    "ggml_nbytes": (_SIZE, _P),
    "ggml_backend_buft_alloc_buffer": (_P, _P, _SIZE),
    "ggml_backend_buffer_get_base": (_P, _P),
    "ggml_backend_buffer_free": (None, _P),
    "ggml_backend_tensor_alloc": (ctypes.c_int, _P, _P, _P),
    "ggml_backend_dev_by_type": (_P, ctypes.c_int),
    "ggml_backend_dev_backend_reg": (_P, _P),
    "ggml_backend_dev_supports_op": (ctypes.c_bool, _P, _P),
    "ggml_backend_reg_get_proc_address": (_P, _P, ctypes.c_char_p),
}
"""The return type of each function, then its parameter types."""


@cache
def _functions() -> SimpleNamespace:
    library.start()
    return library.ggml_functions(_SIGNATURES)

"""GGUF files from plain values: metadata of the obvious types, tensors made when their turn comes."""

import struct
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from support.quantise import SIZED, encode

Floats = NDArray[np.float32]
Value = (
    bool | int | float | str | np.uint16 | np.int32 | Sequence[bool] | Sequence[int] | Sequence[float] | Sequence[str]
)

ALIGNMENT = 32
UINT16, UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY = 2, 4, 5, 6, 7, 8, 9


@dataclass(frozen=True)
class Tensor:
    """`shape` is numpy's: the row length, which is what gets quantised, stands last."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    make: Callable[[], Floats]

    @property
    def nbytes(self) -> int:
        form = SIZED[self.dtype]
        if self.shape[-1] % form.block:
            raise ValueError(f"{self.name}: rows of {self.shape[-1]} are no multiple of {form.block}")
        return prod(self.shape) // form.block * form.block_bytes


def write_gguf(path: Path, metadata: Mapping[str, Value], tensors: Sequence[Tensor], threads: int = 1) -> None:
    """`threads`: tensors that are made at once."""
    with path.open("wb") as file, ThreadPoolExecutor(threads) as executor:
        _write_header(file, metadata, tensors)
        for start in range(0, len(tensors), threads):
            for encoded in executor.map(_encoded, tensors[start : start + threads]):
                file.write(encoded)
                _pad(file)


def _encoded(tensor: Tensor) -> bytes:
    return encode(tensor.make(), tensor.dtype)


def write_sparse_gguf(path: Path, metadata: Mapping[str, Value], tensors: Sequence[Tensor]) -> None:
    """As long as with its weights, which read as zeros and take no room."""
    with path.open("wb") as file:
        _write_header(file, metadata, tensors)
        file.truncate(file.tell() + sum(_padded(tensor.nbytes) for tensor in tensors))


def _write_header(file: BinaryIO, metadata: Mapping[str, Value], tensors: Sequence[Tensor]) -> None:
    file.write(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
    for key, value in metadata.items():
        file.write(_string(key) + _value(value))
    file.write(_tensor_infos(tensors))
    _pad(file)


def _tensor_infos(tensors: Sequence[Tensor]) -> bytes:
    infos = bytearray()
    offset = 0
    for tensor in tensors:
        dims = tensor.shape[::-1]
        code = SIZED[tensor.dtype].code
        infos += _string(tensor.name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, code, offset)
        offset += _padded(tensor.nbytes)
    return bytes(infos)


def _padded(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _pad(file: BinaryIO) -> None:
    file.write(bytes(-file.tell() % ALIGNMENT))


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Value) -> bytes:
    if isinstance(value, str | bool | int | float | np.uint16 | np.int32):
        return struct.pack("<I", _code(value)) + _scalar(value)
    items: Sequence[Any] = value
    code = INT32 if _code(items[0]) == UINT32 else _code(items[0])
    if code == INT32:
        payload = np.asarray(items, "<i4").tobytes()
    elif code == FLOAT32:
        payload = np.asarray(items, "<f4").tobytes()
    else:
        payload = b"".join(_scalar(item) for item in items)
    return struct.pack("<IIQ", ARRAY, code, len(items)) + payload


def _code(value: bool | int | float | str | np.uint16 | np.int32) -> int:
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, np.uint16 | np.int32):
        return UINT16 if isinstance(value, np.uint16) else INT32
    if isinstance(value, int):
        return UINT32 if value >= 0 else INT32
    return FLOAT32 if isinstance(value, float) else STRING


def _scalar(value: bool | int | float | str | np.uint16 | np.int32) -> bytes:
    if isinstance(value, str):
        return _string(value)
    return struct.pack({UINT16: "<H", BOOL: "<?", UINT32: "<I", INT32: "<i", FLOAT32: "<f"}[_code(value)], value)

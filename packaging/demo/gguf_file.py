"""Writes and reads GGUF: metadata of the obvious types, matrices as Q8_0, vectors as F32."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

Value = bool | int | float | str | Sequence[int] | Sequence[str]
Floats = NDArray[np.float32]

FILE_TYPE_Q8_0 = 7
_F32, _Q8_0 = 0, 8
_UINT32, _INT32, _FLOAT32, _BOOL, _STRING, _ARRAY = 4, 5, 6, 7, 8, 9
_FORMS = {_UINT32: "<I", _INT32: "<i", _FLOAT32: "<f", _BOOL: "<?"}
_ALIGNMENT = 32
_BLOCK = 32


def write_gguf(path: Path, metadata: Mapping[str, Value], tensors: Mapping[str, Floats]) -> None:
    head = bytearray(b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata)))
    for key, value in metadata.items():
        head += _string(key) + _value(value)
    data = bytearray()
    for name, values in tensors.items():
        kind = _F32 if values.ndim == 1 else _Q8_0
        dimensions = values.shape[::-1]
        head += _string(name) + struct.pack(f"<I{len(dimensions)}QIQ", len(dimensions), *dimensions, kind, len(data))
        data += values.astype("<f4").tobytes() if kind == _F32 else q8_0(values)
        data += bytes(-len(data) % _ALIGNMENT)
    head += bytes(-len(head) % _ALIGNMENT)
    path.write_bytes(head + data)


def q8_0(values: Floats) -> bytes:
    """Blocks of 32 with one half-precision scale, rounded as ggml rounds them."""
    blocks = values.reshape(-1, _BLOCK)
    scales = (np.abs(blocks).max(axis=1, keepdims=True) / 127).astype(np.float32)
    inverse = np.divide(1, scales, out=np.zeros_like(scales), where=scales != 0)
    quants = np.rint(blocks * inverse).astype(np.int8)
    return np.hstack([scales.astype("<f2").view(np.uint8), quants.view(np.uint8)]).tobytes()


def read_gguf(path: Path) -> tuple[dict[str, Value], dict[str, Floats]]:
    """What `write_gguf` wrote; matrices as their quants say."""
    reader = _Reader(path.read_bytes())
    magic, version, n_tensors, n_values = reader.unpack("<4sIQQ")
    if magic != b"GGUF" or version != 3:
        raise ValueError(f"{path} is no GGUF file of version 3")
    metadata = {}
    for _ in range(n_values):
        key = reader.string()
        metadata[key] = reader.value(*reader.unpack("<I"))
    entries = [reader.tensor() for _ in range(n_tensors)]
    start = reader.at + -reader.at % _ALIGNMENT
    return metadata, {name: _dequantised(reader.data, start + at, shape, kind) for name, shape, kind, at in entries}


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def unpack(self, form: str) -> tuple[Any, ...]:
        values = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return values

    def string(self) -> str:
        (length,) = self.unpack("<Q")
        (raw,) = self.unpack(f"<{length}s")
        return str(raw, "utf-8")

    def value(self, kind: int) -> Value:
        if kind == _STRING:
            return self.string()
        if kind == _ARRAY:
            item_kind, length = self.unpack("<IQ")
            return cast(Value, [self.value(item_kind) for _ in range(length)])
        (value,) = self.unpack(_FORMS[kind])
        return cast(Value, value)

    def tensor(self) -> tuple[str, tuple[int, ...], int, int]:
        name = self.string()
        (n_dimensions,) = self.unpack("<I")
        *dimensions, kind, at = self.unpack(f"<{n_dimensions}QIQ")
        return name, tuple(reversed(dimensions)), kind, at


def _dequantised(data: bytes, start: int, shape: tuple[int, ...], kind: int) -> Floats:
    n = int(np.prod(shape))
    if kind == _F32:
        return np.frombuffer(data, "<f4", n, start).reshape(shape).copy()
    blocks = np.frombuffer(data, [("scale", "<f2"), ("quants", "i1", _BLOCK)], n // _BLOCK, start)
    values = blocks["scale"].astype(np.float32)[:, None] * blocks["quants"].astype(np.float32)
    return values.reshape(shape)


def _string(text: str) -> bytes:
    raw = text.encode()
    return struct.pack("<Q", len(raw)) + raw


def _value(value: Value) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", _STRING) + _string(value)
    if isinstance(value, bool):
        return struct.pack("<I?", _BOOL, value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT32, value)
    if isinstance(value, float):
        return struct.pack("<If", _FLOAT32, value)
    texts = [item for item in value if isinstance(item, str)]
    if texts:
        return struct.pack("<IIQ", _ARRAY, _STRING, len(texts)) + b"".join(map(_string, texts))
    return struct.pack("<IIQ", _ARRAY, _INT32, len(value)) + np.asarray(value, "<i4").tobytes()

"""Parses the tensor part of a header."""

from dataclasses import dataclass
from math import prod
from struct import Struct

from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.tensor_types import TENSOR_TYPES

MAX_TENSORS = 65536
MAX_NAME_LENGTH = 63
MAX_DIMENSIONS = 4

_U32 = Struct("<I")
_OFFSET = Struct("<Q")


@dataclass(frozen=True, slots=True)
class TensorInfo:
    name: str
    shape: tuple[int, ...]
    type: str
    offset: int
    """From the header's `data_offset`."""
    size: int

    @property
    def n_values(self) -> int:
        return prod(self.shape)


def read_tensors(cursor: Cursor, count: int, alignment: int) -> tuple[TensorInfo, ...]:
    if count > MAX_TENSORS:
        raise damaged_file_error(cursor.name, "it claims to have {count} tensors", count=count)
    tensors: dict[str, TensorInfo] = {}
    expected_offset = 0
    for _ in range(count):
        tensor = _read_tensor(cursor)
        if tensor.name in tensors:
            raise damaged_file_error(cursor.name, "the tensor {tensor} appears twice", tensor=tensor.name)
        if tensor.offset != expected_offset:
            raise damaged_file_error(cursor.name, "the tensor {tensor} has the wrong offset", tensor=tensor.name)
        tensors[tensor.name] = tensor
        expected_offset += align(tensor.size, alignment)
    return tuple(tensors.values())


def align(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _read_tensor(cursor: Cursor) -> TensorInfo:
    name = cursor.string(MAX_NAME_LENGTH).decode(errors="replace")
    n_dimensions = cursor.number(_U32)
    if n_dimensions > MAX_DIMENSIONS:
        raise damaged_file_error(cursor.name, "the tensor {tensor} has {n} dimensions", tensor=name, n=n_dimensions)
    layout = Struct(f"<{n_dimensions}q")
    shape = layout.unpack(cursor.take(layout.size))
    if any(length < 0 for length in shape):
        raise damaged_file_error(cursor.name, "the tensor {tensor} has a negative dimension", tensor=name)
    kind = cursor.number(_U32)
    packing = TENSOR_TYPES.get(kind)
    if packing is None:
        raise damaged_file_error(cursor.name, "the tensor {tensor} has an unknown type: {type}", tensor=name, type=kind)
    row = shape[0] if shape else 1
    if row % packing.block_values:
        raise damaged_file_error(
            cursor.name,
            "the tensor {tensor} has rows of {n} values, which {type} can't store",
            tensor=name,
            n=row,
            type=packing.name,
        )
    size = prod(shape) // packing.block_values * packing.block_bytes
    return TensorInfo(name, shape, packing.name, cursor.number(_OFFSET), size)

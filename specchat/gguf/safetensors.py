"""Reads the header of an untrusted safetensors file."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from struct import Struct
from typing import NoReturn

from specchat.domain.errors import ModelFileError
from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import damaged_file_error, truncated_file_error
from specchat.gguf.tensors import MAX_TENSORS

ENDING = ".safetensors"
MAX_HEADER = 1024 * 1024
_MAX_DIMENSIONS = 8
_LENGTH = Struct("<Q")
_SIZES = {
    "BOOL": 1,
    "U8": 1,
    "I8": 1,
    "F8_E4M3": 1,
    "F8_E5M2": 1,
    "I16": 2,
    "U16": 2,
    "F16": 2,
    "BF16": 2,
    "I32": 4,
    "U32": 4,
    "F32": 4,
    "I64": 8,
    "U64": 8,
    "F64": 8,
}


@dataclass(frozen=True, slots=True)
class StoredTensor:
    name: str
    type: str
    shape: tuple[int, ...]
    """Rows first."""
    begin: int
    """From the end of the header."""
    end: int


def is_safetensors(name: str, start: bytes) -> bool:
    return name.lower().endswith(ENDING) and start[8:9] == b"{"


def read_safetensors(cursor: Cursor, size: int) -> tuple[StoredTensor, ...]:
    """Reads the tensors, which must fill the file after its header without overlaps."""
    name, length = cursor.name, cursor.number(_LENGTH)
    if length > MAX_HEADER:
        raise damaged_file_error(name, "its header is longer than {limit} bytes", limit=MAX_HEADER)
    entries = _parse(name, cursor.take(length))
    tensors = tuple(_tensor(name, tensor, entry) for tensor, entry in entries if tensor != "__metadata__")
    needed = cursor.position + _check_places(name, tensors)
    if needed > size:
        raise truncated_file_error(name, needed, size)
    if needed < size:
        raise damaged_file_error(name, "{n} bytes at its end belong to no tensor", n=size - needed)
    return tensors


class _TwiceError(ValueError):
    """A name that occurs twice."""


def _parse(name: str, text: bytes) -> Sequence[tuple[str, object]]:
    try:
        found = json.loads(text.decode(), object_pairs_hook=_without_twins, parse_constant=_refuse)
    except _TwiceError as error:
        raise damaged_file_error(name, "the tensor {tensor} appears twice", tensor=error) from error
    except (ValueError, RecursionError) as error:
        raise damaged_file_error(name, "its header is not valid JSON") from error
    if not isinstance(found, dict):
        raise damaged_file_error(name, "its header is not valid JSON")
    if len(found) > MAX_TENSORS:
        raise damaged_file_error(name, "it claims to have {count} tensors", count=len(found))
    return tuple(found.items())


def _without_twins(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _TwiceError(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _tensor(file: str, name: str, entry: object) -> StoredTensor:
    match entry:
        case {"dtype": str(kind), "shape": [*shape], "data_offsets": [begin, end]}:
            sizes = (*shape, begin, end)
            if len(shape) > _MAX_DIMENSIONS or not all(type(size) is int and 0 <= size < 1 << 62 for size in sizes):
                raise _odd(file, name)
        case _:
            raise _odd(file, name)
    if kind not in _SIZES:
        raise damaged_file_error(file, "the tensor {tensor} has an unknown type: {type}", tensor=name, type=kind)
    if prod(shape) * _SIZES[kind] != end - begin:
        raise damaged_file_error(file, "the size of the tensor {tensor} doesn't match its shape", tensor=name)
    return StoredTensor(name, kind, tuple(shape), begin, end)


def _odd(file: str, name: str) -> ModelFileError:
    return damaged_file_error(file, "the description of the tensor {tensor} is invalid", tensor=name)


def _check_places(file: str, tensors: Sequence[StoredTensor]) -> int:
    """The end of the last one."""
    end = 0
    for tensor in sorted(tensors, key=lambda tensor: (tensor.begin, tensor.end)):
        if tensor.begin != end:
            raise damaged_file_error(file, "the tensor {tensor} has the wrong offset", tensor=tensor.name)
        end = tensor.end
    return end

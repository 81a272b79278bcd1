"""Whole GGUF files back as plain values, the way gguf_writer takes them: only for files of our own."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from support.gguf_writer import Floats, Value

from specchat.gguf import metadata as header_values
from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource
from specchat.gguf.string_array import StringArray
from specchat.gguf.tensors import TensorInfo


@dataclass(frozen=True)
class Weights:
    metadata: Mapping[str, Value]
    tensors: Mapping[str, Floats]
    """In numpy's order: the row length stands last."""


def read_gguf(path: Path) -> Weights:
    header = read_header(FileSource(path))
    data = np.memmap(path, np.uint8, "r", header.data_offset)
    tensors = {
        tensor.name: _floats(data[tensor.offset : tensor.offset + tensor.size], tensor) for tensor in header.tensors
    }
    return Weights({key: _plain(value) for key, value in header.metadata.items()}, tensors)


def _plain(value: header_values.Value) -> Value:
    if isinstance(value, StringArray):
        return [text.decode() for text in value]
    if isinstance(value, np.ndarray):
        items: list[int] | list[float] = value.tolist()
        return items
    return value


def _floats(raw: NDArray[np.uint8], tensor: TensorInfo) -> Floats:
    shape = tensor.shape[::-1]
    match tensor.type:
        case "F32":
            return np.asarray(raw.view("<f4").reshape(shape), np.float32)
        case "F16":
            return raw.view("<f2").astype(np.float32).reshape(shape)
        case "Q8_0":
            blocks = raw.reshape(-1, 34)
            scales = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
            return np.asarray((scales * blocks[:, 2:].view(np.int8)).reshape(shape), np.float32)
    raise ValueError(f"{tensor.name} is {tensor.type}, which is not read here")

"""Locates the matrices of Medusa heads, in their own file and in their target's."""

from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.domain.medusa import BF16, F16, F32, Q8_0, StoredBlock, StoredHead, StoredHeads, StoredMatrix
from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.header import Header, read_header
from specchat.gguf.medusa_tensors import block_name, output_name
from specchat.gguf.placement import OUTPUT
from specchat.gguf.source import FileSource
from specchat.gguf.splits import read_parts
from specchat.gguf.tensor_types import TENSOR_TYPES, TYPE_NUMBERS
from specchat.gguf.tensors import TensorInfo


def read_stored_heads(path: Path, target: Path) -> StoredHeads:
    """Heads without an output matrix use their target's."""
    header = read_header(FileSource(path))
    tensors = {tensor.name: _stored(path, header, tensor) for tensor in header.tensors}
    borrowed = None if output_name(0) in tensors else _target_output(target)
    heads = list[StoredHead]()
    while True:
        blocks = tuple(_blocks(tensors, len(heads)))
        output = tensors.get(output_name(len(heads)))
        if not blocks and output is None:
            return StoredHeads(tuple(heads))
        output = output or borrowed
        assert output is not None
        heads.append(StoredHead(blocks, output))


def _blocks(tensors: dict[str, StoredMatrix], head: int) -> list[StoredBlock]:
    found = list[StoredBlock]()
    while weight := tensors.get(block_name(head, len(found), "weight")):
        found.append(StoredBlock(weight, tensors.get(block_name(head, len(found), "bias"))))
    return found


def _target_output(path: Path) -> StoredMatrix:
    parts = read_parts(path)
    for name in (OUTPUT, TOKEN_EMBEDDING):
        for file, part in parts:
            for tensor in part.tensors:
                if tensor.name == name:
                    return _stored(file, part, tensor)
    raise ModelFileError("The tensor {tensor} is missing.", "Choose another target.", tensor=OUTPUT)


def _stored(path: Path, header: Header, tensor: TensorInfo) -> StoredMatrix:
    n_columns, n_rows = (*tensor.shape, 1)[:2]
    loaded = _loaded_type(tensor)
    packing = TENSOR_TYPES[loaded]
    return StoredMatrix(
        path,
        header.data_offset + tensor.offset,
        TYPE_NUMBERS[tensor.type],
        n_columns,
        n_rows,
        tensor.size,
        loaded,
        n_columns * n_rows // packing.block_values * packing.block_bytes,
    )


def _loaded_type(tensor: TensorInfo) -> int:
    """Floats are kept in 8 bits: nearly as good, and read in half the time. What is added stays exact."""
    stored = TYPE_NUMBERS[tensor.type]
    if stored not in (F32, F16, BF16):
        return stored
    if len(tensor.shape) == 1:
        return F32
    return F16 if tensor.shape[0] % TENSOR_TYPES[Q8_0].block_values else Q8_0

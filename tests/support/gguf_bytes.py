"""GGUF headers as bytes, right by default and wrong on request."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO

from specchat.gguf.tensor_types import TENSOR_TYPES

U8, I8, U16, I16, U32, I32, F32, BOOL, STRING, ARRAY, U64, I64, F64 = range(13)
_LAYOUTS = dict(zip((U8, I8, U16, I16, U32, I32, F32, BOOL, U64, I64, F64), "BbHhIif?Qqd", strict=True))
_TYPE_CODES = {packing.name: code for code, packing in TENSOR_TYPES.items()}


@dataclass(frozen=True)
class Raw:
    """A value spelt out: its kind and its bytes."""

    kind: int
    payload: bytes


@dataclass(frozen=True)
class Tensor:
    name: str
    shape: tuple[int, ...] = (32, 4)
    type: str | int = "F32"
    offset: int | None = None


Value = Raw | bool | int | float | str | Sequence[bool] | Sequence[int] | Sequence[float] | Sequence[str | bytes]


TOKENS = ["<unk>", "<s>", "</s>", "<0x0A>", "a", "b", "c", "ab", "bc", "abc"]


def model_metadata(changes: Mapping[str, Value | None] | None = None) -> dict[str, Value]:
    """A small llama; None takes a key out."""
    metadata: dict[str, Value | None] = {
        "general.architecture": "llama",
        "general.file_type": 1,
        "llama.block_count": 2,
        "llama.context_length": 512,
        "llama.embedding_length": 32,
        "llama.feed_forward_length": 64,
        "llama.attention.head_count": 4,
        "llama.attention.head_count_kv": 2,
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": TOKENS,
        "tokenizer.ggml.scores": [0.0] * len(TOKENS),
        "tokenizer.ggml.token_type": [2, 3, 3, 6, *[1] * (len(TOKENS) - 4)],
    }
    metadata |= changes or {}
    return {key: item for key, item in metadata.items() if item is not None}


def model_tensors() -> list[Tensor]:
    return [
        Tensor("token_embd.weight", (32, len(TOKENS)), "F16"),
        Tensor("blk.0.attn_norm.weight", (32,)),
        Tensor("blk.0.attn_q.weight", (32, 32), "Q8_0"),
    ]


class BytesSource:
    """A file in memory that remembers what was asked of it."""

    def __init__(self, data: bytes, name: str = "model.gguf", size: int | None = None) -> None:
        self.name = name
        self.size = len(data) if size is None else size
        self.bytes_read = 0
        self.requests: list[tuple[int, int]] = []
        self._file = BytesIO(data)

    def read(self, offset: int, length: int) -> bytes:
        self.requests.append((offset, length))
        self._file.seek(offset)
        data = self._file.read(length)
        self.bytes_read += len(data)
        return data


def gguf(
    metadata: Mapping[str, Value],
    tensors: Sequence[Tensor] = (),
    *,
    version: int = 3,
    alignment: int = 32,
    n_keys: int | None = None,
    n_tensors: int | None = None,
    extra: bytes = b"",
) -> bytes:
    """`extra` goes after the keys; the weights are zeros."""
    counts = (len(tensors) if n_tensors is None else n_tensors, len(metadata) if n_keys is None else n_keys)
    header = b"GGUF" + struct.pack("<IQQ", version, *counts)
    header += b"".join(string(key) + value(item) for key, item in metadata.items()) + extra
    infos, size = _tensor_infos(tensors, alignment)
    header += infos
    return header + bytes(-len(header) % alignment + size) if tensors else header


def string(text: str | bytes) -> bytes:
    raw = text.encode() if isinstance(text, str) else text
    return struct.pack("<Q", len(raw)) + raw


def number(kind: int, item: float) -> Raw:
    return Raw(kind, struct.pack("<" + _LAYOUTS[kind], item))


def array(kind: int, items: Sequence[float], claimed: int | None = None) -> Raw:
    payload = b"".join(number(kind, item).payload for item in items)
    return Raw(ARRAY, struct.pack("<IQ", kind, len(items) if claimed is None else claimed) + payload)


def strings(items: Sequence[str | bytes], claimed: int | None = None) -> Raw:
    count = len(items) if claimed is None else claimed
    return Raw(ARRAY, struct.pack("<IQ", STRING, count) + b"".join(map(string, items)))


def value(item: Value) -> bytes:
    raw = item if isinstance(item, Raw) else _typed(item)
    return struct.pack("<I", raw.kind) + raw.payload


def _typed(item: Value) -> Raw:
    match item:
        case bool():
            return number(BOOL, item)
        case int():
            return number(U32 if item >= 0 else I32, item)
        case float():
            return number(F32, item)
        case str():
            return Raw(STRING, string(item))
        case Raw():
            return item
        case [bool(), *_]:
            return array(BOOL, [bool(each) for each in item])
        case [str() | bytes(), *_]:
            return strings([each for each in item if isinstance(each, str | bytes)])
    numbers = [each for each in item if isinstance(each, int | float)]
    return array(F32 if any(isinstance(each, float) for each in numbers) else I32, numbers)


def _tensor_infos(tensors: Sequence[Tensor], alignment: int) -> tuple[bytes, int]:
    infos, end = b"", 0
    for tensor in tensors:
        code = tensor.type if isinstance(tensor.type, int) else _TYPE_CODES[tensor.type]
        offset = end if tensor.offset is None else tensor.offset
        n_dimensions = len(tensor.shape)
        infos += string(tensor.name) + struct.pack(f"<I{n_dimensions}q", n_dimensions, *tensor.shape)
        infos += struct.pack("<IQ", code, offset)
        end += -(-_size(tensor, code) // alignment) * alignment
    return infos, end


def _size(tensor: Tensor, code: int) -> int:
    values = 1
    for length in tensor.shape:
        values *= length
    packing = TENSOR_TYPES.get(code)
    return 0 if packing is None else max(0, values // packing.block_values * packing.block_bytes)

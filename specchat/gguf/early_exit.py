"""Plans a model made of another's first layers, its final norm and its head: the header, and what is copied."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from struct import Struct, pack

import numpy as np

from specchat.domain.early_exit import name_layers
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import printable, truncated_file_error
from specchat.gguf.header import MAX_HEADER, Header, read_alignment, read_header
from specchat.gguf.metadata import ARRAY, COUNT, KIND, STRING, Value, integer, read_entries, text
from specchat.gguf.placement import BLOCK
from specchat.gguf.source import ByteSource, FileSource
from specchat.gguf.splits import find_other_parts, require_first_part
from specchat.gguf.tensor_types import TYPE_NUMBERS
from specchat.gguf.tensors import TensorInfo, align

_CHUNK = 4 * 1024 * 1024

_ARCHITECTURES = frozenset(
    {
        "arcee",
        "cohere2",
        "command-r",
        "ernie4_5",
        "exaone",
        "gemma",
        "gemma2",
        "gemma3",
        "granite",
        "internlm2",
        "llama",
        "mistral3",
        "olmo2",
        "olmoe",
        "phi3",
        "qwen2",
        "qwen3",
        "qwen3moe",
        "seed_oss",
        "smollm3",
        "stablelm",
        "starcoder2",
    }
)
"""Whose layers do in llama.cpp what they do whatever follows them."""
_SCALED_BY_DEPTH = {"gemma2": 46, "gemma3": 62}
"""The number of layers with which llama.cpp uses another attention scale, which the file doesn't state."""
_PER_LAYER = (
    "attention.head_count",
    "attention.head_count_kv",
    "attention.sliding_window_pattern",
    "expert_feed_forward_length",
    "feed_forward_length",
)
_LAYER_SKIP = "layerskip"

_MAGIC_AND_VERSION = Struct("<II")
_COUNTS = Struct("<QQ")
_ARRAY_START = Struct("<IIQ")


@dataclass(frozen=True, slots=True)
class _Entry:
    key: str
    value: Value
    raw: bytes


@dataclass(frozen=True, slots=True)
class _Piece:
    part: int
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class EarlyExitPlan:
    header: bytes
    parts: Sequence[ByteSource]
    pieces: tuple[_Piece, ...]
    """In the order in which the header lists them."""
    alignment: int

    @property
    def size(self) -> int:
        return len(self.header) + sum(align(piece.size, self.alignment) for piece in self.pieces)

    def chunks(self) -> Iterator[bytes]:
        """All of the file."""
        yield self.header
        for piece in self.pieces:
            yield from self._copied(piece)
            yield bytes(-piece.size % self.alignment)

    def _copied(self, piece: _Piece) -> Iterator[bytes]:
        source, at, end = self.parts[piece.part], piece.offset, piece.offset + piece.size
        while at < end:
            chunk = source.read(at, min(_CHUNK, end - at))
            if not chunk:
                raise truncated_file_error(source.name, end, at)
            at += len(chunk)
            yield chunk


def early_exit_obstacle(header: Header) -> TranslatableText | None:
    """Why the first layers of this model are no model; None: they are."""
    architecture, n_layers = header.architecture or "", count_layers(header)
    if architecture not in _ARCHITECTURES or n_layers == _SCALED_BY_DEPTH.get(architecture):
        return TranslatableText(
            "The first layers of this kind of {architecture} model can't be used alone.",
            architecture=printable(architecture),
        )
    if integer(header.metadata, f"{architecture}.nextn_predict_layers", header.name):
        return TranslatableText("It has MTP layers, which guess better than its first layers.")
    if n_layers < 2:
        return TranslatableText("It has only one layer.")
    return None


def count_layers(header: Header) -> int:
    return integer(header.metadata, f"{header.architecture}.block_count", header.name) or 0


def is_trained_for_early_exit(header: Header, path: Path) -> bool:
    """Returns whether the model or its repository has LayerSkip in its name."""
    named = [value for key, value in header.metadata.items() if key.startswith("general.") and isinstance(value, str)]
    return any(_LAYER_SKIP in re.sub("[^a-z]", "", name.casefold()) for name in (*named, *path.parts))


class EarlyExitPlanner:
    """Plans drafts for one target, whose header is read once for all numbers of layers."""

    def __init__(self, target: Path) -> None:
        self._target = target
        self._first = FileSource(target)
        self.header = read_header(self._first)
        require_first_part(self.header)

    def plan(self, n_layers: int) -> EarlyExitPlan:
        """`n_layers`: fewer than it has."""
        headers = self._headers
        wanted = [
            (i, tensor) for i, part in enumerate(headers) for tensor in part.tensors if _is_kept(tensor, n_layers)
        ]
        alignment = read_alignment(self.header.metadata, self.header.name)
        return EarlyExitPlan(
            self._header_bytes(n_layers, [tensor for _, tensor in wanted], alignment),
            [self._first, *self._others],
            tuple(_Piece(i, headers[i].data_offset + tensor.offset, tensor.size) for i, tensor in wanted),
            alignment,
        )

    @cached_property
    def _others(self) -> Sequence[ByteSource]:
        return [FileSource(part) for part in find_other_parts(self._target, self.header)]

    @cached_property
    def _headers(self) -> Sequence[Header]:
        return [self.header, *map(read_header, self._others)]

    @cached_property
    def _entries(self) -> Sequence[_Entry]:
        """Without what tells of its parts and its name."""
        cursor = Cursor(self._first, MAX_HEADER)
        cursor.take(_MAGIC_AND_VERSION.size)
        _, n_keys = _COUNTS.unpack(cursor.take(_COUNTS.size))
        start = cursor.position
        entries = []
        for key, value in read_entries(cursor, n_keys):
            raw, start = cursor.taken_since(start), cursor.position
            if key != "general.name" and not key.startswith("split."):
                entries.append(_Entry(key, value, raw))
        return entries

    def _header_bytes(self, n_layers: int, tensors: Sequence[TensorInfo], alignment: int) -> bytes:
        entries = [_cut(entry, self.header.architecture or "", n_layers) for entry in self._entries]
        entries.append(self._name(n_layers))
        made = bytearray(self._first.read(0, _MAGIC_AND_VERSION.size))
        made += _COUNTS.pack(len(tensors), len(entries)) + b"".join(entries)
        offset = 0
        for tensor in tensors:
            made += _tensor_entry(tensor, offset)
            offset += align(tensor.size, alignment)
        return bytes(made) + bytes(-len(made) % alignment)

    def _name(self, n_layers: int) -> bytes:
        header = self.header
        name = (text(header.metadata, "general.name", header.name) or "").strip() or Path(header.name).stem
        made = _string(f"Early exit ({name_layers(n_layers)} of {name})")
        return _string("general.name") + KIND.pack(STRING) + made


def _is_kept(tensor: TensorInfo, n_layers: int) -> bool:
    block = BLOCK.match(tensor.name)
    return block is None or int(block[1]) < n_layers


def _tensor_entry(tensor: TensorInfo, offset: int) -> bytes:
    n = len(tensor.shape)
    return _string(tensor.name) + pack(f"<I{n}qIQ", n, *tensor.shape, TYPE_NUMBERS[tensor.type], offset)


def _cut(entry: _Entry, architecture: str, n_layers: int) -> bytes:
    """As the target's file has it, but for what tells of its number of layers."""
    key, value, raw = entry.key, entry.value, entry.raw
    suffix = key.removeprefix(f"{architecture}.")
    start = COUNT.size + len(key.encode())
    if suffix == "block_count" and key != suffix:
        width = len(raw) - start - KIND.size
        return raw[:-width] + n_layers.to_bytes(width, "little")
    if suffix in _PER_LAYER and isinstance(value, np.ndarray):
        _, kind, _ = _ARRAY_START.unpack_from(raw, start)
        kept = (len(raw) - start - _ARRAY_START.size) // len(value) * n_layers if len(value) else 0
        head = raw[:start] + _ARRAY_START.pack(ARRAY, kind, min(n_layers, len(value)))
        return head + raw[start + _ARRAY_START.size :][:kept]
    return raw


def _string(text: str) -> bytes:
    raw = text.encode(errors="replace")
    return COUNT.pack(len(raw)) + raw

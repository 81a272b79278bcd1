"""Plans a model made of another's first layers, its final norm and its head: the header, and what is copied."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from struct import Struct, pack

import numpy as np

from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import printable, truncated_file_error
from specchat.gguf.header import MAX_HEADER, Header, read_header
from specchat.gguf.metadata import Value, integer, read_entries, text
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
"""With so many layers llama.cpp takes another scale in their attention, which nothing in the file says."""
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
_KIND = Struct("<I")
_LENGTH = Struct("<Q")
_ARRAY_START = Struct("<IIQ")
_STRING, _ARRAY = 8, 9


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
    """As LayerSkip models are: they say so in a name, at least of their repository."""
    named = [value for key, value in header.metadata.items() if key.startswith("general.") and isinstance(value, str)]
    return any(_LAYER_SKIP in re.sub("[^a-z]", "", name.casefold()) for name in (*named, *path.parts))


def plan_early_exit(target: Path, n_layers: int) -> EarlyExitPlan:
    """`n_layers`: fewer than it has."""
    source = FileSource(target)
    header = read_header(source)
    require_first_part(header)
    others = [FileSource(part) for part in find_other_parts(target, header)]
    headers = [header, *map(read_header, others)]
    wanted = [(i, tensor) for i, part in enumerate(headers) for tensor in part.tensors if _is_kept(tensor, n_layers)]
    alignment = integer(header.metadata, "general.alignment", header.name) or 32
    return EarlyExitPlan(
        _header_bytes(source, header, n_layers, [tensor for _, tensor in wanted], alignment),
        [source, *others],
        tuple(_Piece(i, headers[i].data_offset + tensor.offset, tensor.size) for i, tensor in wanted),
        alignment,
    )


def _is_kept(tensor: TensorInfo, n_layers: int) -> bool:
    block = BLOCK.match(tensor.name)
    return block is None or int(block[1]) < n_layers


def _header_bytes(
    source: ByteSource, header: Header, n_layers: int, tensors: Sequence[TensorInfo], alignment: int
) -> bytes:
    entries = list(_entries(source, header, n_layers))
    made = bytearray(source.read(0, _MAGIC_AND_VERSION.size))
    made += _COUNTS.pack(len(tensors), len(entries)) + b"".join(entries)
    offset = 0
    for tensor in tensors:
        made += _tensor_entry(tensor, offset)
        offset += align(tensor.size, alignment)
    return bytes(made) + bytes(-len(made) % alignment)


def _tensor_entry(tensor: TensorInfo, offset: int) -> bytes:
    n = len(tensor.shape)
    return _string(tensor.name) + pack(f"<I{n}qIQ", n, *tensor.shape, TYPE_NUMBERS[tensor.type], offset)


def _entries(source: ByteSource, header: Header, n_layers: int) -> Iterator[bytes]:
    """As the target's file has them, but for what tells of its number of layers, of its parts and its name."""
    cursor = Cursor(source, MAX_HEADER)
    cursor.take(_MAGIC_AND_VERSION.size)
    _, n_keys = _COUNTS.unpack(cursor.take(_COUNTS.size))
    start = cursor.position
    for key, value in read_entries(cursor, n_keys):
        raw, start = cursor.taken_since(start), cursor.position
        if key != "general.name" and not key.startswith("split."):
            yield _cut(key, value, raw, header.architecture or "", n_layers)
    name = (text(header.metadata, "general.name", header.name) or "").strip() or Path(header.name).stem
    layers = f"first {n_layers} layers" if n_layers > 1 else "first layer"
    yield _string("general.name") + _KIND.pack(_STRING) + _string(f"Early exit ({layers} of {name})")


def _cut(key: str, value: Value, raw: bytes, architecture: str, n_layers: int) -> bytes:
    suffix = key.removeprefix(f"{architecture}.")
    start = _LENGTH.size + len(key.encode())
    if suffix == "block_count" and key != suffix:
        width = len(raw) - start - _KIND.size
        return raw[:-width] + n_layers.to_bytes(width, "little")
    if suffix in _PER_LAYER and isinstance(value, np.ndarray):
        _, kind, _ = _ARRAY_START.unpack_from(raw, start)
        kept = (len(raw) - start - _ARRAY_START.size) // len(value) * n_layers if len(value) else 0
        head = raw[:start] + _ARRAY_START.pack(_ARRAY, kind, min(n_layers, len(value)))
        return head + raw[start + _ARRAY_START.size :][:kept]
    return raw


def _string(text: str) -> bytes:
    raw = text.encode(errors="replace")
    return _LENGTH.pack(len(raw)) + raw

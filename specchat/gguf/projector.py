"""Reads the headers of mmproj files, which encode pictures and recordings for a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from specchat.domain.errors import ModelFileError
from specchat.gguf.audio_encoder import read_audio_encoder
from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.header import Header, read_header
from specchat.gguf.metadata import Value, integer, integers, text
from specchat.gguf.source import FileSource

ARCHITECTURE = "clip"

_LIMITS = {
    "image_size": (1, 1 << 13),
    "patch_size": (1, 1 << 10),
    "embedding_length": (1, 1 << 16),
    "feed_forward_length": (0, 1 << 20),
    "block_count": (0, 512),
    "attention.head_count": (0, 1 << 12),
}
_OPTIONAL_LIMITS = {
    "projection_dim": (0, 1 << 20),
    "preproc_image_size": (0, 1 << 14),
    "image_min_pixels": (0, 1 << 28),
    "image_max_pixels": (0, 1 << 28),
    "preproc_min_tiles": (0, 256),
    "preproc_max_tiles": (0, 256),
    "window_size": (0, 1 << 14),
    "n_wa_pattern": (0, 512),
}
_MERGED = ("projector.scale_factor", "spatial_merge_size")
"""How many patches on a side become one."""
_LIST_LIMITS = {
    "image_grid_pinpoints": (1, 1 << 14),
    "feature_layer": (-1, 512),
    "wa_layer_indexes": (-1, 512),
    "wa_pattern_mode": (-1, 512),
}
"""Of each number in these lists."""
_LONGEST_LIST = 512
_MOST_PATCHES = 1 << 16
"""Of one square; with more, llama.cpp computes without end."""
_MOST_TILES = 144
_WIDTHS = {
    "mlp": ("mm.2.weight", 1),
    "pixtral": ("mm.2.weight", 1),
    "qwen2vl_merger": ("mm.2.bias", 0),
    "qwen2.5vl_merger": ("mm.2.bias", 0),
    "gemma3": ("mm.input_projection.weight", 0),
    "idefics3": ("mm.model.fc.weight", 1),
}
"""Where some kinds tell the width of their rows."""
_TRIED_PATCHES = {
    **dict.fromkeys(("qwen2vl_merger", "qwen2.5vl_merger", "qwen3vl_merger", "glm4v"), (2 * 46) ** 2),
    "pixtral": 256,
    "lightonocr": 256,
}
"""Of the picture for which memory is reserved, where it is not one of `image_size`."""
_SIGLIP = ("gemma3", "idefics3", "lfm2", "janus_pro", "phi4")
_FLOAT = 4
_PLACES = 16
"""Bytes: where a patch is."""


@dataclass(frozen=True, slots=True)
class Projector:
    name: str
    kind: str
    weights: int
    """Bytes."""
    width: int | None
    """Of the rows that it makes; None: not known here."""
    compute: int
    """Bytes, roughly."""
    sees: bool = True
    hears: bool = False
    most_seconds: int = 0
    """The longest recording that it hears."""


def read_projector(path: Path) -> Projector:
    """Raises a ModelFileError where mtmd might stumble."""
    header = read_header(FileSource(path))
    name = path.name
    if header.architecture != ARCHITECTURE:
        raise ModelFileError(
            "{name} is not an mmproj file.", "Choose the mmproj file from the target's repository.", name=name
        )
    sees = header.metadata.get("clip.has_vision_encoder") is True
    vision = _vision(header.metadata, name) if sees else None
    audio = read_audio_encoder(header, name)
    if vision is None and audio is None:
        raise ModelFileError("{name} encodes neither pictures nor audio.", "Choose another mmproj file.", name=name)
    if not header.tensors:
        raise damaged_file_error(name, "it has no weights")
    kind = text(header.metadata, "clip.vision.projector_type", name)
    kind = text(header.metadata, "clip.projector_type", name) or kind or ""
    kind = "qwen2.5vl_merger" if kind == "qwen2.5o" else kind
    widths = [_width(header, kind) if vision is not None else None, audio.width if audio is not None else None]
    computes = [_compute(header, vision, kind) if vision is not None else 0, audio.compute if audio is not None else 0]
    return Projector(
        name,
        kind if audio is None or sees else audio.kind,
        sum(each.size for each in header.tensors),
        next((width for width in widths if width is not None), None),
        sum(computes),
        sees=sees,
        hears=audio is not None,
        most_seconds=audio.most_seconds if audio is not None else 0,
    )


def _vision(metadata: Mapping[str, Value], name: str) -> dict[str, int]:
    found = {}
    for suffix, (low, high) in _LIMITS.items():
        value = integer(metadata, f"clip.vision.{suffix}", name)
        found[suffix] = _require_within(suffix, value, low, high, name)
    if found["patch_size"] > found["image_size"]:
        raise damaged_file_error(name, "its patches are larger than its pictures")
    if (n_patches := (found["image_size"] // found["patch_size"]) ** 2) > _MOST_PATCHES:
        raise damaged_file_error(
            name, "it cuts a picture into {n} patches; {most} is the limit", n=n_patches, most=_MOST_PATCHES
        )
    limits = {**_OPTIONAL_LIMITS, **dict.fromkeys(_MERGED, (1, found["image_size"] // found["patch_size"]))}
    for suffix, (low, high) in limits.items():
        if (value := integer(metadata, f"clip.vision.{suffix}", name)) is not None:
            _require_within(suffix, value, low, high, name)
    for suffix, (low, high) in _LIST_LIMITS.items():
        _require_short_list(metadata, suffix, low, high, name)
    _require_tiles(metadata, found["image_size"], name)
    return found


def _require_tiles(metadata: Mapping[str, Value], side: int, name: str) -> None:
    """Large pictures are cut into tiles; llama.cpp ends the process where they don't fill a grid."""
    key = "clip.vision.image_grid_pinpoints"
    sides = integers(metadata, key, name) or []
    if len(sides) % 2 or any(each % side for each in sides):
        raise damaged_file_error(name, "{key} are no multiples of {side}", key=key, side=side)
    most = max((width * height // side**2 for width, height in zip(sides[::2], sides[1::2], strict=True)), default=0)
    if most > _MOST_TILES:
        raise damaged_file_error(
            name, "it cuts a picture into {n} tiles; {most} is the limit", n=most, most=_MOST_TILES
        )


def _require_within(suffix: str, value: int | None, low: int, high: int, name: str) -> int:
    if value is None or not low <= value <= high:
        key = f"clip.vision.{suffix}"
        raise damaged_file_error(
            name, "{key} is {value}, outside the range {low} to {high}", key=key, value=value, low=low, high=high
        )
    return value


def _require_short_list(metadata: Mapping[str, Value], suffix: str, low: int, high: int, name: str) -> None:
    key = f"clip.vision.{suffix}"
    value = metadata.get(key)
    if isinstance(value, np.ndarray) and value.size > _LONGEST_LIST:
        raise damaged_file_error(
            name, "{key} has {n} numbers; {most} is the limit", key=key, n=value.size, most=_LONGEST_LIST
        )
    for each in integers(metadata, key, name) or ():
        _require_within(suffix, each, low, high, name)


def _width(header: Header, kind: str) -> int | None:
    tensor, dimension = _WIDTHS.get(kind, ("", 0))
    shape = next((each.shape for each in header.tensors if each.name == tensor), ())
    return shape[dimension] if len(shape) > dimension else None


def _compute(header: Header, vision: Mapping[str, int], kind: str) -> int:
    """The most that llama.cpp has at hand at once. Which tensors these are was found with encoders of many sizes."""
    shapes = {each.name: each.shape for each in header.tensors}
    n_patches = _TRIED_PATCHES.get(kind, (vision["image_size"] // vision["patch_size"]) ** 2)
    row = _FLOAT * (n_patches + ("v.class_embd" in shapes))
    wide, inner = row * vision["embedding_length"], row * vision["feed_forward_length"]
    picture = _FLOAT * 3 * n_patches * vision["patch_size"] ** 2
    cut = picture + picture // 2  # in patches of F16
    kept = picture if picture < _FLOAT * n_patches * vision["embedding_length"] else 0  # else others take its place
    gated = "v.blk.0.ffn_gate.weight" in shapes
    match kind:
        case "mlp":
            joining = sum(shapes.get(name, (0,))[0] for name in ("mm.0.bias", "mm.2.bias"))
            joined = _FLOAT * n_patches * (joining + vision["embedding_length"])
            needed = max(cut, kept + inner + 4 * wide, kept + joined)
        case "qwen2vl_merger":
            needed = max(cut + wide, kept + inner + 2 * wide, kept + 5 * wide)
        case "qwen2.5vl_merger":
            seen = _FLOAT * n_patches**2  # which patches see which
            n_inner = 1 if 2 * inner <= seen else 2  # the other is where these were before
            needed = kept + seen * 3 // 2 + n_inner * inner + 4 * wide
        case _:
            kept = 0 if kind in _SIGLIP else kept
            needed = max(cut, kept + inner * (1 + gated) + 3 * wide, kept + 5 * wide)
    return needed + _PLACES * n_patches

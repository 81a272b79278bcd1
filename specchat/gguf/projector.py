"""Reads the headers of mmproj files, which encode pictures for a model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.header import Header, read_header
from specchat.gguf.metadata import Value, integer, text
from specchat.gguf.source import FileSource

ARCHITECTURE = "clip"

_LIMITS = {
    "image_size": (1, 1 << 14),
    "patch_size": (1, 1 << 10),
    "embedding_length": (1, 1 << 16),
    "feed_forward_length": (0, 1 << 20),
    "block_count": (0, 512),
    "attention.head_count": (0, 1 << 12),
}
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


@dataclass(frozen=True, slots=True)
class Projector:
    name: str
    kind: str
    weights: int
    """Bytes."""
    width: int | None
    """Of the rows that it makes of pictures; None: not known here."""
    compute: int
    """Bytes, roughly."""


def read_projector(path: Path) -> Projector:
    """Raises a ModelFileError where mtmd might stumble."""
    header = read_header(FileSource(path))
    name = path.name
    if header.architecture != ARCHITECTURE:
        raise ModelFileError(
            "{name} is not an mmproj file.", "Choose the mmproj file from the target's repository.", name=name
        )
    if header.metadata.get("clip.has_vision_encoder") is not True:
        raise ModelFileError("{name} encodes no pictures.", "Choose another mmproj file.", name=name)
    vision = _vision(header.metadata, name)
    if not header.tensors:
        raise damaged_file_error(name, "it has no weights")
    kind = text(header.metadata, "clip.vision.projector_type", name)
    kind = text(header.metadata, "clip.projector_type", name) or kind or ""
    return Projector(
        name, kind, sum(each.size for each in header.tensors), _width(header, kind), _compute(vision, kind)
    )


def _vision(metadata: Mapping[str, Value], name: str) -> dict[str, int]:
    found = {}
    for suffix, (low, high) in _LIMITS.items():
        key = f"clip.vision.{suffix}"
        value = integer(metadata, key, name)
        if value is None or not low <= value <= high:
            raise damaged_file_error(
                name, "{key} is {value}, outside the range {low} to {high}", key=key, value=value, low=low, high=high
            )
        found[suffix] = value
    if found["patch_size"] > found["image_size"]:
        raise damaged_file_error(name, "its patches are larger than its pictures")
    return found


def _width(header: Header, kind: str) -> int | None:
    tensor, dimension = _WIDTHS.get(kind, ("", 0))
    shape = next((each.shape for each in header.tensors if each.name == tensor), ())
    return shape[dimension] if len(shape) > dimension else None


def _compute(vision: Mapping[str, int], kind: str) -> int:
    """What a layer has at hand at once of all patches, and the picture itself."""
    n_patches = _TRIED_PATCHES.get(kind, (vision["image_size"] // vision["patch_size"]) ** 2)
    of_picture = 3 * vision["patch_size"] ** 2
    return 4 * n_patches * (of_picture + 4 * vision["embedding_length"] + vision["feed_forward_length"])

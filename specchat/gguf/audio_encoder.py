"""Reads from the header of an mmproj file what encodes recordings."""

from collections.abc import Mapping
from dataclasses import dataclass

from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.header import Header
from specchat.gguf.metadata import Value, integer, text

_LIMITS = {
    "num_mel_bins": (1, 256),
    "embedding_length": (1, 1 << 14),
    "feed_forward_length": (0, 1 << 18),
    "block_count": (0, 512),
    "attention.head_count": (0, 1 << 12),
}
_OPTIONAL_LIMITS = {
    "projection_dim": (0, 1 << 20),
    "projector.stack_factor": (1, 64),
    "projector.window_size": (1, 1 << 12),
    "projector.downsample_rate": (1, 64),
    "projector.head_count": (1, 1 << 12),
    "chunk_size": (1, 1 << 12),
    "conv_kernel_size": (1, 255),
    "max_pos_emb": (1, 1 << 14),
    "subsampling_factor": (1, 64),
}
_WHISPER = ("ultravox", "voxtral", "qwen2a", "glma", "meralion", "musicflamingo")
"""Kinds with Whisper's encoder, which hears half a minute at a time."""
_N_FRAMES = 3000
"""Of this half minute, and of what memory is reserved for."""
_N_PLACES = _N_FRAMES // 2
_STACKED = ("ultravox", "voxtral", "meralion", "glma")
_POOLED = ("voxtral",)
_IN_PIECES = (*_WHISPER, "qwen3a", "dots3note_a")
"""However long a recording is, they hear a piece at a time."""
_MOST_SECONDS, _MOST_AT_ONCE = 30 * 60, 2 * 60
_SHRUNK = 8
"""Frames that become one, where the encoder is another."""
_WIDTHS = {"ultravox": ("mm.a.mlp.2.weight", 0), "voxtral": ("mm.a.mlp.2.weight", 0), "qwen2a": ("mm.a.fc.weight", 0)}
"""Where some kinds tell the width of their rows."""
_SPEAKERS = ("qwen3tts_spk", "pockettts_spk")
"""Kinds that hear whose voice a model is to speak with."""
_FLOAT = 4


@dataclass(frozen=True, slots=True)
class AudioEncoder:
    kind: str
    width: int | None
    """Of its rows; None: not known here."""
    compute: int
    """Bytes, roughly."""
    most_seconds: int
    """The longest recording."""


def read_audio_encoder(header: Header, name: str) -> AudioEncoder | None:
    """None: it doesn't hear."""
    metadata = header.metadata
    if metadata.get("clip.has_audio_encoder") is not True:
        return None
    kind = text(metadata, "clip.audio.projector_type", name)
    kind = text(metadata, "clip.projector_type", name) or kind or ""
    kind = "qwen2a" if kind == "qwen2.5o" else kind
    if kind.startswith("gemma3n") or kind.startswith(_SPEAKERS):
        return None  # llama.cpp knows the tensors of the former, but not how to compute with them
    sizes = _sizes(metadata, kind, name)
    if kind in _STACKED:
        _require_countable(sizes, kind, name)
    most_seconds = _MOST_SECONDS if kind in _IN_PIECES else _MOST_AT_ONCE
    return AudioEncoder(kind, _width(header, kind), _compute(sizes, kind), most_seconds)


def _sizes(metadata: Mapping[str, Value], kind: str, name: str) -> dict[str, int]:
    required = _LIMITS if kind in _IN_PIECES else {"embedding_length": _LIMITS["embedding_length"]}
    found = {}
    for suffix, (low, high) in (_LIMITS | _OPTIONAL_LIMITS).items():
        key = f"clip.audio.{suffix}"
        value = integer(metadata, key, name)
        if value is None and suffix not in required:
            continue
        if suffix == "num_mel_bins" and kind == "gemma4ua":
            continue  # it has samples in place of these
        if value is None or not low <= value <= high:
            raise damaged_file_error(
                name, "{key} is {value}, outside the range {low} to {high}", key=key, value=value, low=low, high=high
            )
        found[suffix] = value
    return found


def _require_countable(sizes: Mapping[str, int], kind: str, name: str) -> None:
    """Several rows become one. llama.cpp counts them before and after, in two ways, and ends where they differ."""
    stack = sizes.get("projector.stack_factor", 0)
    if not stack:
        raise damaged_file_error(name, "{key} is missing", key="clip.audio.projector.stack_factor")
    n_places = _N_PLACES // (2 if kind in _POOLED else 1)
    row = stack * sizes["embedding_length"]
    filled = (n_places * sizes["embedding_length"] + row - 1) & ~(row - 1)
    n_rows = filled // row if stack > 1 else n_places
    expected = n_places // stack if kind == "glma" else -(-_N_FRAMES // stack) // (_N_FRAMES // n_places)
    if n_rows != expected:
        raise damaged_file_error(name, "it makes {n} rows of half a minute, not {wanted}", n=n_rows, wanted=expected)


def _width(header: Header, kind: str) -> int | None:
    tensor, dimension = _WIDTHS.get(kind, ("", 0))
    shape = next((each.shape for each in header.tensors if each.name == tensor), ())
    return shape[-1 - dimension] if shape else None


def _compute(sizes: Mapping[str, int], kind: str) -> int:
    """The most that llama.cpp has at hand at once, found with encoders of many sizes; a guess for other kinds."""
    n_rows = _N_PLACES if kind in _WHISPER else _N_FRAMES // _SHRUNK
    wide, inner = (_FLOAT * n_rows * sizes.get(each, 0) for each in ("embedding_length", "feed_forward_length"))
    return max(5 * wide, 3 * wide + inner)

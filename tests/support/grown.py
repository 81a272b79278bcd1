"""A larger model from a small one: the same predictions, up to a chosen noise, at the cost of its new size.

The width grows by a whole factor. The old weights stand in the first rows and columns of the new ones, the other
columns are fed zeros or feed nothing, so what the old layers compute stays the same to rounding. The layers added after
them are random; what they write into the stream is scaled by `noise`, from nothing to the ruin of every prediction.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from math import sqrt
from pathlib import Path

import numpy as np
from support.gguf_reader import Weights, read_gguf
from support.gguf_writer import Floats, Tensor, Value, write_gguf

ARCHITECTURE = "qwen3"
_POOL = np.random.default_rng(1).standard_normal(1 << 22, np.float32)
"""Noise to cut weights from: drawing billions of numbers would take minutes."""
_WIDTHS = ("embedding_length", "feed_forward_length", "attention.head_count", "attention.head_count_kv")
_MOST_LAYERS = 40


@dataclass(frozen=True)
class Growth:
    widen: int = 1
    n_layer: int | None = None
    """None: as many as before."""
    dtype: str = "Q8_0"
    noise: float = 0.0
    """What all the new layers together add to the stream, roughly, in its own unit before normalisation."""
    name: str = "Grown"


def growth_to(source: Path, size: int, dtype: str, noise: float, name: str) -> Growth:
    """The narrowest and deepest that has at least this many bytes."""
    original = Original(source)
    for widen in range(1, 64):
        layers = original.n_layer
        sizes = [original.grown_bytes(Growth(widen, n, dtype)) for n in (layers, layers + 1)]
        more = max(0, -(-(size - sizes[0]) // (sizes[1] - sizes[0])))
        if layers + more <= _MOST_LAYERS:
            return Growth(widen, layers + more, dtype, noise, name)
    raise ValueError(f"{size} bytes are too many")


def grow(source: Path, path: Path, growth: Growth) -> Path:
    original = Original(source)
    write_gguf(path, original.grown_metadata(growth), list(original.grown_tensors(growth)))
    return path


class Original:
    def __init__(self, path: Path) -> None:
        self._weights: Weights = read_gguf(path)
        if self._metadata["general.architecture"] != ARCHITECTURE:
            raise ValueError(f"only {ARCHITECTURE} models grow here")

    @property
    def _metadata(self) -> Mapping[str, Value]:
        return self._weights.metadata

    @cached_property
    def n_layer(self) -> int:
        return self._number("block_count")

    def grown_metadata(self, growth: Growth) -> dict[str, Value]:
        grown = dict(self._metadata)
        for key in _WIDTHS:
            grown[f"{ARCHITECTURE}.{key}"] = self._number(key) * growth.widen
        epsilon = grown[f"{ARCHITECTURE}.attention.layer_norm_rms_epsilon"]
        assert isinstance(epsilon, float)
        grown[f"{ARCHITECTURE}.attention.layer_norm_rms_epsilon"] = epsilon / growth.widen
        grown[f"{ARCHITECTURE}.block_count"] = growth.n_layer or self.n_layer
        grown["general.name"] = growth.name
        grown["general.description"] = "Grown from a small model for benchmarks: it knows no more than that."
        grown["general.file_type"] = {"F16": 1, "Q8_0": 7, "Q4_0": 2, "Q4_K": 15}[growth.dtype]
        grown.pop("general.size_label", None)
        return grown

    def grown_tensors(self, growth: Growth) -> Iterator[Tensor]:
        for name, old in self._weights.tensors.items():
            yield _tensor(name, self._grown_shape(name, old, growth), growth, partial(_widened, name, old, growth))
        for layer in range(self.n_layer, growth.n_layer or self.n_layer):
            for name, old in self._weights.tensors.items():
                if name.startswith("blk.0."):
                    new = name.replace("blk.0.", f"blk.{layer}.")
                    shape = self._grown_shape(name, old, growth)
                    make = partial(_added, new, shape, self._n_embd, growth, (growth.n_layer or 0) - self.n_layer)
                    yield _tensor(new, shape, growth, make)

    def grown_bytes(self, growth: Growth) -> int:
        return sum(tensor.nbytes for tensor in self.grown_tensors(growth))

    def _grown_shape(self, name: str, old: Floats, growth: Growth) -> tuple[int, ...]:
        if name.endswith(("attn_q_norm.weight", "attn_k_norm.weight")):
            return old.shape
        if name in ("token_embd.weight", "output.weight"):
            return (old.shape[0], old.shape[1] * growth.widen)
        return tuple(length * growth.widen for length in old.shape)

    @property
    def _n_embd(self) -> int:
        return self._number("embedding_length")

    def _number(self, key: str) -> int:
        value = self._metadata[f"{ARCHITECTURE}.{key}"]
        assert isinstance(value, int)
        return value


def _tensor(name: str, shape: tuple[int, ...], growth: Growth, make: partial[Floats]) -> Tensor:
    dtype = "F32" if len(shape) == 1 else growth.dtype
    if dtype == "Q4_K" and shape[-1] % 256:  # its blocks would not fit the rows
        dtype = "Q4_0"
    return Tensor(name, shape, dtype, make)


def _widened(name: str, old: Floats, growth: Growth) -> Floats:
    """Zeros around the old weights; a norm makes up for the mean over more, empty places."""
    if growth.widen == 1 or name.endswith(("attn_q_norm.weight", "attn_k_norm.weight")):
        return old
    if old.ndim == 1:
        return np.concatenate([old / sqrt(growth.widen), np.zeros(old.size * (growth.widen - 1), np.float32)])
    rows = old.shape[0] * (1 if name in ("token_embd.weight", "output.weight") else growth.widen)
    new = np.zeros((rows, old.shape[1] * growth.widen), np.float32)
    new[: old.shape[0], : old.shape[1]] = old
    return new


def _added(name: str, shape: tuple[int, ...], n_embd: int, growth: Growth, n_added: int) -> Floats:
    if len(shape) == 1:
        return np.full(
            shape, 1 / sqrt(shape[0] / n_embd) if "attn_norm" in name or "ffn_norm" in name else 1.0, np.float32
        )
    values = _noise(name, shape)
    if name.endswith(("attn_output.weight", "ffn_down.weight")):
        values *= np.float32(growth.noise / sqrt(n_added * shape[1]))
        values[n_embd:] = 0
        return values
    values *= np.float32(1 / sqrt(n_embd))
    return values


def _noise(name: str, shape: tuple[int, ...]) -> Floats:
    start = sum(name.encode()) * 7919 % _POOL.size
    return np.resize(np.roll(_POOL, -start), shape)


def grow_head(source: Path, path: Path, widen: int, dtype: str = "Q8_0") -> Path:
    """A head for a target that was widened as much: it reads the same layers, and guesses the same."""
    weights = read_gguf(source)
    architecture = str(weights.metadata["general.architecture"])
    metadata = dict(weights.metadata)
    for key in (*_WIDTHS, "target_hidden_size"):
        width = metadata.get(f"{architecture}.{key}")
        if isinstance(width, int):
            metadata[f"{architecture}.{key}"] = width * widen
    epsilon = metadata[f"{architecture}.attention.layer_norm_rms_epsilon"]
    assert isinstance(epsilon, float)
    metadata[f"{architecture}.attention.layer_norm_rms_epsilon"] = epsilon / widen
    growth, n_embd = Growth(widen, dtype=dtype), weights.tensors["output_norm.weight"].size
    tensors = []
    for name, old in weights.tensors.items():
        new = _widened_of_head(name, old, growth, n_embd)
        tensors.append(_tensor(name, new.shape, growth, partial(np.asarray, new)))
    write_gguf(path, metadata, tensors)
    return path


def _widened_of_head(name: str, old: Floats, growth: Growth, n_embd: int) -> Floats:
    """Where a matrix reads several states side by side, each of them has become wider."""
    if name.startswith("markov_"):
        return old
    if name.startswith("conf_proj") and old.ndim == 1:
        wide: Floats = _widened_of_head(name, old[None], growth, n_embd)[0]
        return wide
    if old.ndim == 1 or name.endswith(("attn_output.weight", "ffn_down.weight")):
        return _widened(name, old, growth)
    n_rows = old.shape[0] * (1 if name.startswith(("conf_proj", "output.", "token_embd")) else growth.widen)
    parts = [old[:, at : at + n_embd] for at in range(0, old.shape[1], n_embd)]
    rest = parts.pop() if parts[-1].shape[1] < n_embd else None
    new = np.zeros((n_rows, n_embd * growth.widen * len(parts) + (0 if rest is None else rest.shape[1])), np.float32)
    for i, part in enumerate(parts):
        start = i * n_embd * growth.widen
        new[: old.shape[0], start : start + n_embd] = part
    if rest is not None:
        new[: old.shape[0], -rest.shape[1] :] = rest
    return new

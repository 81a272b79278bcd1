"""A larger model from a small one: the same predictions, up to a chosen noise, at the cost of its new size.

The width grows by a whole factor. The old weights stand in the first rows and columns of the new ones, the other
columns are fed zeros or feed nothing, so what the old layers compute stays the same to rounding. The layers added after
them are random; what they write into the stream is scaled by `noise`, from nothing to the ruin of every prediction.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import sqrt
from pathlib import Path

import numpy as np
from support.gguf_reader import Weights, read_gguf
from support.gguf_writer import Floats, Tensor, Value, write_gguf

_ARCHITECTURES = ("qwen3", "glm4moe")
_POOL = np.random.default_rng(1).standard_normal(1 << 22, np.float32)
"""Noise to cut weights from: drawing billions of numbers would take minutes."""
_WIDTHS = (
    "embedding_length",
    "feed_forward_length",
    "expert_feed_forward_length",
    "attention.head_count",
    "attention.head_count_kv",
    "target_hidden_size",
)
_NOT_WIDENED = ("attn_q_norm.weight", "attn_k_norm.weight", "exp_probs_b.bias")
_ROWS_NOT_WIDENED = ("token_embd.", "output.", "conf_proj")
_UNUSED_TOKEN = 5
_MARK, _SAYS_THE_MARK = 0.05, 3e4
"""What is in the first new place of each state, and how loudly a final norm repeats it: the tokens added have its
opposite there, so that their probability is nothing."""
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
    n_vocab: int | None = None
    """None: as many tokens as before. Those added are never said."""


def growth_to(source: Path, size: int, dtype: str, noise: float, name: str, n_vocab: int | None = None) -> Growth:
    """The narrowest and deepest that has at least this many bytes."""
    original = Original(source)
    for widen in range(2 if n_vocab else 1, 64):  # the mark of added tokens needs a new place
        layers = original.n_layer
        sizes = [original.grown_bytes(Growth(widen, n, dtype, n_vocab=n_vocab)) for n in (layers, layers + 1)]
        more = max(0, -(-(size - sizes[0]) // (sizes[1] - sizes[0])))
        if layers + more <= _MOST_LAYERS:
            return Growth(widen, layers + more, dtype, noise, name, n_vocab)
    raise ValueError(f"{size} bytes are too many")


def grow(source: Path, path: Path, growth: Growth, threads: int = 1) -> Path:
    original = Original(source)
    write_gguf(path, original.grown_metadata(growth), list(original.grown_tensors(growth)), threads)
    return path


class Original:
    def __init__(self, path: Path) -> None:
        self._weights: Weights = read_gguf(path)
        self._architecture = str(self._metadata["general.architecture"])
        if self._architecture not in _ARCHITECTURES:
            raise ValueError(f"only {' and '.join(_ARCHITECTURES)} models grow here")

    @property
    def _metadata(self) -> Mapping[str, Value]:
        return self._weights.metadata

    @cached_property
    def n_layer(self) -> int:
        """Without the MTP layers, which stand after them."""
        return self._number("block_count") - self._n_mtp

    def grown_metadata(self, growth: Growth) -> dict[str, Value]:
        grown = _widened_metadata(self._metadata, self._architecture, growth.widen)
        n_layer = growth.n_layer or self.n_layer
        grown[f"{self._architecture}.block_count"] = n_layer + self._n_mtp
        if f"{self._architecture}.leading_dense_block_count" in grown:
            grown[f"{self._architecture}.leading_dense_block_count"] = n_layer
        grown["general.name"] = growth.name
        grown["general.description"] = "Grown from a small model for benchmarks: it knows no more than that."
        grown["general.file_type"] = {"F16": 1, "Q8_0": 7, "Q4_0": 2, "Q4_K": 15}[growth.dtype]
        grown.pop("general.size_label", None)
        if growth.n_vocab:
            _add_tokens(grown, self._architecture, growth.n_vocab)
        return grown

    def grown_tensors(self, growth: Growth) -> Iterator[Tensor]:
        n_layer = growth.n_layer or self.n_layer
        for name, old in self._weights.tensors.items():
            block = re.match(r"blk\.(\d+)\.", name)
            new = name
            if block and int(block[1]) >= self.n_layer:
                new = name.replace(block[0], f"blk.{int(block[1]) - self.n_layer + n_layer}.")
            yield _widened_tensor(new, old, growth, self._n_embd)
        for layer in range(self.n_layer, n_layer):
            for name, old in self._weights.tensors.items():
                if name.startswith("blk.0."):
                    new = name.replace("blk.0.", f"blk.{layer}.")
                    shape = _widened_shape(name, old.shape, growth, self._n_embd)
                    make = partial(_added, new, shape, self._n_embd, growth, n_layer - self.n_layer)
                    yield _tensor(new, shape, growth, make)

    def grown_bytes(self, growth: Growth) -> int:
        return sum(tensor.nbytes for tensor in self.grown_tensors(growth))

    @property
    def _n_mtp(self) -> int:
        return self._number("nextn_predict_layers", 0)

    @property
    def _n_embd(self) -> int:
        return self._number("embedding_length")

    def _number(self, key: str, default: int | None = None) -> int:
        value = self._metadata.get(f"{self._architecture}.{key}", default)
        assert isinstance(value, int)
        return value


def grow_head(source: Path, path: Path, widen: int, dtype: str = "Q8_0", n_vocab: int | None = None) -> Path:
    """A head for a target that was widened as much: it reads the same layers, and guesses the same."""
    weights = read_gguf(source)
    metadata = _widened_metadata(weights.metadata, str(weights.metadata["general.architecture"]), widen)
    growth, n_embd = Growth(widen, dtype=dtype, n_vocab=n_vocab), weights.tensors["output_norm.weight"].size
    write_gguf(path, metadata, [_widened_tensor(name, old, growth, n_embd) for name, old in weights.tensors.items()])
    return path


def _widened_metadata(metadata: Mapping[str, Value], architecture: str, widen: int) -> dict[str, Value]:
    grown = dict(metadata)
    for key in _WIDTHS:
        width = grown.get(f"{architecture}.{key}")
        if isinstance(width, int):
            grown[f"{architecture}.{key}"] = width * widen
    epsilon = grown[f"{architecture}.attention.layer_norm_rms_epsilon"]
    assert isinstance(epsilon, float)
    grown[f"{architecture}.attention.layer_norm_rms_epsilon"] = epsilon / widen
    return grown


def _add_tokens(metadata: dict[str, Value], architecture: str, n_vocab: int) -> None:
    tokens = metadata["tokenizer.ggml.tokens"]
    types = metadata["tokenizer.ggml.token_type"]
    assert isinstance(tokens, Sequence)
    assert isinstance(types, Sequence)
    added = range(len(tokens), n_vocab)
    metadata["tokenizer.ggml.tokens"] = [*map(str, tokens), *(f"[unused{number}]" for number in added)]
    metadata["tokenizer.ggml.token_type"] = [*map(int, types), *(_UNUSED_TOKEN for _ in added)]
    metadata[f"{architecture}.vocab_size"] = n_vocab


def _tensor(name: str, shape: tuple[int, ...], growth: Growth, make: partial[Floats]) -> Tensor:
    dtype = "F32" if len(shape) == 1 else growth.dtype
    if dtype == "Q4_K" and shape[-1] % 256:  # its blocks would not fit the rows
        dtype = "Q4_0"
    return Tensor(name, shape, dtype, make)


def _widened_tensor(name: str, old: Floats, growth: Growth, n_embd: int) -> Tensor:
    shape = _widened_shape(name, old.shape, growth, n_embd)
    return _tensor(name, shape, growth, partial(_widened, name, old, shape, growth, n_embd))


def _widened_shape(name: str, old: tuple[int, ...], growth: Growth, n_embd: int) -> tuple[int, ...]:
    """Rows of what a matrix writes, columns of what it reads; the experts of a layer stay as many."""
    if name.endswith(_NOT_WIDENED) or name.startswith("markov_"):
        return old
    if len(old) == 1:
        return (_widened_columns(name, old[0], growth.widen, n_embd),)
    *experts, rows, columns = old
    if not name.startswith(_ROWS_NOT_WIDENED):
        rows *= growth.widen
    elif growth.n_vocab and name.startswith(("token_embd.", "output.")):
        rows = growth.n_vocab
    return (*experts, rows, _widened_columns(name, columns, growth.widen, n_embd))


def _widened_columns(name: str, columns: int, widen: int, n_embd: int) -> int:
    if name.startswith("conf_proj"):  # the state, and beside it a Markov embedding of its own width
        return columns + columns // n_embd * n_embd * (widen - 1)
    return columns * widen


def _widened(name: str, old: Floats, shape: tuple[int, ...], growth: Growth, n_embd: int) -> Floats:
    """Zeros around the old weights; a norm makes up for the mean over more, empty places.

    Where a matrix reads several states side by side, each of them has become wider.
    """
    if old.shape == shape:
        return old
    new = np.zeros(shape, np.float32)
    if growth.n_vocab:
        _mark(name, new, old, growth.widen, n_embd)
    if old.ndim == 1 and "norm" in name:
        new[: old.size] = old / sqrt(growth.widen)
        return new
    rows = (slice(None),) * (old.ndim - 2) + ((slice(old.shape[-2]),) if old.ndim > 1 else ())
    side_by_side = old.shape[-1] // n_embd if re.search(r"attn_[qkv]\.|eh_proj|fc\.|conf_proj", name) else 0
    for number in range(side_by_side):
        at = number * n_embd
        new[*rows, at * growth.widen : at * growth.widen + n_embd] = old[..., at : at + n_embd]
    rest = old[..., side_by_side * n_embd :]
    start = side_by_side * n_embd * growth.widen
    new[*rows, start : start + rest.shape[-1]] = rest
    return new


def _mark(name: str, new: Floats, old: Floats, widen: int, n_embd: int) -> None:
    if name.startswith(("token_embd.", "output.")):
        new[:, n_embd] = -_MARK
        new[: old.shape[0], n_embd] = _MARK
    elif name.endswith(("output_norm.weight", "shared_head_norm.weight")):
        new[n_embd] = _SAYS_THE_MARK / sqrt(widen)
    elif "enorm" in name:
        new[n_embd] = 1 / sqrt(widen)
    elif name.startswith("fc.") or "eh_proj" in name:  # the last state that an EAGLE-3 head reads, the token of MTP
        new[n_embd, n_embd if "eh_proj" in name else (old.shape[1] - n_embd) * widen + n_embd] = 1


def _added(name: str, shape: tuple[int, ...], n_embd: int, growth: Growth, n_added: int) -> Floats:
    if len(shape) == 1:
        reads_the_stream = name.endswith(("attn_norm.weight", "ffn_norm.weight", "post_attention_norm.weight"))
        return np.full(shape, 1 / sqrt(shape[0] / n_embd) if reads_the_stream else 1.0, np.float32)
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

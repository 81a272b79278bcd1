"""Reads the dimensions that determine the memory of a model from its headers."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from specchat.domain.compute_settings import SINGLE_TEXT_FACTS
from specchat.domain.errors import ModelFileError
from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.header import Header, read_header
from specchat.gguf.hyperparameters import per_layer
from specchat.gguf.memory import Layer, ModelShape
from specchat.gguf.metadata import integer
from specchat.gguf.placement import BLOCK, INPUTS, OUTPUT
from specchat.gguf.source import FileSource
from specchat.gguf.splits import find_other_parts

_WINDOW_PATTERNS = {"gemma2": 2, "gemma3": 6, "gemma3n": 5, "cohere2": 4, "exaone4": 4, "gpt-oss": 2}
"""Every n-th layer sees everything, where the file does not say which do."""


def read_shape(path: Path) -> ModelShape:
    """Reads the shape from the available parts of a split model."""
    header = read_header(FileSource(path))
    others = [part for part in find_other_parts(path, header) if part.is_file()]
    return shape_of(header, *(read_header(FileSource(part)) for part in others))


def shape_of(header: Header, *other_parts: Header) -> ModelShape:
    facts = _Facts(header)
    n_layer = facts.number("block_count") - facts.number("nextn_predict_layers")
    n_embd = facts.number("embedding_length")
    if n_layer < 1 or not n_embd:
        raise ModelFileError(
            "{name} doesn't state the size of its layers.", "Choose another model file.", name=header.name
        )
    sizes = _sizes(n_layer, [header, *other_parts])
    embedding = next((t for part in (header, *other_parts) for t in part.tensors if t.name == TOKEN_EMBEDDING), None)
    own_output = any(t.name == OUTPUT for part in (header, *other_parts) for t in part.tensors)
    return ModelShape(
        layers=tuple(_layer(facts, i, n_layer, sizes[i]) for i in range(n_layer)),
        input_weights=sizes[-2],
        output_weights=sizes[-1],
        tied_output=embedding.size if embedding and not own_output else 0,
        n_vocab=embedding.shape[-1] if embedding else facts.number("vocab_size"),
        n_embd=n_embd,
        n_ff=_active_feed_forward(facts),
        n_head=max(facts.each("attention.head_count"), default=0),
        inner=facts.number("ssm.inner_size"),
        n_ctx_train=facts.number("context_length"),
        keeps_texts_apart=not any(map(facts.has, SINGLE_TEXT_FACTS)),
    )


def recurrent_layers(header: Header) -> list[bool]:
    """For each layer, whether it keeps a recurrent state instead of a KV cache."""
    facts = _Facts(header)
    layers = range(facts.number("block_count"))
    n_heads = (facts.of_layer("attention.head_count_kv", i, facts.of_layer("attention.head_count", i)) for i in layers)
    return [_is_recurrent(facts, i, n_head_kv) for i, n_head_kv in zip(layers, n_heads, strict=True)]


class _Facts:
    def __init__(self, header: Header) -> None:
        self._header = header
        self.architecture = header.architecture or ""

    def number(self, suffix: str, default: int = 0) -> int:
        value = integer(self._header.metadata, f"{self.architecture}.{suffix}", self._header.name)
        return default if value is None else max(0, value)

    def has(self, suffix: str) -> bool:
        return f"{self.architecture}.{suffix}" in self._header.metadata

    def each(self, suffix: str) -> list[int]:
        return per_layer(self._header.metadata, f"{self.architecture}.{suffix}", self._header.name)

    def of_layer(self, suffix: str, i: int, default: int = 0) -> int:
        values = self.each(suffix)
        return (values[i] if i < len(values) else values[0]) if values else default

    def slides(self, i: int) -> bool:
        """A list names the layers with a window; a number n leaves every n-th without."""
        value = self._header.metadata.get(f"{self.architecture}.attention.sliding_window_pattern")
        if isinstance(value, np.ndarray):
            return bool(i < len(value) and value[i])
        period = value if isinstance(value, int) else _WINDOW_PATTERNS.get(self.architecture, 1)
        return period <= 0 or i % period < period - 1


def _layer(facts: _Facts, i: int, n_layer: int, weights: int) -> Layer:
    n_head = facts.of_layer("attention.head_count", i)
    n_head_kv = facts.of_layer("attention.head_count_kv", i, n_head)
    recurrent = _is_recurrent(facts, i, n_head_kv)
    shares_cache = i >= n_layer - facts.number("attention.shared_kv_layers")
    window = facts.number("attention.sliding_window") if facts.slides(i) else 0
    has_cache = not (recurrent or shares_cache)
    return Layer(
        weights=weights,
        key_width=_width(facts, "key_length", n_head_kv, window) if has_cache else 0,
        value_width=_width(facts, "value_length", n_head_kv, window) if has_cache and not _is_latent(facts) else 0,
        window=window,
        state=_state(facts) if recurrent else 0,
    )


def _width(facts: _Facts, which: str, n_head_kv: int, window: int) -> int:
    n_head = max(facts.each("attention.head_count"), default=0)
    default = facts.number(f"attention.{which}", facts.number("embedding_length") // max(1, n_head))
    return n_head_kv * (facts.number(f"attention.{which}_swa", default) if window else default)


def _is_latent(facts: _Facts) -> bool:
    """Multi-head latent attention makes the values from the keys."""
    return facts.number("attention.key_length_mla") > 0


def _is_recurrent(facts: _Facts, i: int, n_head_kv: int) -> bool:
    interval = facts.number("full_attention_interval")
    return n_head_kv == 0 or (interval > 0 and (i + 1) % interval != 0)


def _state(facts: _Facts) -> int:
    if short_convolution := facts.number("shortconv.l_cache"):
        return facts.number("embedding_length") * (short_convolution - 1)
    inner, state = facts.number("ssm.inner_size"), facts.number("ssm.state_size")
    convolution = max(0, facts.number("ssm.conv_kernel") - 1)
    return convolution * (inner + 2 * facts.number("ssm.group_count") * state) + state * inner


def _active_feed_forward(facts: _Facts) -> int:
    dense = max(facts.each("feed_forward_length"), default=0)
    used = max(facts.each("expert_used_count"), default=0)
    return max(dense, used * facts.number("expert_feed_forward_length", dense))


def _sizes(n_layer: int, headers: Sequence[Header]) -> list[int]:
    """Of each layer, then of the input, then of the output. Layers that predict further tokens are not loaded."""
    sizes = [0] * (n_layer + 2)
    for tensor in (tensor for header in headers for tensor in header.tensors):
        block = BLOCK.match(tensor.name)
        if block is None:
            sizes[-2 if tensor.name in INPUTS else -1] += tensor.size
        elif int(block[1]) < n_layer:
            sizes[int(block[1])] += tensor.size
    return sizes

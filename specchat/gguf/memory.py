"""Estimates the memory of a model by the arithmetic of llama.cpp, without loading it."""

from dataclasses import dataclass, replace

from specchat.domain.compute_settings import (
    BATCH,
    DEFAULT_CONTEXT,
    DRAFT_BATCH_ON_CPU,
    MOST_SNAPSHOTS,
    most_outputs,
    whole_context,
)
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.gguf.tensor_types import TENSOR_TYPES

_FLOAT = 4
_PACKING = {packing.name.lower(): packing for packing in TENSOR_TYPES.values()}


@dataclass(frozen=True, slots=True)
class Layer:
    weights: int
    key_width: int
    """Numbers kept for each token; 0 in a layer without a cache of its own."""
    value_width: int
    window: int = 0
    """How many tokens it looks back; 0: at all of them."""
    state: int = 0
    """Numbers of its recurrent state, however long the text is."""


@dataclass(frozen=True, slots=True)
class ModelShape:
    layers: tuple[Layer, ...]
    input_weights: int
    output_weights: int
    tied_output: int
    """Bytes of the embedding where it is the output as well: a GPU holds it a second time."""
    n_vocab: int
    n_embd: int
    n_ff: int
    """Of all experts that are used at once."""
    n_head: int
    inner: int
    """The width of a state-space layer."""
    n_ctx_train: int
    keeps_texts_apart: bool = True
    """Otherwise one answer is written at a time, however many are wanted."""


@dataclass(frozen=True, slots=True)
class ModelMemory:
    cpu: MemoryBreakdown = MemoryBreakdown()
    gpu: MemoryBreakdown = MemoryBreakdown()


def estimate_memory(
    shape: ModelShape, settings: ModelSettings, *, has_gpu: bool = False, is_head: bool = False
) -> ModelMemory:
    """`is_head`: each answer has a cache of its own, as in exact mode."""
    if not shape.keeps_texts_apart:
        settings = replace(settings, slots=1)
    n_layer = len(shape.layers)
    first_on_gpu = _first_on_gpu(n_layer, settings, has_gpu)
    output_on_gpu = first_on_gpu <= n_layer
    reading = _reading(settings, on_cpu=not output_on_gpu)
    cells = whole_context(context_length(shape, settings))
    n_streams = settings.slots if settings.exact or is_head else 1
    states = settings.slots * (1 + _snapshots(shape, settings)) * _FLOAT
    cached = [
        n_streams * _cache_bytes(layer, cells, settings, reading) + states * layer.state for layer in shape.layers
    ]
    weights = [layer.weights for layer in shape.layers]
    compute = _compute_bytes(shape, cells, settings, reading)
    inputs = _mask_bytes(shape, cells, settings, reading) + reading.batch * shape.n_embd * _FLOAT
    return ModelMemory(
        cpu=MemoryBreakdown(
            weights=shape.input_weights + sum(weights[:first_on_gpu]) + (0 if output_on_gpu else shape.output_weights),
            kv=sum(cached[:first_on_gpu]),
            compute=inputs if first_on_gpu == 0 else compute,
            output=_n_outputs(settings) * shape.n_vocab * _FLOAT,
        ),
        gpu=MemoryBreakdown(
            weights=sum(weights[first_on_gpu:]) + shape.output_weights + shape.tied_output,
            kv=sum(cached[first_on_gpu:]),
            compute=compute,
        )
        if output_on_gpu
        else MemoryBreakdown(),
    )


@dataclass(frozen=True, slots=True)
class _Reading:
    batch: int
    fused: bool
    """Attention, all at once: the products of queries and keys are never in memory together."""


def _reading(settings: ModelSettings, *, on_cpu: bool) -> _Reading:
    few = settings.guesses and on_cpu
    quantized = _PACKING[settings.cache_type].block_values > 1
    wanted = not few if settings.flash_attention is None else settings.flash_attention
    return _Reading(DRAFT_BATCH_ON_CPU if few else BATCH, wanted or settings.exact or quantized)


def context_length(shape: ModelShape, settings: ModelSettings) -> int:
    return settings.n_ctx or min(shape.n_ctx_train, DEFAULT_CONTEXT)


def _first_on_gpu(n_layer: int, settings: ModelSettings, has_gpu: bool) -> int:
    """The output counts as the layer after the last; beyond it: nothing is on the GPU."""
    if not has_gpu:
        return n_layer + 1
    wanted = settings.gpu_layers
    return 0 if wanted is None or wanted < 0 else max(0, n_layer + 1 - wanted)


def _snapshots(shape: ModelShape, settings: ModelSettings) -> int:
    return min(settings.max_draft, MOST_SNAPSHOTS) if any(layer.key_width for layer in shape.layers) else 0


def _cache_bytes(layer: Layer, cells: int, settings: ModelSettings, reading: _Reading) -> int:
    """Answers share one cache, but for exact mode."""
    if layer.window:
        cells = _window_cells(layer, cells, settings, reading)
    packing = _PACKING[settings.cache_type]
    width = layer.key_width + layer.value_width
    return cells * width * packing.block_bytes // packing.block_values


def _compute_bytes(shape: ModelShape, cells: int, settings: ModelSettings, reading: _Reading) -> int:
    """The largest of what is in use together: in a feed-forward part, in attention, in a recurrent part, at the end."""
    row = reading.batch * _FLOAT
    cache_width = max((layer.key_width + layer.value_width for layer in shape.layers), default=0)
    state = max((layer.state for layer in shape.layers), default=0) * _FLOAT
    feed_forward = row * (4 * shape.n_embd + 3 * shape.n_ff)
    attention = row * (5 * shape.n_embd + cache_width + (0 if reading.fused else shape.n_head * cells))
    recurrent = row * 8 * shape.inner + settings.slots * (2 + _snapshots(shape, settings)) * state
    output = _n_outputs(settings) * shape.n_vocab * _FLOAT + row * 2 * shape.n_embd
    return max(_mask_bytes(shape, cells, settings, reading) + max(feed_forward, attention, recurrent), output)


def _window_cells(layer: Layer, cells: int, settings: ModelSettings, reading: _Reading) -> int:
    """Answers that share a cache have a window each."""
    windows = 1 if settings.exact else settings.slots
    return min(cells, whole_context(layer.window * windows + reading.batch))


def _mask_bytes(shape: ModelShape, cells: int, settings: ModelSettings, reading: _Reading) -> int:
    """Which tokens see which: one for each kind of attention."""
    kinds = {
        _window_cells(layer, cells, settings, reading) if layer.window else cells
        for layer in shape.layers
        if layer.key_width
    }
    return sum(kinds) * reading.batch * (2 if reading.fused else _FLOAT)


def _n_outputs(settings: ModelSettings) -> int:
    return most_outputs(settings.max_draft, settings.slots)

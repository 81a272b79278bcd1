"""What each architecture is made of: its layers, and the metadata that describes them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

from support import layers
from support.gguf_writer import Value
from support.layers import Dims, Weight


@dataclass(frozen=True)
class Architecture:
    layer: Callable[[Dims, int], Iterator[Weight]]
    metadata: Callable[[Dims], dict[str, Value]]
    output_norm: str = "output_norm.weight"
    embedding_deviation: Callable[[Dims], float] = lambda _: 1.0


def common(d: Dims) -> dict[str, Value]:
    return {
        "context_length": d.n_ctx,
        "embedding_length": d.n_embd,
        "block_count": d.n_layer,
        "attention.layer_norm_rms_epsilon": 1e-5,
    }


def transformer(d: Dims) -> dict[str, Value]:
    metadata: dict[str, Value] = {
        **common(d),
        "feed_forward_length": d.n_ff,
        "attention.head_count": d.n_head,
        "attention.head_count_kv": d.n_head_kv,
        "attention.key_length": d.head_dim,
        "attention.value_length": d.head_dim,
        "rope.dimension_count": d.head_dim,
        "rope.freq_base": 10000.0,
    }
    if d.n_expert:
        metadata |= {
            "expert_count": d.n_expert,
            "expert_used_count": d.n_expert_used,
            "expert_feed_forward_length": d.n_ff,
        }
    return metadata


def sectioned(d: Dims) -> dict[str, Value]:
    """Positions have several dimensions."""
    pairs = d.head_dim // 2
    return {**transformer(d), "rope.dimension_sections": [pairs - 2 * (pairs // 3), *[pairs // 3] * 2, 0]}


def sliding(d: Dims) -> dict[str, Value]:
    window: dict[str, Value] = {
        "attention.sliding_window": d.sliding_window,
        "attention.sliding_window_pattern": 2,
    }
    return {**transformer(d), **window}


def sliding_layers(d: Dims) -> dict[str, Value]:
    """Each layer says for itself whether it slides."""
    return {**sliding(d), "attention.sliding_window_pattern": [not layers.is_attention(i) for i in range(d.n_layer)]}


def gemma4(d: Dims) -> dict[str, Value]:
    own: dict[str, Value] = {
        "attention.key_length_swa": d.head_dim,
        "attention.value_length_swa": d.head_dim,
        "embedding_length_per_layer_input": 0,
    }
    return {**sliding_layers(d), **own}


def step35(d: Dims) -> dict[str, Value]:
    return {**sliding_layers(d), "expert_feed_forward_length": d.n_ff}


def state_space(d: Dims) -> dict[str, Value]:
    ssm: dict[str, Value] = {
        "feed_forward_length": 0,
        "attention.head_count": 0,
        "ssm.conv_kernel": layers.SSM_CONV,
        "ssm.inner_size": 2 * d.n_embd,
        "ssm.state_size": layers.SSM_STATE,
        "ssm.time_step_rank": layers.SSM_RANK,
    }
    return {**common(d), **ssm}


def short_convolution(d: Dims) -> dict[str, Value]:
    heads = [d.n_head_kv if layers.is_attention(i) else 0 for i in range(d.n_layer)]
    return {**transformer(d), "attention.head_count_kv": heads, "shortconv.l_cache": layers.SHORT_CONV}


def delta_net(d: Dims) -> dict[str, Value]:
    rotary_pairs = d.head_dim // 2
    own: dict[str, Value] = {
        "rope.dimension_sections": [rotary_pairs - 2 * (rotary_pairs // 3), *[rotary_pairs // 3] * 2, 0],
        "full_attention_interval": 2,
        "ssm.conv_kernel": layers.SSM_CONV,
        "ssm.inner_size": layers.DELTA_VALUES * layers.DELTA_STATE,
        "ssm.state_size": layers.DELTA_STATE,
        "ssm.time_step_rank": layers.DELTA_VALUES,
        "ssm.group_count": layers.DELTA_KEYS,
    }
    return {**transformer(d), **own}


ARCHITECTURES = {
    "llama": Architecture(layers.llama, transformer),
    "qwen2": Architecture(layers.qwen2, transformer),
    "qwen2vl": Architecture(layers.qwen2, sectioned),
    "qwen3": Architecture(layers.qwen3, transformer),
    "qwen3moe": Architecture(layers.qwen3, transformer),
    "gemma3": Architecture(layers.gemma3, sliding, embedding_deviation=lambda d: 1 / sqrt(d.n_embd)),
    "gemma4": Architecture(layers.gemma4, gemma4, embedding_deviation=lambda d: 1 / sqrt(d.n_embd)),
    "mamba": Architecture(layers.mamba, state_space),
    "lfm2": Architecture(layers.lfm2, short_convolution, output_norm="token_embd_norm.weight"),
    "qwen35": Architecture(layers.qwen35, delta_net),
    "step35": Architecture(layers.qwen3, step35),
}
HEADS = {
    "eagle3": Architecture(layers.llama, transformer),
    "dflash": Architecture(layers.llama, transformer),
    "gemma4-assistant": Architecture(layers.gemma4, gemma4, embedding_deviation=lambda d: 1 / sqrt(d.n_embd)),
}
"""They guess for a target and do not load alone."""

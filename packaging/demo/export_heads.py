"""From trained heads to GGUF files that llama.cpp loads beside their target, whose embeddings and head they share."""

from __future__ import annotations

from pathlib import Path

import torch
from export import Card, floats, general, named_weights, vocabulary
from gguf_file import Value, write_gguf
from heads import BlockHead, ChainHead, Head, HeadShape, Layer, NextTokenHead
from model import EPSILON, ROPE_BASE, Transformer
from tokenizer import ChatTokenizer, tokens_and_merges
from torch import Tensor

_UNUSED_BYTE = "ÿ"
"""Byte 255, which no text has: its token marks the places to guess."""
_SIGMOID = 2
"""How llama.cpp numbers the experts' gating."""


def mask_token(tokenizer: ChatTokenizer) -> int:
    return tokens_and_merges(tokenizer.tokenizer)[0].index(_UNUSED_BYTE)


def export_block_head(path: Path, head: BlockHead, tokenizer: ChatTokenizer, card: Card) -> None:
    shape = head.shape
    own: dict[str, Value] = {"dflash.block_size": shape.n_places(shape.n_block)}
    if shape.markov_rank:
        own |= {"dflash.sample_from_anchor": True, "dflash.has_confidence_head": True}
    metadata = (
        general(card, "dflash", head.n_parameters)
        | _architecture("dflash", shape)
        | own
        | vocabulary(tokenizer)
        | {"tokenizer.ggml.mask_token_id": mask_token(tokenizer)}
    )
    weights = {"fc.weight": head.fusing_weight(), "enc.output_norm.weight": head.fused_norm.weight}
    weights["output_norm.weight"] = head.norm.weight
    for i, (layer, norm) in enumerate(zip(head.layers, head.layer_norms, strict=True)):
        weights |= {f"blk.{i}.{name}.weight": weight for name, weight in _layer(layer).items()}
        weights[f"blk.{i}.attn_norm.weight"] = norm.weight
        weights[f"blk.{i}.attn_q_norm.weight"] = layer.q_norm.weight
        weights[f"blk.{i}.attn_k_norm.weight"] = layer.k_norm.weight
    if shape.markov_rank:
        weights["markov_w1.weight"] = head.markov_from.weight
        weights["markov_w2.weight"] = head.markov_to.weight
        weights["conf_proj.weight"] = head.confidence.weight[0]
        weights["conf_proj.bias"] = head.confidence.bias
    _write(path, metadata, weights)


def export_chain_head(path: Path, head: ChainHead, tokenizer: ChatTokenizer, card: Card) -> None:
    shape = head.shape
    metadata = (
        general(card, "eagle3", head.n_parameters)
        | _architecture("eagle3", shape)
        | {"eagle3.target_hidden_size": shape.target.n_embd}
        | vocabulary(tokenizer)
    )
    weights = {"fc.weight": head.fusing_weight(), "output_norm.weight": head.norm.weight}
    weights |= {f"blk.0.{name}.weight": weight for name, weight in _layer(head.layer).items()}
    weights["blk.0.attn_q.weight"] = _paired_rotation(head.layer.q.weight, shape.head_dim)
    weights["blk.0.attn_k.weight"] = _paired_rotation(head.layer.k.weight, shape.head_dim)
    weights["blk.0.attn_norm.weight"] = head.token_norm.weight
    weights["blk.0.attn_norm_2.weight"] = head.state_norm.weight
    _write(path, metadata, weights)


def _paired_rotation(weight: Tensor, head_dim: int) -> Tensor:
    """Here RoPE turns a number with the one half a head away, in llama.cpp's `eagle3` with its neighbour."""
    return weight.view(-1, 2, head_dim // 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)


def export_with_next_token_layer(
    path: Path, target: Transformer, head: NextTokenHead, tokenizer: ChatTokenizer, card: Card
) -> None:
    """The target as `glm4moe`, whose dense layers compute what `qwen3` does, with the head as its MTP layer.

    That layer must have experts: one that is always chosen and one shared, each of half the head's width, are together
    what the head's feed-forward network is.
    """
    shape, half, last = head.shape, head.shape.n_ff // 2, target.shape.n_layer
    own: dict[str, Value] = {
        "block_count": last + 1,
        "nextn_predict_layers": 1,
        "leading_dense_block_count": last,
        "feed_forward_length": target.shape.n_ff,
        "expert_count": 1,
        "expert_used_count": 1,
        "expert_shared_count": 1,
        "expert_feed_forward_length": half,
        "expert_weights_norm": True,
        "expert_weights_scale": 1.0,
        "expert_gating_func": _SIGMOID,
    }
    metadata = (
        general(card, "glm4moe", target.shape.n_parameters + head.n_parameters)
        | _sizes("glm4moe", shape)
        | {f"glm4moe.{key}": value for key, value in own.items()}
        | vocabulary(tokenizer)
    )
    weights = {_after_attention(name): weight for name, weight in named_weights(target).items()}
    layer, at = head.layer, f"blk.{last}"
    weights |= {f"{at}.{name}.weight": weight for name, weight in _attention(layer).items()}
    weights |= {
        f"{at}.attn_norm.weight": head.layer_norm.weight,
        f"{at}.attn_q_norm.weight": layer.q_norm.weight,
        f"{at}.attn_k_norm.weight": layer.k_norm.weight,
        f"{at}.post_attention_norm.weight": layer.ff_norm.weight,
        f"{at}.ffn_gate_inp.weight": torch.zeros(shape.n_embd),
        f"{at}.exp_probs_b.bias": torch.zeros(1),
        f"{at}.ffn_gate_exps.weight": layer.gate.weight[None, :half],
        f"{at}.ffn_up_exps.weight": layer.up.weight[None, :half],
        f"{at}.ffn_down_exps.weight": layer.down.weight[None, :, :half],
        f"{at}.ffn_gate_shexp.weight": layer.gate.weight[half:],
        f"{at}.ffn_up_shexp.weight": layer.up.weight[half:],
        f"{at}.ffn_down_shexp.weight": layer.down.weight[:, half:],
        f"{at}.nextn.eh_proj.weight": head.fuse.weight,
        f"{at}.nextn.enorm.weight": head.token_norm.weight,
        f"{at}.nextn.hnorm.weight": head.state_norm.weight,
        f"{at}.nextn.shared_head_norm.weight": head.norm.weight,
    }
    _write(path, metadata, weights)


def _after_attention(name: str) -> str:
    return name.replace("ffn_norm", "post_attention_norm")


def export_head(path: Path, head: Head, target: Transformer, tokenizer: ChatTokenizer, card: Card) -> None:
    if isinstance(head, BlockHead):
        export_block_head(path, head, tokenizer, card)
    elif isinstance(head, NextTokenHead):
        export_with_next_token_layer(path, target, head, tokenizer, card)
    elif isinstance(head, ChainHead):
        export_chain_head(path, head, tokenizer, card)


def _architecture(name: str, shape: HeadShape) -> dict[str, Value]:
    return _sizes(name, shape) | {
        f"{name}.block_count": shape.n_layer,
        f"{name}.feed_forward_length": shape.n_ff,
        f"{name}.target_layers": list(shape.target_layers),
    }


def _sizes(name: str, shape: HeadShape) -> dict[str, Value]:
    own: dict[str, Value] = {
        "vocab_size": shape.target.n_vocab,
        "context_length": shape.target.n_ctx,
        "embedding_length": shape.n_embd,
        "attention.head_count": shape.n_head,
        "attention.head_count_kv": shape.n_head_kv,
        "attention.key_length": shape.head_dim,
        "attention.value_length": shape.head_dim,
        "attention.layer_norm_rms_epsilon": EPSILON,
        "rope.dimension_count": shape.head_dim,
        "rope.freq_base": ROPE_BASE,
    }
    return {f"{name}.{key}": value for key, value in own.items()}


def _attention(layer: Layer) -> dict[str, Tensor]:
    parts = {"attn_q": layer.q, "attn_k": layer.k, "attn_v": layer.v, "attn_output": layer.output}
    return {name: part.weight for name, part in parts.items()}


def _layer(layer: Layer) -> dict[str, Tensor]:
    parts = {
        "ffn_norm": layer.ff_norm,
        "ffn_gate": layer.gate,
        "ffn_up": layer.up,
        "ffn_down": layer.down,
    }
    return _attention(layer) | {name: part.weight for name, part in parts.items()}


def _write(path: Path, metadata: dict[str, Value], weights: dict[str, Tensor]) -> None:
    unfinished = path.with_suffix(".part")
    write_gguf(unfinished, metadata, {name: floats(weight) for name, weight in weights.items()})
    unfinished.replace(path)

"""From a trained network to a GGUF file that llama.cpp loads."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from gguf_file import FILE_TYPE_Q8_0, Floats, Value, write_gguf
from model import EPSILON, ROPE_BASE, Layer, Shape, Transformer
from tokenizer import CHAT_TEMPLATE, CONTROL, END_OF_TEXT, PRE, TURN_END, ChatTokenizer, tokens_and_merges
from torch import Tensor

_NORMAL, _CONTROL = 1, 3


@dataclass(frozen=True, slots=True)
class Card:
    name: str
    description: str


def export(path: Path, model: Transformer, tokenizer: ChatTokenizer, card: Card) -> None:
    metadata = general(card, "qwen3", model.shape.n_parameters) | _architecture(model.shape) | vocabulary(tokenizer)
    unfinished = path.with_suffix(".part")
    write_gguf(unfinished, metadata, {name: floats(weight) for name, weight in named_weights(model).items()})
    unfinished.replace(path)


def general(card: Card, architecture: str, n_parameters: int) -> dict[str, Value]:
    return {
        "general.architecture": architecture,
        "general.type": "model",
        "general.name": card.name,
        "general.description": card.description,
        "general.author": "the specchat authors",
        "general.license": "mit",
        "general.languages": ["en"],
        "general.tags": ["text-generation", "speculative-decoding", "demo"],
        "general.size_label": f"{n_parameters / 1e6:.1f}M",
        "general.file_type": FILE_TYPE_Q8_0,
        "general.quantization_version": 2,
    }


def _architecture(shape: Shape) -> dict[str, Value]:
    own: dict[str, Value] = {
        "vocab_size": shape.n_vocab,
        "context_length": shape.n_ctx,
        "embedding_length": shape.n_embd,
        "block_count": shape.n_layer,
        "feed_forward_length": shape.n_ff,
        "attention.head_count": shape.n_head,
        "attention.head_count_kv": shape.n_head_kv,
        "attention.key_length": shape.head_dim,
        "attention.value_length": shape.head_dim,
        "attention.layer_norm_rms_epsilon": EPSILON,
        "rope.dimension_count": shape.head_dim,
        "rope.freq_base": ROPE_BASE,
    }
    return {f"qwen3.{key}": value for key, value in own.items()}


def vocabulary(tokenizer: ChatTokenizer) -> dict[str, Value]:
    tokens, merges = tokens_and_merges(tokenizer.tokenizer)
    end_of_text, turn_end = tokens.index(END_OF_TEXT), tokens.index(TURN_END)
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": PRE,
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [_CONTROL if token in CONTROL else _NORMAL for token in tokens],
        "tokenizer.ggml.merges": merges,
        "tokenizer.ggml.bos_token_id": end_of_text,
        "tokenizer.ggml.eos_token_id": turn_end,
        "tokenizer.ggml.padding_token_id": end_of_text,
        "tokenizer.ggml.add_bos_token": False,
        "tokenizer.ggml.add_eos_token": False,
        "tokenizer.chat_template": CHAT_TEMPLATE,
    }


def named_weights(model: Transformer) -> dict[str, Tensor]:
    """As llama.cpp names them."""
    weights = {"token_embd.weight": model.embedding.weight, "output_norm.weight": model.norm.weight}
    for i, layer in enumerate(model.layers):
        weights |= {f"blk.{i}.{name}.weight": weight for name, weight in _layer(layer).items()}
    return weights


def _layer(layer: Layer) -> dict[str, Tensor]:
    attention = layer.attention
    parts = {
        "attn_norm": layer.attention_norm,
        "attn_q": attention.q,
        "attn_k": attention.k,
        "attn_v": attention.v,
        "attn_q_norm": attention.q_norm,
        "attn_k_norm": attention.k_norm,
        "attn_output": attention.output,
        "ffn_norm": layer.ff_norm,
        "ffn_gate": layer.gate,
        "ffn_up": layer.up,
        "ffn_down": layer.down,
    }
    return {name: part.weight for name, part in parts.items()}


def floats(weight: Tensor) -> Floats:
    return np.ascontiguousarray(weight.detach().numpy(), np.float32)

"""A model read back from its GGUF file, tokenizer included: the weights are what the file's quants say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import torch
from export import named_weights
from gguf_file import Value, read_gguf
from model import Shape, Transformer
from tokenizer import ChatTokenizer, from_gguf


def read_model(path: Path) -> tuple[Transformer, ChatTokenizer]:
    metadata, tensors = read_gguf(path)
    model = Transformer(_shape(metadata))
    with torch.no_grad():
        for name, weight in named_weights(model).items():
            weight.copy_(torch.from_numpy(tensors.pop(name)))
    if tensors:
        raise ValueError(f"{path} has tensors that the network has not: {', '.join(tensors)}")
    model.requires_grad_(False)
    return model.eval(), from_gguf(metadata)


def _shape(metadata: Mapping[str, Value]) -> Shape:
    def number(key: str) -> int:
        return cast(int, metadata[f"qwen3.{key}"])

    return Shape(
        n_layer=number("block_count"),
        n_embd=number("embedding_length"),
        n_head=number("attention.head_count"),
        n_head_kv=number("attention.head_count_kv"),
        head_dim=number("attention.key_length"),
        n_ff=number("feed_forward_length"),
        n_vocab=number("vocab_size"),
        n_ctx=number("context_length"),
    )

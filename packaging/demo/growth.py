"""A deeper network that says the same: behind each layer stands a copy that adds nothing until it learns to."""

from __future__ import annotations

from dataclasses import replace

import torch
from model import Layer, Transformer


def deepened(model: Transformer, n_layer: int) -> Transformer:
    shallow = model.shape
    times, rest = divmod(n_layer, shallow.n_layer)
    if rest:
        raise ValueError(f"{shallow.n_layer} layers cannot become {n_layer}")
    deep = Transformer(replace(shallow, n_layer=n_layer))
    deep.embedding.load_state_dict(model.embedding.state_dict())
    deep.norm.load_state_dict(model.norm.state_dict())
    for i, layer in enumerate(deep.layers):
        layer.load_state_dict(model.layers[i // times].state_dict())
        if i % times:
            _silence(layer)
    return deep


def _silence(layer: Layer) -> None:
    with torch.no_grad():
        layer.attention.output.weight.zero_()
        layer.down.weight.zero_()

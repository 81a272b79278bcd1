"""Checks the hyperparameters of a model against the limits of llama.cpp."""

from collections.abc import Mapping

from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.metadata import Value, integer, integers

_MAX_LAYERS = 512
_MAX_WIDTH = 2**20

_LIMITS = {
    "block_count": (1, _MAX_LAYERS),
    "nextn_predict_layers": (0, _MAX_LAYERS),
    "context_length": (1, 2**31 - 1),
    "embedding_length": (1, _MAX_WIDTH),
    "vocab_size": (1, 2**24),
    "expert_count": (0, 1024),
    "attention.key_length": (0, _MAX_WIDTH),
    "attention.value_length": (0, _MAX_WIDTH),
    "rope.dimension_count": (0, _MAX_WIDTH),
}
_PER_LAYER_LIMITS = {
    "attention.head_count": (0, 2**16),
    "attention.head_count_kv": (0, 2**16),
    "feed_forward_length": (0, 2**24),
    "expert_used_count": (0, 1024),
}


def check_hyperparameters(metadata: Mapping[str, Value], architecture: str, name: str) -> None:
    for suffix, limits in _LIMITS.items():
        key = f"{architecture}.{suffix}"
        value = integer(metadata, key, name)
        if value is not None:
            _check_range(key, [value], limits, name)
    for suffix, limits in _PER_LAYER_LIMITS.items():
        key = f"{architecture}.{suffix}"
        _check_range(key, per_layer(metadata, key, name), limits, name)
    _check_agreement(metadata, architecture, name)


def _check_agreement(metadata: Mapping[str, Value], architecture: str, name: str) -> None:
    n_layers = integer(metadata, f"{architecture}.block_count", name)
    if n_layers is None:
        return
    if (integer(metadata, f"{architecture}.nextn_predict_layers", name) or 0) > n_layers:
        raise damaged_file_error(
            name, "it claims to have more MTP layers than its {layers} layers in total", layers=n_layers
        )
    for suffix in _PER_LAYER_LIMITS:
        key = f"{architecture}.{suffix}"
        values = per_layer(metadata, key, name)
        if not isinstance(metadata.get(key), int | None) and len(values) != n_layers:
            raise damaged_file_error(
                name, "{key} has {n} values for {layers} layers", key=key, n=len(values), layers=n_layers
            )


def per_layer(metadata: Mapping[str, Value], key: str, name: str) -> list[int]:
    """One number for all layers, one for each, or none at all."""
    value = metadata.get(key)
    if value is None:
        return []
    if isinstance(value, int) and not isinstance(value, bool):
        return [value]
    return integers(metadata, key, name) or []


def _check_range(key: str, values: list[int], limits: tuple[int, int], name: str) -> None:
    low, high = limits
    for value in values:
        if not low <= value <= high:
            raise damaged_file_error(
                name, "{key} is {value}, outside the range {low} to {high}", key=key, value=value, low=low, high=high
            )

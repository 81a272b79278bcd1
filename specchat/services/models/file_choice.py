"""Chooses a repository's default file and estimates its size."""

import re
from collections.abc import Sequence

from specchat.domain.hub import HubFileKind, RemoteModel
from specchat.services.models.model_names import normalize_name

_SMALL = 900_000_000
"""Parameters. Below it 4 bits lose too much, and 8 are still quick to read."""
_SMALL_DRAFT = ("Q8_0", "Q6_K", "Q4_K_M")
_USUAL = ("Q4_K_M", "UD-Q4_K_XL", "Q4_K_L", "Q4_K_S", "Q5_K_M")
_LEAST_BITS = 4.0
_BITS = (
    (r"F32", 32.0),
    (r"BF16|F16", 16.0),
    (r"Q8_\w+", 8.5),
    (r"Q6_\w+", 6.6),
    (r"Q5_\w+", 5.7),
    (r"IQ4_\w+|MXFP4\w*|NVFP4|Q4_0|Q4_K_S", 4.6),
    (r"Q4_\w+", 4.9),
    (r"Q3_K_(L|XL)", 4.3),
    (r"I?Q3_\w+", 3.8),
    (r"I?Q2_\w+|TQ2_\w+", 2.9),
    (r"I?Q1_\w+|TQ1_\w+", 1.8),
)
"""Average bits per weight in files of each quantization (llama.cpp: tools/quantize/README.md)."""


def default_quantization(parameters: int, *, is_draft: bool) -> str:
    return _preferred_quantizations(parameters, is_draft)[0]


def estimated_size(parameters: int, quantization: str) -> int:
    return round(parameters * _bits(quantization) / 8)


def estimated_parameters(size: int, quantization: str) -> int:
    return round(size * 8 / _bits(quantization))


def choose_model(
    models: Sequence[RemoteModel], parameters: int, *, is_draft: bool, file: str | None = None
) -> RemoteModel | None:
    """The usual quantisation, or else the smallest that is not tiny. None: there is none."""
    whole = [model for model in models if model.kind is HubFileKind.MODEL]
    if file is not None:
        heads = [model for model in models if is_draft and model.kind.is_head]
        return next((model for model in (*whole, *heads) if model.first.path == file), None)
    suitable = _of_one_model(whole, is_draft)
    for label in _preferred_quantizations(parameters, is_draft):
        if labelled := [model for model in suitable if model.quantization == label]:
            return labelled[0]
    sturdy = [model for model in suitable if _bits(model.quantization) >= _LEAST_BITS]
    return min(sturdy, key=_size) if sturdy else max(suitable, key=_size, default=None)


def _of_one_model(models: Sequence[RemoteModel], is_draft: bool) -> Sequence[RemoteModel]:
    """Some repositories hold several: the largest is the target, the smallest the draft."""
    if not models:
        return models
    name = normalize_name((min if is_draft else max)(models, key=_size).first.path)
    return [model for model in models if normalize_name(model.first.path) == name]


def _preferred_quantizations(parameters: int, is_draft: bool) -> Sequence[str]:
    return _SMALL_DRAFT if is_draft and 0 < parameters < _SMALL else _USUAL


def _bits(quantization: str) -> float:
    label = quantization.upper().removeprefix("UD-")
    return next((bits for pattern, bits in _BITS if re.fullmatch(pattern, label)), 4.9)


def _size(model: RemoteModel) -> int:
    return model.size

"""Reads llama.cpp's list of samplers: those that are not in it are switched off."""

from collections.abc import Sequence
from dataclasses import replace

from specchat.domain.types import SamplingParams
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_list

_ORDER = ("penalties", "top_k", "top_p", "min_p", "infill", "temperature")
"""That in which specchat applies them."""
_OTHERS = ("dry", "typ_p", "top_n_sigma", "xtc", "adaptive_p")
_LETTERS = dict(zip("ekpmitdysxa", (*_ORDER, *_OTHERS), strict=True))
_ALIASES = {"nucleus": "top_p", "temp": "temperature", "typ": "typ_p"}
_NAMES = {name.replace("_", gap): name for name in (*_ORDER, *_OTHERS) for gap in ("_", "-", "")} | _ALIASES
_MOST = 100
_UNSUPPORTED = {
    "dry_multiplier": (0,),
    "typical_p": (1,),
    "top_n_sigma": (-1, 0),
    "xtc_probability": (0,),
    "mirostat": (0,),
    "dynatemp_range": (0,),
    "adaptive_target": (-1,),
}
"""Fields of the others, with the values that switch them off."""


def select_samplers(body: RequestFields, sampling: SamplingParams) -> SamplingParams:
    for name, off in _UNSUPPORTED.items():
        body.reject(name, *off)
    if "samplers" not in body:
        return sampling
    listed = [name for name in _listed(body) if name in _ORDER]
    if listed != sorted(set(listed), key=_ORDER.index):
        raise_invalid_value(body.param("samplers"), f"must come in this order: {', '.join(_ORDER)}")
    return _only(sampling, listed)


def narrows_gap(body: RequestFields) -> bool:
    """The sampler is listed that llama.cpp has for gaps in code."""
    return "samplers" in body and "infill" in _listed(body)


def _listed(body: RequestFields) -> Sequence[str]:
    """By their names, or a letter each."""
    given = body.get("samplers")
    known = _LETTERS if isinstance(given, str) else _NAMES
    names = list(given) if isinstance(given, str) else require_list(given, body.param("samplers"), _MOST)
    found = [known.get(name.lower()) if isinstance(name, str) else None for name in names]
    return [each or raise_invalid_value(body.param("samplers"), "has an unknown name") for each in found]


def _only(sampling: SamplingParams, listed: Sequence[str]) -> SamplingParams:
    if "penalties" not in listed:
        sampling = replace(sampling, repeat_penalty=1.0, frequency_penalty=0.0, presence_penalty=0.0)
    return replace(
        sampling,
        top_k=sampling.top_k if "top_k" in listed else 0,
        top_p=sampling.top_p if "top_p" in listed else 1.0,
        min_p=sampling.min_p if "min_p" in listed else 0.0,
        temperature=sampling.temperature if "temperature" in listed else 1.0,
    )

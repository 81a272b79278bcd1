"""Estimates the memory of a pair from the headers of its files, without llama.cpp.

Importing this costs nothing: what reads headers and what guesses need numpy, and wait until they are asked.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.gguf.memory import ModelShape, context_length, estimate_memory
from specchat.services.memory.device_memory import MemoryNeeds, compute_device_fit, reclaimed_memory
from specchat.services.memory.projector_memory import projector_memory
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import PairFit


def fit_from_headers(choice: PairChoice, devices: Sequence[Device], loaded: PairChoice | None = None) -> PairFit:
    """`loaded`: the pair that will make room first."""
    groups = _groups(devices)
    needs = _needs(choice, groups)
    back = _given_back(loaded, groups) if loaded is not None else {}
    target = _shape(choice.target)
    draft = _draft_shape(choice)
    return PairFit(
        tuple(compute_device_fit(groups[name], needs[name], back.get(name, 0)) for name in needs),
        n_ctx=context_length(target, choice.target_settings),
        target_layers=len(target.layers) + 1,
        draft_layers=len(draft.layers) + 1 if draft is not None else 0,
    )


def _groups(devices: Sequence[Device]) -> dict[str, Device]:
    """The GPUs that llama.cpp spreads a model over count as one, which None names too."""
    groups = {CPU: next(device for device in devices if device.kind == "cpu")}
    gpus = [device for device in devices if device.kind == "gpu"]
    gpus = gpus or [device for device in devices if device.kind == "igpu"][:1]
    groups |= {gpu.name.lower(): gpu for gpu in gpus}
    if gpus:
        name = gpus[0].name if len(gpus) == 1 else f"{len(gpus)} GPUs"
        groups[""] = replace(gpus[0], name=name, total=sum(g.total for g in gpus), free=sum(g.free for g in gpus))
    return groups


def _needs(choice: PairChoice, groups: Mapping[str, Device]) -> MemoryNeeds:
    from specchat.services.generation.drafter_choice import build_draft_settings, build_target_settings, chosen_heads

    settings = build_target_settings(choice)
    shape = _shape(choice.target)
    needs = {CPU: (MemoryBreakdown(), MemoryBreakdown())}
    _count(needs, 0, shape, settings, groups)
    _count_projector(needs, settings, groups)
    if (draft := _draft_shape(choice)) is not None:
        of_draft = build_draft_settings(choice, context_length(shape, settings))
        _count(needs, 1, draft, of_draft, groups, is_head=any(head.file for head in chosen_heads(choice)))
    elif _has_medusa(choice):
        from specchat.services.memory.medusa_memory import measure_medusa

        known = [replace(groups[name], name=name) for name in sorted(groups)]  # all GPUs as one come first
        for name, parts in measure_medusa(choice, known).items():
            _add(needs, 1, name, parts)
    return needs


def _count(
    needs: dict[str, tuple[MemoryBreakdown, MemoryBreakdown]],
    who: int,
    shape: ModelShape,
    settings: ModelSettings,
    groups: Mapping[str, Device],
    *,
    is_head: bool = False,
) -> None:
    gpu = (settings.device or "").lower()
    found = estimate_memory(shape, settings, has_gpu=gpu in groups, is_head=is_head)
    for name, parts in ((CPU, found.cpu), (gpu, found.gpu)):
        if parts.total:
            _add(needs, who, name, parts)


def _count_projector(
    needs: dict[str, tuple[MemoryBreakdown, MemoryBreakdown]], settings: ModelSettings, groups: Mapping[str, Device]
) -> None:
    if settings.mmproj is None:
        return
    gpu = (settings.device or "").lower()
    for name, parts in projector_memory(settings.mmproj, settings, gpu if gpu in groups else None).items():
        _add(needs, 0, name, parts)


def _add(
    needs: dict[str, tuple[MemoryBreakdown, MemoryBreakdown]], who: int, name: str, parts: MemoryBreakdown
) -> None:
    both = list(needs.get(name, (MemoryBreakdown(), MemoryBreakdown())))
    both[who] += parts
    needs[name] = (both[0], both[1])


def _draft_shape(choice: PairChoice) -> ModelShape | None:
    """None: no draft is loaded, or no more than Medusa heads."""
    from specchat.services.generation.drafter_choice import needs_draft

    if choice.draft is None or not needs_draft(choice) or _has_medusa(choice):
        return None
    return _shape(choice.draft)


def _has_medusa(choice: PairChoice) -> bool:
    from specchat.services.generation.drafter_choice import chosen_heads

    return any(head.kind is HeadKind.MEDUSA for head in chosen_heads(choice))


def _given_back(loaded: PairChoice, groups: Mapping[str, Device]) -> dict[str, int]:
    with suppress(UserError):
        return reclaimed_memory(_needs(loaded, groups))
    return {}


def _shape(ref: ModelRef) -> ModelShape:
    path = path_for_ref(ref)
    return _shape_in_state(path, file_state(path))


@lru_cache(maxsize=32)
def _shape_in_state(path: Path, state: str | None) -> ModelShape:
    from specchat.gguf.shape import read_shape

    return read_shape(path)


def keeps_texts_apart(ref: ModelRef) -> bool:
    """Those of several answers at once."""
    return _shape(ref).keeps_texts_apart

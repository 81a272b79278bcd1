"""Will this pair fit? What it needs on each device against what is free there.

Importing this costs nothing: what reads headers and what guesses need numpy, and wait until they are asked.
"""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.domain.memory import CPU, MemoryParts
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import Device, ModelSettings, PairChoice
from specchat.gguf.memory import ModelShape, context_length, estimate
from specchat.services.models.model_refs import file_of
from specchat.services.models.pair_values import DeviceFit, Fit, PairFit
from specchat.services.models.shelf_facts import file_state

_TIGHT = 0.9
"""Of what is free: beyond it the rest of the computer suffers."""

Needs = Mapping[str, tuple[MemoryParts, MemoryParts]]
"""By device: of the target, of the draft."""


_noted: tuple[Device, ...] = (Device(CPU, "", "cpu", 0, 0),)


def note_devices(devices: tuple[Device, ...]) -> None:
    """As a process told that has loaded llama.cpp."""
    global _noted
    _noted = devices


def devices_here() -> tuple[Device, ...]:
    """GPUs are known once llama.cpp is loaded, here or in another process, which would take too long just for this."""
    if "llama_cpp" in sys.modules:
        from specchat.services.memory.machine import devices

        return tuple(devices())
    import psutil  # takes its time to import

    memory = psutil.virtual_memory()
    return tuple(
        replace(device, total=memory.total, free=memory.available) if device.kind == "cpu" else device
        for device in _noted
    )


def fit(choice: PairChoice, devices: Sequence[Device], loaded: PairChoice | None = None) -> PairFit:
    """By a formula, without llama.cpp. `loaded`: the pair that will make room first."""
    from specchat.services.generation.guesser import needs_draft

    groups = _groups(devices)
    needs = _needs(choice, groups)
    back = _given_back(loaded, groups) if loaded is not None else {}
    target = _shape(choice.target)
    draft = _shape(choice.draft) if choice.draft is not None and needs_draft(choice) else None
    return PairFit(
        tuple(device_fit(groups[name], needs[name], back.get(name, 0)) for name in needs),
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


def _needs(choice: PairChoice, groups: Mapping[str, Device]) -> Needs:
    from specchat.services.generation.guesser import draft_settings, needs_draft, target_settings

    settings = target_settings(choice)
    shape = _shape(choice.target)
    needs = {CPU: (MemoryParts(), MemoryParts())}
    _count(needs, 0, shape, settings, groups)
    if choice.draft is not None and needs_draft(choice):
        draft = draft_settings(choice, context_length(shape, settings))
        _count(needs, 1, _shape(choice.draft), draft, groups)
    return needs


def _count(
    needs: dict[str, tuple[MemoryParts, MemoryParts]],
    who: int,
    shape: ModelShape,
    settings: ModelSettings,
    groups: Mapping[str, Device],
) -> None:
    gpu = (settings.device or "").lower()
    found = estimate(shape, settings, has_gpu=gpu in groups)
    for name, parts in ((CPU, found.cpu), (gpu, found.gpu)):
        if parts.total:
            both = list(needs.get(name, (MemoryParts(), MemoryParts())))
            both[who] = parts
            needs[name] = (both[0], both[1])


def _given_back(loaded: PairChoice, groups: Mapping[str, Device]) -> dict[str, int]:
    with suppress(UserError):
        return given_back(_needs(loaded, groups))
    return {}


def given_back(needs: Needs) -> dict[str, int]:
    """Weights in the computer's own memory are mapped from the file: the system counts them as free already."""
    return {
        name: sum(parts.total - (parts.weights if name == CPU else 0) for parts in both) for name, both in needs.items()
    }


def device_fit(device: Device, need: tuple[MemoryParts, MemoryParts], given_back: int) -> DeviceFit:
    target, draft = need
    free = min(device.total, device.free + given_back)
    return DeviceFit(device.name, device.total, free, target, draft, fit_of(target.total + draft.total, free))


def fit_of(needed: int, free: int) -> Fit:
    return Fit.DOES_NOT_FIT if needed > free else Fit.TIGHT if needed > _TIGHT * free else Fit.FITS


def _shape(ref: ModelRef) -> ModelShape:
    path = file_of(ref)
    return _shape_in_state(path, file_state(path))


@lru_cache(maxsize=32)
def _shape_in_state(path: Path, state: str | None) -> ModelShape:
    from specchat.gguf.shape import read_shape

    return read_shape(path)

"""The memory of this computer's devices, and whether what is needed fits into it; importing this costs nothing."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import Device
from specchat.services.models.pair_fit import DeviceFit, Fit

_TIGHT = 0.9
"""The share of free memory beyond which other programs slow down."""

MemoryNeeds = Mapping[str, tuple[MemoryBreakdown, MemoryBreakdown]]
"""By device: the needs of the target and of the draft."""

_noted: tuple[Device, ...] = (Device(CPU, "", "cpu", 0, 0),)


def list_devices() -> list[Device]:
    """Loads llama.cpp and lists its devices."""
    from specchat.backends.devices import available

    return available()


def set_known_devices(devices: tuple[Device, ...]) -> None:
    """Sets the devices that a process with llama.cpp has reported."""
    global _noted
    _noted = devices


def known_devices() -> tuple[Device, ...]:
    """GPUs are known once llama.cpp is loaded, here or in another process, which would take too long just for this."""
    if "llama_cpp" in sys.modules:
        return tuple(list_devices())
    import psutil  # takes its time to import

    memory = psutil.virtual_memory()
    return tuple(
        replace(device, total=memory.total, free=memory.available) if device.kind == "cpu" else device
        for device in _noted
    )


def planned_devices(here: Sequence[Device], machine: Sequence[Device]) -> list[Device]:
    """Plans devices for another machine; unspecified devices are as on this computer."""
    if not machine:
        return list(here)
    named = {device.name for device in machine}
    return [*(device for device in here if device.name == CPU and CPU not in named), *machine]


def gpu_names(devices: Sequence[Device]) -> set[str]:
    return {device.name for device in devices if device.kind in ("gpu", "igpu")}


def pooled_memory(devices: Sequence[Device]) -> Device:
    """All as one: llama.cpp spreads a model over them. A graphics card without memory of its own adds none."""
    own = [device for device in devices if device.kind in ("cpu", "gpu")]
    return Device(CPU, "", "cpu", sum(device.total for device in own), sum(device.free for device in own))


def reclaimed_memory(needs: MemoryNeeds) -> dict[str, int]:
    """Weights in the computer's own memory are mapped from the file: the system counts them as free already."""
    return {
        name: sum(parts.total - (parts.weights if name == CPU else 0) for parts in both) for name, both in needs.items()
    }


def compute_device_fit(device: Device, need: tuple[MemoryBreakdown, MemoryBreakdown], given_back: int = 0) -> DeviceFit:
    target, draft = need
    free = min(device.total, device.free + given_back)
    return DeviceFit(device.name, device.total, free, target, draft, classify_fit(target.total + draft.total, free))


def classify_fit(needed: int, free: int) -> Fit:
    return Fit.DOES_NOT_FIT if needed > free else Fit.TIGHT if needed > _TIGHT * free else Fit.FITS

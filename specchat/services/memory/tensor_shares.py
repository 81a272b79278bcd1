"""Spreads what llama.cpp counts on all devices together, where they share each tensor, over these devices."""

from collections.abc import Mapping, Sequence

from specchat.domain.memory import MemoryBreakdown
from specchat.domain.rpc import RPC
from specchat.domain.types import Device, ModelSettings

ByDevice = Mapping[str, MemoryBreakdown]


def spread_over_devices(parts: ByDevice, devices: Sequence[Device], settings: ModelSettings) -> ByDevice:
    """llama.cpp names them together, as one device that is not listed."""
    known = {device.name for device in devices}
    together = sum((each for name, each in parts.items() if name not in known), MemoryBreakdown())
    if not together.total:
        return parts
    names = sharing_devices(devices, settings)
    shares = [*settings.tensor_split, *[0.0] * len(names)][: len(names)]
    shares = shares if any(shares) else [1.0] * len(names)
    found = {name: each for name, each in parts.items() if name in known}
    for name, share in zip(names, shares, strict=True):
        found[name] = found.get(name, MemoryBreakdown()) + _part(together, share / sum(shares))
    return found


def sharing_devices(devices: Sequence[Device], settings: ModelSettings) -> list[str]:
    """Their names, as far as the settings tell before anything is loaded."""
    if settings.device is not None:
        wanted = [name.strip().lower() for name in settings.device.split(",")]
        return [device.name for device in devices if device.kind != "cpu" and device.name.lower() in wanted]
    gpus = [device.name for device in devices if device.kind in ("gpu", "igpu")]
    return [name for name in gpus if settings.rpc or not name.startswith(RPC)]


def _part(whole: MemoryBreakdown, share: float) -> MemoryBreakdown:
    return MemoryBreakdown(*(round(share * size) for size in (whole.weights, whole.kv, whole.compute, whole.output)))

"""Groups models that fit into memory together."""

from collections.abc import Sequence

from specchat.domain.benchmark import BenchPlan
from specchat.domain.types import Device
from specchat.services.bench.host_specs import HostSpec
from specchat.services.memory.device_memory import list_devices

_BEYOND_WEIGHTS = 1.2
_EACH = 256 << 20
"""Bytes for the cache and the rest."""


def free_weight_memory(plan: BenchPlan) -> int:
    """Returns the free memory for weights."""
    found = list_devices()
    free = [device.free for device in _gpus(plan, found)]
    return max(free, default=next(device.free for device in found if device.kind == "cpu"))


def uses_gpu(plan: BenchPlan) -> bool:
    return bool(_gpus(plan, list_devices()))


def _gpus(plan: BenchPlan, found: Sequence[Device]) -> list[Device]:
    return [device for device in found if device.kind in ("gpu", "igpu")] if plan.gpu_layers != 0 else []


def group_hosts(specs: Sequence[HostSpec], free: int) -> list[tuple[HostSpec, ...]]:
    """Groups that fit, in order; what fits with nothing is tried alone."""
    groups: list[list[HostSpec]] = [[]]
    left = free
    for spec in specs:
        needed = _needed_memory(spec)
        if needed > left and groups[-1]:
            groups.append([])
            left = free
        groups[-1].append(spec)
        left -= needed
    return [tuple(group) for group in groups]


def _needed_memory(spec: HostSpec) -> int:
    if spec.engine:
        return 0
    files = [spec.target] if spec.draft is None else [spec.target, spec.draft]
    return sum(round(_BEYOND_WEIGHTS * path.stat().st_size) + _EACH for path in files)

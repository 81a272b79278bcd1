"""Which models can be in memory together."""

from collections.abc import Sequence

from specchat.domain.benchmarking import BenchPlan
from specchat.domain.types import Device
from specchat.services.bench.specs import HostSpec
from specchat.services.memory.machine import devices

_BEYOND_WEIGHTS = 1.2
_EACH = 256 << 20
"""Bytes for the cache and the rest."""


def free_memory(plan: BenchPlan) -> int:
    """Where the weights go."""
    found = devices()
    free = [device.free for device in _gpus(plan, found)]
    return max(free, default=next(device.free for device in found if device.kind == "cpu"))


def uses_gpu(plan: BenchPlan) -> bool:
    return bool(_gpus(plan, devices()))


def _gpus(plan: BenchPlan, found: Sequence[Device]) -> list[Device]:
    return [device for device in found if device.kind in ("gpu", "igpu")] if plan.gpu_layers != 0 else []


def together(specs: Sequence[HostSpec], free: int) -> list[tuple[HostSpec, ...]]:
    """Groups that fit, in order; what fits with nothing is tried alone."""
    groups: list[list[HostSpec]] = [[]]
    left = free
    for spec in specs:
        needed = _needed(spec)
        if needed > left and groups[-1]:
            groups.append([])
            left = free
        groups[-1].append(spec)
        left -= needed
    return [tuple(group) for group in groups]


def _needed(spec: HostSpec) -> int:
    files = [spec.target] if spec.draft is None else [spec.target, spec.draft]
    return sum(round(_BEYOND_WEIGHTS * path.stat().st_size) + _EACH for path in files)

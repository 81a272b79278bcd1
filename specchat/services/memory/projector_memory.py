"""Estimates the memory of what encodes pictures; importing this costs nothing."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import ModelSettings
from specchat.services.models.mmproj_lookup import read_projector

if TYPE_CHECKING:
    from specchat.services.memory.memory_estimates import MemoryEstimates


def projector_settings(settings: ModelSettings) -> ModelSettings:
    """All that matters of the target's. Other machines have no part of it."""
    on_cpu = _stays_on_cpu(settings)
    return ModelSettings(gpu_layers=0 if on_cpu else None, device=None if on_cpu else settings.device)


def projector_memory(
    mmproj: Path, settings: ModelSettings, gpu: str | None, estimates: "MemoryEstimates | None" = None
) -> Mapping[str, MemoryBreakdown]:
    """By device. `gpu`: the first one that the target may use."""
    projector = read_projector(mmproj)
    device = CPU if gpu is None or _stays_on_cpu(settings) else gpu
    parts = {device: MemoryBreakdown(weights=projector.weights, compute=projector.compute)}
    if estimates is None:
        return parts
    measured = estimates.get_record(mmproj, projector_settings(settings)).allocated
    weights = projector.weights  # the log rounds them
    found = {name: replace(each, weights=weights if each.weights else 0) for name, each in measured.items()}
    return {name: each for name, each in found.items() if each.total} or parts


def _stays_on_cpu(settings: ModelSettings) -> bool:
    return settings.gpu_layers == 0 or bool(settings.rpc)

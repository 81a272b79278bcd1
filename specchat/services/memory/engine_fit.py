"""Measures the memory of a pair with llama.cpp's own allocator, corrected by what earlier loads took."""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from pathlib import Path

from specchat.backends.child import ChildError
from specchat.backends.memory_measurer import HeadAttachment, MemoryMeasurer, TiedEmbedding
from specchat.domain.heads import HeadKind
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.model_ref import ModelRef
from specchat.domain.tensor_split import require_devices
from specchat.domain.types import Device, ModelSettings, PairChoice, SplitMode
from specchat.gguf.files import require_consistent
from specchat.gguf.placement import Inventory, read_inventory
from specchat.gguf.skeleton import is_skeleton
from specchat.gguf.tensor_types import TYPE_NUMBERS
from specchat.services.generation.drafter_choice import (
    build_draft_settings,
    build_target_settings,
    chosen_heads,
    needs_draft,
)
from specchat.services.memory.device_memory import (
    MemoryNeeds,
    compute_device_fit,
    gpu_names,
    planned_devices,
    reclaimed_memory,
)
from specchat.services.memory.medusa_memory import measure_medusa
from specchat.services.memory.memory_estimates import ByDevice, MemoryEstimates
from specchat.services.memory.projector_memory import projector_memory
from specchat.services.memory.tensor_shares import sharing_devices, spread_over_devices
from specchat.services.models.load_errors import explain_load_errors
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import EstimateMethod, PairFit

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Need:
    parts: ByDevice
    n_ctx: int
    layers: int
    devices: tuple[Device, ...]
    beyond_estimate: int | None


class EngineFit:
    """The files that were asked about last stay at hand: other settings of theirs are answered at once."""

    def __init__(self, measurer: MemoryMeasurer, estimates: MemoryEstimates) -> None:
        self._measurer = measurer
        self._estimates = estimates
        self._loaded: tuple[PairChoice, MemoryNeeds] | None = None

    def warm_up(self) -> None:
        self._measurer.warm_up()

    def fit(self, choice: PairChoice, machine: Sequence[Device], loaded: PairChoice | None) -> PairFit | None:
        """None: llama.cpp cannot be asked, or not about GPUs that are not here."""
        self.warm_up()
        try:
            return self._measure(choice, machine, loaded)
        except ChildError as error:
            log.info("%s Estimating memory from the file headers instead.", error)  # whoever asked tells the user
            return None

    def close(self) -> None:
        self._measurer.close()

    def _measure(self, choice: PairChoice, machine: Sequence[Device], loaded: PairChoice | None) -> PairFit | None:
        back = reclaimed_memory(self._needs_of_loaded(loaded)) if loaded is not None else {}
        target, draft = self._pair(choice)
        if gpu_names(machine) and gpu_names(machine) != gpu_names(target.devices):
            return None
        shares = choice.target_settings.tensor_split
        require_devices(shares, len(sharing_devices(target.devices, choice.target_settings)))
        devices = {device.name: device for device in planned_devices(target.devices, machine)}
        needs = _join(target, draft)
        beyond = _sum(target.beyond_estimate, draft.beyond_estimate if draft else 0)
        return PairFit(
            tuple(compute_device_fit(devices[name], need, back.get(name, 0)) for name, need in needs.items()),
            EstimateMethod.ENGINE if beyond is None else EstimateMethod.LOAD,
            target.n_ctx,
            target.layers,
            draft.layers if draft else 0,
            beyond,
        )

    def _needs_of_loaded(self, loaded: PairChoice) -> MemoryNeeds:
        if self._loaded is None or self._loaded[0] != loaded:
            self._loaded = loaded, _join(*self._pair(loaded))
        return self._loaded[1]

    def _pair(self, choice: PairChoice) -> tuple[_Need, _Need | None]:
        settings = build_target_settings(choice)
        target = self._with_projector(self._need(choice.target, settings), settings)
        found, drafts = chosen_heads(choice), list[_Need]()
        if choice.draft is not None and needs_draft(choice) and not any(head.file for head in found):
            drafts.append(self._need(choice.draft, build_draft_settings(choice, target.n_ctx)))
        for head in found:
            if head.kind is HeadKind.MEDUSA:
                drafts.append(_medusa_need(choice, target))
                continue
            of = HeadAttachment(head.kind, path_for_ref(choice.target), settings, in_target=head.file is None)
            own = build_draft_settings(choice, target.n_ctx, head.kind)
            drafts.append(self._need(head.file or choice.target, own, of))
        return target, reduce(_both, drafts) if drafts else None

    def _with_projector(self, target: _Need, settings: ModelSettings) -> _Need:
        if settings.mmproj is None:
            return target
        sharing = sharing_devices(target.devices, settings)
        added = projector_memory(settings.mmproj, settings, next(iter(sharing), None), self._estimates)
        return _both(target, replace(target, parts=added, beyond_estimate=0))

    def _need(self, ref: ModelRef, settings: ModelSettings, head: HeadAttachment | None = None) -> _Need:
        path = path_for_ref(ref)
        inventory = _inventory(path, file_state(path))
        with explain_load_errors(path):
            measured = self._measurer.measure(path, settings, _tied_embedding(inventory), head)
        weights: Counter[str] = Counter()
        if head is None or not head.in_target:
            weights = inventory.by_device(measured.layers, measured.unused, rearranged=measured.rearranged)
        parts = {
            device: measured.parts.get(device, MemoryBreakdown()) + MemoryBreakdown(weights=weights[device])
            for device in measured.parts.keys() | weights.keys()
        }
        parts = dict(spread_over_devices(parts, measured.devices, settings))
        beyond = None
        if not is_skeleton(path) and head is None and settings.split_mode is not SplitMode.TENSOR:
            record = self._estimates.record_estimate(path, settings, parts)
            beyond = record.beyond_estimate
            known = {device.name for device in measured.devices}
            parts |= {device: each for device, each in record.corrected.items() if device in known}
        return _Need(parts, measured.n_ctx, len(measured.layers), measured.devices, beyond)


def _medusa_need(choice: PairChoice, target: _Need) -> _Need:
    """llama.cpp does not see its heads: nothing of theirs is corrected."""
    parts = measure_medusa(choice, target.devices)
    return replace(target, parts=parts, layers=0, beyond_estimate=None if target.beyond_estimate is None else 0)


@lru_cache(maxsize=32)
def _inventory(path: Path, state: str | None) -> Inventory:
    require_consistent(path)
    return read_inventory(path)


def _tied_embedding(inventory: Inventory) -> TiedEmbedding | None:
    tied = inventory.tied
    return TiedEmbedding(TYPE_NUMBERS[tied.type], *tied.shape) if tied is not None and len(tied.shape) == 2 else None


def _both(one: _Need, other: _Need) -> _Need:
    parts = {
        device: one.parts.get(device, MemoryBreakdown()) + other.parts.get(device, MemoryBreakdown())
        for device in one.parts.keys() | other.parts.keys()
    }
    return replace(one, parts=parts, beyond_estimate=_sum(one.beyond_estimate, other.beyond_estimate))


def _join(target: _Need, draft: _Need | None) -> MemoryNeeds:
    drafts = draft.parts if draft else {}
    names = [CPU, *sorted((target.parts.keys() | drafts.keys()) - {CPU})]
    return {name: (target.parts.get(name, MemoryBreakdown()), drafts.get(name, MemoryBreakdown())) for name in names}


def _sum(target: int | None, draft: int | None) -> int | None:
    return None if target is None or draft is None else target + draft

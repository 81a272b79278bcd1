"""Estimates whether models fit into memory, by the best that is known of them: the figures of every memory bar."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING

from specchat.domain.errors import UserError
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.types import Device, PairChoice
from specchat.services.memory.device_memory import (
    compute_device_fit,
    gpu_names,
    known_devices,
    planned_devices,
    pooled_memory,
)
from specchat.services.memory.header_fit import fit_from_headers
from specchat.services.memory.settings_suggestion import suggest_settings
from specchat.services.models.mmproj_lookup import with_mmproj
from specchat.services.models.model_refs import is_local
from specchat.services.models.pair_fit import EstimateMethod, PairFit

if TYPE_CHECKING:  # they take their time to import
    from specchat.backends.memory_measurer import MemoryMeasurer
    from specchat.services.memory.engine_fit import EngineFit
    from specchat.services.memory.memory_estimates import MemoryEstimates

_BESIDES = 2**28
"""Bytes beside a model's weights, for its cache of 4096 tokens and for computing, with 10^9 parameters."""


@dataclass(frozen=True, slots=True)
class ModelSize:
    """All that is known of a model whose header was not read."""

    size: int
    parameters: int


def fit_listed(models: Sequence[ModelSize], devices: Sequence[Device], choice: PairChoice | None = None) -> PairFit:
    """Of models in a list, a target and perhaps its draft, with all devices as one: what lies where is chosen later.

    `choice`: the same models, where they have files. Their headers count then, otherwise the sizes alone.
    """
    pool = pooled_memory(devices)
    if choice is not None:
        with suppress(UserError):
            found = FitEstimator().fit(choice, devices)
            return replace(found, devices=(compute_device_fit(pool, (found.target, found.draft)),))
    return PairFit((compute_device_fit(pool, _needs_by_size(models)),), EstimateMethod.SIZE)


class FitEstimator:
    """What an earlier load took counts first, then what llama.cpp would allocate, then what the headers tell.
    `PairFit.method` says which it was.
    """

    def __init__(self, measurer: "MemoryMeasurer | None" = None, estimates: "MemoryEstimates | None" = None) -> None:
        """Without a measurer llama.cpp is not asked: headers answer in milliseconds."""
        self._engine = _engine_fit(measurer, estimates) if measurer is not None and estimates is not None else None

    def warm_up(self) -> None:
        if self._engine is not None:
            self._engine.warm_up()

    def fit(
        self,
        choice: PairChoice,
        machine: Sequence[Device] = (),
        loaded: PairChoice | None = None,
    ) -> PairFit:
        """`machine`: the devices of another one that is planned for. `loaded`: the pair that will make room first.
        Where its files are gone nobody can tell what it takes: then it makes none.
        """
        choice = with_mmproj(choice)
        loaded = with_mmproj(loaded) if loaded is not None and _is_there(loaded) else None
        choice = _without_gpus(choice) if machine and not gpu_names(machine) else choice
        found = self._engine.fit(choice, machine, loaded) if self._engine is not None else None
        return found or fit_from_headers(choice, planned_devices(known_devices(), machine), loaded)

    def suggest(
        self, choice: PairChoice, machine: Sequence[Device] = (), loaded: PairChoice | None = None
    ) -> PairChoice | None:
        return suggest_settings(choice, lambda attempt: self.fit(attempt, machine, loaded))

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()


def _engine_fit(measurer: "MemoryMeasurer", estimates: "MemoryEstimates") -> "EngineFit":
    from specchat.services.memory.engine_fit import EngineFit

    return EngineFit(measurer, estimates)


def _needs_by_size(models: Sequence[ModelSize]) -> tuple[MemoryBreakdown, MemoryBreakdown]:
    needs = [
        MemoryBreakdown(weights=model.size, compute=round(_BESIDES * sqrt(model.parameters / 1e9))) for model in models
    ]
    target, draft = (*needs, MemoryBreakdown())[:2]
    return target, draft


def _is_there(pair: PairChoice) -> bool:
    return all(is_local(model) for model in (pair.target, pair.draft) if model is not None)


def _without_gpus(choice: PairChoice) -> PairChoice:
    return replace(
        choice,
        target_settings=replace(choice.target_settings, device=CPU),
        draft_settings=replace(choice.draft_settings, device=CPU),
    )

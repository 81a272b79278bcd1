"""Records the estimated and the actual memory use of models."""

import hashlib
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from specchat import __version__
from specchat.domain.memory import CPU, MemoryBreakdown
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.types import ModelSettings
from specchat.services.models.model_facts import file_state

log = logging.getLogger(__name__)

ByDevice = Mapping[str, MemoryBreakdown]


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """Empty: not known yet."""

    estimated: Mapping[str, MemoryBreakdown]
    allocated: Mapping[str, MemoryBreakdown]

    @property
    def beyond_estimate(self) -> int | None:
        if not (self.estimated and self.allocated):
            return None
        return sum(self._allocation(device).total - self._estimate(device).total for device in self._devices)

    @property
    def corrected(self) -> ByDevice:
        """Returns the larger of the estimate and the last load's memory for each device."""
        return {
            device: max(self._estimate(device), self._allocation(device), key=lambda parts: parts.total)
            for device in self._devices
        }

    @property
    def _devices(self) -> set[str]:
        return self.estimated.keys() | self.allocated.keys()

    def _estimate(self, device: str) -> MemoryBreakdown:
        return self.estimated.get(device, MemoryBreakdown())

    def _allocation(self, device: str) -> MemoryBreakdown:
        """Weights that the CPU keeps in another order stand in the mapped file too, which needs no room of its own."""
        taken = self.allocated.get(device, MemoryBreakdown())
        if device == CPU:
            return replace(taken, weights=min(taken.weights, self._estimate(device).weights))
        return taken


class MemoryEstimates:
    def __init__(self, facts: FactCache) -> None:
        self._facts = facts

    def get_record(self, path: Path, settings: ModelSettings) -> MemoryRecord:
        with suppress(ValueError):
            return from_plain(MemoryRecord, self._facts.get(_key(path, settings)))
        return MemoryRecord({}, {})

    def record_estimate(self, path: Path, settings: ModelSettings, parts: ByDevice) -> MemoryRecord:
        before = self.get_record(path, settings)
        record = replace(before, estimated=parts)
        if record != before:
            self._facts.put(_key(path, settings), to_plain(record))
        return record

    def record_allocation(self, path: Path, settings: ModelSettings, parts: ByDevice) -> MemoryRecord:
        before = self.get_record(path, settings)
        record = replace(before, allocated=parts)
        if record != before:
            self._facts.put(_key(path, settings), to_plain(record))
        if record.beyond_estimate is not None:
            log.info(
                "Memory use of %s differed from the estimate by %+.2f MiB", path.name, record.beyond_estimate / 2**20
            )
        return record


def _key(path: Path, settings: ModelSettings) -> str:
    """Of another version nothing is known: its llama.cpp may be another."""
    facts = [__version__, file_state(path.absolute()), to_plain(replace(settings, threads=None))]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

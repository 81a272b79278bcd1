"""What models were expected to take, and what they took when they were loaded."""

import hashlib
import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from specchat import __version__
from specchat.domain.memory import CPU, MemoryParts
from specchat.domain.plain import from_plain, to_plain
from specchat.domain.ports import Remembers
from specchat.domain.types import ModelSettings
from specchat.services.models.shelf_facts import file_state

log = logging.getLogger(__name__)

ByDevice = Mapping[str, MemoryParts]


@dataclass(frozen=True, slots=True)
class Record:
    """Empty: not known yet."""

    estimated: Mapping[str, MemoryParts]
    allocated: Mapping[str, MemoryParts]

    @property
    def beyond_estimate(self) -> int | None:
        if not (self.estimated and self.allocated):
            return None
        return sum(self._taken(device).total - self._expected(device).total for device in self._devices)

    @property
    def corrected(self) -> ByDevice:
        """What the last load took where that was more than the estimate."""
        return {
            device: max(self._expected(device), self._taken(device), key=lambda parts: parts.total)
            for device in self._devices
        }

    @property
    def _devices(self) -> set[str]:
        return self.estimated.keys() | self.allocated.keys()

    def _expected(self, device: str) -> MemoryParts:
        return self.estimated.get(device, MemoryParts())

    def _taken(self, device: str) -> MemoryParts:
        """Weights that the CPU keeps in another order stand in the mapped file too, which needs no room of its own."""
        taken = self.allocated.get(device, MemoryParts())
        if device == CPU:
            return replace(taken, weights=min(taken.weights, self._expected(device).weights))
        return taken


class Estimates:
    def __init__(self, facts: Remembers) -> None:
        self._facts = facts

    def of(self, path: Path, settings: ModelSettings) -> Record:
        with suppress(ValueError):
            return from_plain(Record, self._facts.get(_key(path, settings)))
        return Record({}, {})

    def estimated(self, path: Path, settings: ModelSettings, parts: ByDevice) -> Record:
        before = self.of(path, settings)
        record = replace(before, estimated=parts)
        if record != before:
            self._facts.put(_key(path, settings), to_plain(record))
        return record

    def loaded(self, path: Path, settings: ModelSettings, parts: ByDevice) -> Record:
        before = self.of(path, settings)
        record = replace(before, allocated=parts)
        if record != before:
            self._facts.put(_key(path, settings), to_plain(record))
        if record.beyond_estimate is not None:
            log.info("%s took %+.2f MiB beyond the estimate", path.name, record.beyond_estimate / 2**20)
        return record


def _key(path: Path, settings: ModelSettings) -> str:
    """Of another version nothing is known: its llama.cpp may be another."""
    facts = [__version__, file_state(path.absolute()), to_plain(replace(settings, threads=None))]
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

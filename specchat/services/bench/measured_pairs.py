"""Stores the speeds measured for each pair on this computer; cheap to import."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from specchat.domain.benchmark import BenchReport, BenchRow
from specchat.domain.errors import ModelFileError
from specchat.domain.ports import FactCache
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.advice import MIN_ANSWERS, ComparedRow, choose_best, is_row_conclusive
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_refs import path_for_ref

_GPUS = ("gpu", "igpu")
_NEWS = 0.05


@dataclass(frozen=True, slots=True)
class ObservedSpeed:
    """A draft's speed-up in the latest answers."""

    speedup: float
    acceptance: float
    tokens_per_s: float


@dataclass(frozen=True, slots=True)
class MeasuredSpeed:
    """The speed of the recommended method."""

    speedup: float
    """The median."""
    acceptance_rate: float
    tokens_per_s: float
    draft_type: str
    when: float
    device: str
    in_chats: bool = False
    """No benchmark found it: answering with the pair has taught it."""
    guesses: int | None = None
    """At most, in a pass; None: as many as pay, or an earlier version has kept the rest."""
    is_trial: bool = False
    """Nothing was answered with the pair: it follows from its guesses of known answers, and from what passes take."""

    @property
    def plain_tokens_per_s(self) -> float:
        """The speed of the target alone in the same benchmark."""
        return self.tokens_per_s / max(self.speedup, 0.01)


SpeedLookup = Callable[[Path, Path | None], MeasuredSpeed | None]
"""Looks up the measured speed of target and draft, or without a draft. None: not measured."""


def no_measurements(target: Path, draft: Path | None) -> None:
    return None


def plain_speed(measured_here: SpeedLookup, target: Path, drafts: Iterable[Path]) -> float | None:
    """Tokens per second of the target alone, in the benchmark of any pair."""
    found = (measured_here(target, draft) for draft in (None, *drafts))
    return next((measured.plain_tokens_per_s for measured in found if measured is not None), None)


@dataclass(frozen=True, slots=True)
class _Record:
    by_device: Mapping[str, MeasuredSpeed] = field(default_factory=dict)
    in_chats: MeasuredSpeed | None = None
    """However the pair was loaded last."""
    trial: MeasuredSpeed | None = None


def _devices_here() -> Sequence[Device]:
    from specchat.services.memory.device_memory import list_devices

    return list_devices()


class MeasuredPairs:
    def __init__(
        self,
        facts: FactCache,
        devices: Callable[[], Sequence[Device]] = _devices_here,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._facts = facts
        self._devices = devices
        self._now = now

    def record(self, report: BenchReport) -> None:
        """Records conclusive results; other pairs keep their earlier results."""
        by_pair: dict[tuple[Path, Path | None], list[ComparedRow]] = {}
        for row, ratio in _telling(report.rows):
            by_pair.setdefault((row.method.target, row.method.draft), []).append((row, ratio))
        for (target, draft), methods in by_pair.items():
            best = choose_best(methods)
            if is_row_conclusive(best, report.rows) and (key := _key(target, draft)):
                device = _used_devices(self._devices(), report.plan.gpu_layers)
                found = _summary(best, self._now(), device)
                known = self._read_record(key)
                self._facts.put(key, to_plain(replace(known, by_device={**known.by_device, device: found})))

    def record_trial(self, target: Path, draft: Path, found: ObservedSpeed) -> None:
        """Records an expected speed-up. Results of benchmarks and chats take precedence."""
        if key := _key(target, draft):
            speed = MeasuredSpeed(
                found.speedup, found.acceptance, found.tokens_per_s, "model", self._now(), "", is_trial=True
            )
            self._facts.put(key, to_plain(replace(self._read_record(key), trial=speed)))

    def record_observed(self, choice: PairChoice, taught: ObservedSpeed) -> None:
        """Records what answers have shown about a draft, if it is new."""
        key = _key_of(choice)
        if key is None:
            return
        known = self._read_record(key)
        if known.in_chats is not None and abs(known.in_chats.speedup - taught.speedup) < _NEWS:
            return
        found = MeasuredSpeed(
            taught.speedup,
            taught.acceptance,
            taught.tokens_per_s,
            choice.draft_type,
            self._now(),
            "",
            in_chats=True,
        )
        self._facts.put(key, to_plain(replace(known, in_chats=found)))

    def get_speed(self, target: Path, draft: Path | None) -> MeasuredSpeed | None:
        """A benchmark counts more than chats: on the device that is used where nobody chooses one, or else on the
        processor.
        """
        key = _key(target, draft)
        known = self._read_record(key) if key else _Record()
        if not known.by_device:
            return known.in_chats or known.trial  # without asking for devices, which loads llama.cpp
        devices = self._devices()
        used = (_used_devices(devices, gpu_layers) for gpu_layers in (None, 0))
        found = next((known.by_device[device] for device in used if device in known.by_device), None)
        return found or known.in_chats or known.trial

    def _read_record(self, key: str) -> _Record:
        try:
            return from_plain(_Record, self._facts.get(key))
        except ValueError:
            return _Record()


def _telling(rows: Iterable[BenchRow]) -> Iterable[ComparedRow]:
    for row in rows:
        is_ours = row.workload is None and row.method.is_offered and not row.method.is_plain
        if is_ours and row.ratio is not None and row.ratio.n >= MIN_ANSWERS:
            yield row, row.ratio


def _summary(best: ComparedRow, now: float, device: str) -> MeasuredSpeed:
    (row, ratio), method = best, best[0].method
    return MeasuredSpeed(
        ratio.median, row.acceptance_rate, row.tokens_per_s, method.draft_type, now, device, guesses=method.draft_max
    )


def _key(target: Path, draft: Path | None) -> str | None:
    """None: one of the files is not there."""
    states = [file_state(path) and file_state(path.resolve()) for path in (target, draft) if path is not None]
    return None if None in states else "|".join(filter(None, states))


def _key_of(choice: PairChoice) -> str | None:
    """None as well where it has no draft."""
    if choice.draft is None:
        return None
    with suppress(ModelFileError):  # deleted while it was loaded
        return _key(path_for_ref(choice.target), path_for_ref(choice.draft))
    return None


def _used_devices(devices: Sequence[Device], gpu_layers: int | None) -> str:
    """As llama.cpp spreads a model."""
    gpus = [device for device in devices if device.kind in _GPUS]
    used = gpus if gpus and gpu_layers != 0 else [device for device in devices if device.kind == "cpu"]
    return ", ".join(device.description or device.name for device in used)

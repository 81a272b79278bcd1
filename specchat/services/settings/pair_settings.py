"""Remembers the last used settings of each pair."""

from dataclasses import dataclass, replace
from typing import Any

from specchat.domain.compute_settings import MOST_SLOTS
from specchat.domain.errors import SettingError
from specchat.domain.model_ref import ModelFile, ModelRef, parse_model_ref
from specchat.domain.rpc import parse_rpc_address, rpc_for_draft
from specchat.domain.serialization import from_plain, require_type, to_plain
from specchat.domain.types import CacheType, ModelSettings, PairChoice, SplitMode
from specchat.services.models.model_refs import ref_for_path
from specchat.store.json_file import JsonFile

_VERSION = 1
_MOST = 200
_PAIRS = "pairs"
_RANGES = {"draft_max": (0, 64), "n_ctx": (1, 1 << 24), "threads": (1, 1024), "slots": (1, MOST_SLOTS)}
"""What llama.cpp may abort outside of. The file may have been edited."""


@dataclass(frozen=True, slots=True)
class _Record:
    target: str
    draft: str | None = None
    draft_type: str = "auto"
    draft_max: int | None = None
    n_ctx: int | None = None
    gpu_layers: int | None = None
    draft_gpu_layers: int | None = None
    device: str | None = None
    draft_device: str | None = None
    threads: int | None = None
    cache_type: CacheType = CacheType.F16
    exact: bool = False
    slots: int | None = None
    rpc: tuple[str, ...] = ()
    split_mode: SplitMode | None = None
    tensor_split: tuple[float, ...] = ()


class PairSettings:
    """A pair is a target with a draft, or with a way of guessing that needs none."""

    def __init__(self, file: JsonFile) -> None:
        self._file = file

    def last_pair(self) -> PairChoice | None:
        records = self._records()
        return _choice(records[-1]) if records else None

    def recent(self, most: int) -> list[PairChoice]:
        """The newest first."""
        return [_choice(record) for record in reversed(self._records()[-most:])]

    def for_target(self, target: ModelRef) -> PairChoice:
        """As it was used last, whatever guessed."""
        found = [record for record in self._records() if _ref(record.target) == target]
        return _choice(found[-1]) if found else PairChoice(target)

    def for_pair(self, target: ModelRef, draft: ModelRef | None, draft_type: str) -> PairChoice | None:
        pair = _pair(_record(PairChoice(target, draft, draft_type=draft_type)))
        return next((_choice(record) for record in self._records() if _pair(record) == pair), None)

    def recall(self, target: ModelRef, draft: ModelRef | None, draft_type: str) -> PairChoice:
        """As this pair was used last, else as its target was; what was set for another draft does not count."""
        used = self.for_pair(target, draft, draft_type)
        if used is not None:
            return used
        used = self.for_target(target)
        on_draft = replace(used.draft_settings, gpu_layers=None, device=None, rpc=())
        return replace(used, draft=draft, draft_type=draft_type, draft_max=None, draft_settings=on_draft)

    def save(self, choice: PairChoice) -> None:
        record = _record(choice)
        others = [other for other in self._records() if _pair(other) != _pair(record)]
        kept = [to_plain(each) for each in [*others, record][-_MOST:]]
        self._file.write(self._file.read() | {"version": _VERSION, _PAIRS: kept})

    def _records(self) -> list[_Record]:
        try:
            plain = require_type(list, self._file.read().get(_PAIRS, []))
            return [_usable(from_plain(_Record, each)) for each in plain]
        except ValueError:
            self._file.set_aside()
            return []


def _usable(record: _Record) -> _Record:
    """With defaults in place of settings that nobody can have chosen."""
    odd = [name for name, (low, high) in _RANGES.items() if not low <= (getattr(record, name) or low) <= high]
    defaults: dict[str, Any] = dict.fromkeys(odd)
    try:
        rpc = tuple(map(parse_rpc_address, record.rpc))
    except SettingError:
        rpc = ()
    return replace(record, rpc=rpc, **defaults)


def _pair(record: _Record) -> tuple[ModelRef, ModelRef | None, str]:
    draft = _ref(record.draft) if record.draft else None
    return _ref(record.target), draft, "model" if draft else record.draft_type


def _ref(text: str) -> ModelRef:
    """Earlier versions kept where files of the Hub lay."""
    ref = parse_model_ref(text)
    return ref_for_path(ref.path) if isinstance(ref, ModelFile) else ref


def _record(choice: PairChoice) -> _Record:
    settings = choice.target_settings
    return _Record(
        target=str(choice.target),
        draft=None if choice.draft is None else str(choice.draft),
        draft_type=choice.draft_type,
        draft_max=choice.draft_max,
        n_ctx=settings.n_ctx,
        gpu_layers=settings.gpu_layers,
        draft_gpu_layers=choice.draft_settings.gpu_layers,
        device=settings.device,
        draft_device=choice.draft_settings.device,
        threads=settings.threads,
        cache_type=settings.cache_type,
        exact=settings.exact,
        slots=settings.slots,
        rpc=settings.rpc,
        split_mode=settings.split_mode,
        tensor_split=settings.tensor_split,
    )


def _choice(record: _Record) -> PairChoice:
    common = ModelSettings(threads=record.threads, cache_type=record.cache_type, exact=record.exact)
    on_target = replace(
        common,
        n_ctx=record.n_ctx,
        gpu_layers=record.gpu_layers,
        device=record.device,
        slots=record.slots,
        rpc=record.rpc,
        split_mode=record.split_mode,
        tensor_split=record.tensor_split,
    )
    on_draft = replace(
        common,
        gpu_layers=record.draft_gpu_layers,
        device=record.draft_device,
        rpc=rpc_for_draft(record.rpc, record.draft_device),
    )
    return PairChoice(
        target=_ref(record.target),
        draft=None if record.draft is None else _ref(record.draft),
        target_settings=on_target,
        draft_settings=on_draft,
        draft_type="auto" if record.draft and record.draft_type == "model" else record.draft_type,
        draft_max=record.draft_max,
    )

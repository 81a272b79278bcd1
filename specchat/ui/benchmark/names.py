"""How ways of answering are called on charts and in tables: as briefly as one can still tell them apart."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from specchat.domain.benchmarking import BenchPlan, Way
from specchat.domain.draft_types import DRAFT_TYPES
from specchat.services.bench.names import PEER
from specchat.ui.words.amounts import number
from specchat.ui.words.said import in_words

translate = QCoreApplication.translate

_SEPARATORS = "-_. "


@dataclass(frozen=True, slots=True)
class Series:
    """Ways that differ in the number of guesses only: one line of a chart."""

    target: Path
    draft: Path | None
    draft_type: str
    peer: Path | None


def series_of(way: Way) -> Series:
    return Series(way.target, way.draft, way.draft_type, way.peer)


def guesses(way: Way) -> bool:
    return way.draft_max != 0


class Names:
    def __init__(self, plan: BenchPlan) -> None:
        self._called = plan.called
        self._targets = _apart(tuple(dict.fromkeys(way.target for way in plan.ways)), plan.called)
        self.series = tuple(dict.fromkeys(series_of(way) for way in plan.ways if guesses(way)))
        """Those that guess, in the plan's order."""

    def of_series(self, series: Series) -> str:
        words = guesser_words(series.draft_type) if series.draft is None else self._called(series.draft)
        if target := self._targets[series.target]:
            words = translate("Benchmark", "{draft} for {target}").format(draft=words, target=target)
        return _by(words, series.peer)

    def of_way(self, way: Way) -> str:
        if guesses(way):
            return f"{self.of_series(series_of(way))} · {up_to(way)}"
        words = translate("Benchmark", "Plain")
        return _by(", ".join(filter(None, (words, self._targets[way.target]))), way.peer)


def _by(words: str, peer: Path | None) -> str:
    return words if peer is None else f"{words}, {PEER}"


def guesser_words(draft_type: str) -> str:
    known = DRAFT_TYPES.get(draft_type)
    return in_words(known.label) if known is not None else draft_type


def length_words(draft_max: int | None, peer: Path | None = None) -> str:
    if draft_max is not None:
        return number(draft_max)
    return translate("Benchmark", "auto") if peer is None else translate("Benchmark", "as it comes")


def up_to(way: Way) -> str:
    words = length_words(way.draft_max, way.peer)
    return words if way.draft_max is None else translate("Benchmark", "up to {n}").format(n=words)


def _apart(targets: Sequence[Path], called: Callable[[Path], str]) -> dict[Path, str]:
    """What differs in their names; nothing where there is only one."""
    names = [called(target) for target in targets]
    if len(names) < 2:
        return dict.fromkeys(targets, "")
    common = os.path.commonprefix(names)
    cut = 1 + max(common.rfind(separator) for separator in _SEPARATORS)
    return {target: name[cut:] or name for target, name in zip(targets, names, strict=True)}

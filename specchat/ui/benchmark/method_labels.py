"""Short, distinct names for the compared methods, used in charts and tables."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from specchat.domain.benchmark import BenchMethod, BenchPlan
from specchat.domain.drafter_types import DRAFTER_TYPES
from specchat.services.bench.method_names import PEER
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

_SEPARATORS = "-_. "


@dataclass(frozen=True, slots=True)
class Series:
    """Methods that differ in the number of guesses only: one line of a chart."""

    target: Path
    draft: Path | None
    draft_type: str
    peer: Path | None


def series_of(method: BenchMethod) -> Series:
    return Series(method.target, method.draft, method.draft_type, method.peer)


def is_speculative(method: BenchMethod) -> bool:
    return method.draft_max != 0


class MethodLabels:
    def __init__(self, plan: BenchPlan) -> None:
        self._called = plan.display_name
        self._targets = _apart(tuple(dict.fromkeys(method.target for method in plan.methods)), plan.display_name)
        self.series = tuple(dict.fromkeys(series_of(method) for method in plan.methods if is_speculative(method)))
        """Those that guess, in the plan's order."""

    def series_name(self, series: Series) -> str:
        words = drafter_label(series.draft_type) if series.draft is None else self._called(series.draft)
        if target := self._targets[series.target]:
            words = translate("Benchmark", "{draft} for {target}").format(draft=words, target=target)
        return _by(words, series.peer)

    def method_label(self, method: BenchMethod) -> str:
        if method.engine:
            return method.engine
        if is_speculative(method):
            return f"{self.series_name(series_of(method))} · {max_guesses_label(method)}"
        words = translate("Benchmark", "Plain")
        return _by(", ".join(filter(None, (words, self._targets[method.target]))), method.peer)


def _by(words: str, peer: Path | None) -> str:
    return words if peer is None else f"{words}, {PEER}"


def drafter_label(draft_type: str) -> str:
    known = DRAFTER_TYPES.get(draft_type)
    return translate_text(known.label) if known is not None else draft_type


def draft_length_label(draft_max: int | None, peer: Path | None = None) -> str:
    if draft_max is not None:
        return format_number(draft_max)
    return translate("Benchmark", "auto") if peer is None else translate("Benchmark", "default settings")


def max_guesses_label(method: BenchMethod) -> str:
    words = draft_length_label(method.draft_max, method.peer)
    return words if method.draft_max is None else translate("Benchmark", "up to {n}").format(n=words)


def _apart(targets: Sequence[Path], called: Callable[[Path], str]) -> dict[Path, str]:
    """What differs in their names; nothing where there is only one."""
    names = [called(target) for target in targets]
    if len(names) < 2:
        return dict.fromkeys(targets, "")
    common = os.path.commonprefix(names)
    cut = 1 + max(common.rfind(separator) for separator in _SEPARATORS)
    return {target: name[cut:] or name for target, name in zip(targets, names, strict=True)}

"""What the form asks for, and the ways of answering that this means."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean

from specchat.domain.benchmarking import BenchPrompt, BenchReport, Way
from specchat.services.models.pair_values import ShelfModel

LENGTHS: tuple[int | None, ...] = (2, 4, 8, 16, None)
USUAL_LENGTHS: tuple[int | None, ...] = (2, 4, 8, None)
USUAL_WORKLOADS = 3
_LOADING_S = 3.0
_WARM_UP_TOKENS = 32
_CHARACTERS = 4
"""Of a prompt, to a token."""
_AS_FAST = 5
"""As it writes an answer, a model reads a prompt: many tokens at once."""


class Asked(StrEnum):
    WORKLOADS = "workloads"
    RECENT = "recent"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Guesser:
    draft_type: str
    draft: Path | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    target: Path
    guessers: tuple[Guesser, ...]
    quantisations: tuple[Path, ...]
    """Other files of the same target."""
    asked: Asked
    workloads: tuple[str, ...]
    lengths: tuple[int | None, ...]
    temperature: float
    max_tokens: int
    repeat: int
    exact: bool = False

    @property
    def ways(self) -> tuple[Way, ...]:
        """Each target also plainly."""
        found: list[Way] = []
        for target in (self.target, *self.quantisations):
            found.append(Way(target))
            found += [
                Way(target, guesser.draft, guesser.draft_type, length)
                for guesser in self.guessers
                if guesser.draft != target
                for length in self.lengths
            ]
        return tuple(found)

    @property
    def compares(self) -> bool:
        return len(self.ways) > 1


def estimated_seconds(wish: Wish, n_prompts: int, an_answer: float) -> float:
    """`an_answer`: the seconds that it takes, its prompt included. Each way warms up with a short one."""
    ways = wish.ways
    loading = _LOADING_S * len({(way.target, way.draft) for way in ways})
    warming_up = min(1.0, _WARM_UP_TOKENS / wish.max_tokens)
    return loading + len(ways) * (n_prompts * wish.repeat + warming_up) * an_answer


def usual_seconds(wish: Wish, prompts: Sequence[BenchPrompt], tokens_per_s: float, share: float = 1.0) -> float:
    """Of an answer: as if no guess held, and all were as long as they may be, or this share of it."""
    n_read = fmean(len(prompt.system) + len(prompt.text) for prompt in prompts) / _CHARACTERS
    return (n_read / _AS_FAST + share * wish.max_tokens) / tokens_per_s


def measured_seconds(wish: Wish, report: BenchReport) -> float | None:
    """Of an answer, as long as those of the same targets were. None: there are none."""
    targets = (wish.target, *wish.quantisations)
    stats = [run.stats for run in report.runs if run.way.target in targets and run.stats.tokens_per_s > 0]
    if not stats:
        return None
    return fmean(each.ttft_s + _length(wish, report, each.n_generated) / each.tokens_per_s for each in stats)


def _length(wish: Wish, report: BenchReport, measured: int) -> int:
    """What was cut off would go on."""
    return wish.max_tokens if measured >= report.plan.max_tokens else min(measured, wish.max_tokens)


def title(model: ShelfModel) -> str:
    """With how it is packed, which several files of one model differ in."""
    if not model.quantization or model.quantization.casefold() in model.name.casefold():
        return model.name
    return f"{model.name} · {model.quantization}"


def names_of(ways: Iterable[Way], models: Iterable[ShelfModel]) -> dict[Path, str]:
    """As short as they can be told apart; by their files where that is needed."""
    compared = {file for way in ways for file in (way.target, way.draft)}
    there = [model for model in models if model.path in compared]
    found: dict[Path, str] = {}
    for naming in (title, lambda model: model.name):
        names = {model.path: naming(model) for model in there}
        found |= {path: name for path, name in names.items() if list(names.values()).count(name) == 1}
    return found


def quantisations_of(target: ShelfModel, models: Sequence[ShelfModel]) -> list[ShelfModel]:
    """The same model in other files: of as many parameters and layers, packed otherwise."""
    return [
        model
        for model in models
        if not model.target_problems
        and model.path != target.path
        and (model.parameters, model.n_layer) == (target.parameters, target.n_layer)
        and model.parameters > 0
        and model.quantization != target.quantization
        and _base(model) == _base(target)
    ]


def _base(model: ShelfModel) -> str:
    """Its name, without what tells how it is packed."""
    return model.name.casefold().replace(model.quantization.casefold(), "").strip(" -_.")

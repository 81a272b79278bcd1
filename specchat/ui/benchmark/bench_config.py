"""The configuration of a benchmark, the methods it compares, and its estimated duration."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from statistics import fmean

from specchat.domain.benchmark import BenchMethod, BenchPrompt, BenchReport
from specchat.services.models.pair_fit import LocalModel

LENGTHS: tuple[int | None, ...] = (2, 4, 8, 16, None)
DEFAULT_LENGTHS: tuple[int | None, ...] = (2, 4, 8, None)
DEFAULT_WORKLOAD_COUNT = 3
_LOADING_S = 3.0
_WARM_UP_TOKENS = 32
_CHARACTERS = 4
"""Characters per token of a prompt."""
_AS_FAST = 5
"""How many times as fast a model reads a prompt as it writes an answer."""


class PromptKind(StrEnum):
    WORKLOADS = "workloads"
    RECENT = "recent"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class DrafterChoice:
    draft_type: str
    draft: Path | None = None


@dataclass(frozen=True, slots=True)
class BenchConfig:
    target: Path
    guessers: tuple[DrafterChoice, ...]
    quantisations: tuple[Path, ...]
    """Other files of the same target."""
    asked: PromptKind
    workloads: tuple[str, ...]
    lengths: tuple[int | None, ...]
    temperature: float
    max_tokens: int
    repeat: int
    exact: bool = False

    @property
    def methods(self) -> tuple[BenchMethod, ...]:
        """Each target also plainly."""
        found: list[BenchMethod] = []
        for target in (self.target, *self.quantisations):
            found.append(BenchMethod(target))
            found += [
                BenchMethod(target, guesser.draft, guesser.draft_type, length)
                for guesser in self.guessers
                if guesser.draft != target
                for length in self.lengths
            ]
        return tuple(found)

    @property
    def has_comparison(self) -> bool:
        return len(self.methods) > 1


def estimate_total_seconds(config: BenchConfig, n_prompts: int, an_answer: float) -> float:
    """`an_answer`: the seconds that it takes, its prompt included. Each method warms up with a short one."""
    methods = config.methods
    loading = _LOADING_S * len({(method.target, method.draft) for method in methods})
    warming_up = min(1.0, _WARM_UP_TOKENS / config.max_tokens)
    return loading + len(methods) * (n_prompts * config.repeat + warming_up) * an_answer


def estimate_answer_seconds(
    config: BenchConfig, prompts: Sequence[BenchPrompt], tokens_per_s: float, share: float = 1.0
) -> float:
    """Of an answer: as if no guess held, and all were as long as they may be, or this share of it."""
    n_read = fmean(len(prompt.system) + len(prompt.text) for prompt in prompts) / _CHARACTERS
    return (n_read / _AS_FAST + share * config.max_tokens) / tokens_per_s


def measured_answer_seconds(config: BenchConfig, report: BenchReport) -> float | None:
    """Returns the seconds that an answer by the same targets typically took. None: unknown."""
    targets = (config.target, *config.quantisations)
    stats = [run.stats for run in report.runs if run.method.target in targets and run.stats.tokens_per_s > 0]
    if not stats:
        return None
    return fmean(each.ttft_s + _length(config, report, each.n_generated) / each.tokens_per_s for each in stats)


def _length(config: BenchConfig, report: BenchReport, measured: int) -> int:
    """What was cut off would go on."""
    return config.max_tokens if measured >= report.plan.max_tokens else min(measured, config.max_tokens)


def model_title(model: LocalModel) -> str:
    """With how it is packed, which several files of one model differ in."""
    if not model.quantization or model.quantization.casefold() in model.name.casefold():
        return model.name
    return f"{model.name} · {model.quantization}"


def short_model_names(methods: Iterable[BenchMethod], models: Iterable[LocalModel]) -> dict[Path, str]:
    """As short as they can be told apart; by their files where that is needed."""
    compared = {file for method in methods for file in (method.target, method.draft)}
    there = [model for model in models if model.path in compared]
    found: dict[Path, str] = {}
    for naming in (model_title, lambda model: model.name):
        names = {model.path: naming(model) for model in there}
        found |= {path: name for path, name in names.items() if list(names.values()).count(name) == 1}
    return found


def other_quantisations(target: LocalModel, models: Sequence[LocalModel]) -> list[LocalModel]:
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


def _base(model: LocalModel) -> str:
    """Its name, without what tells how it is packed."""
    return model.name.casefold().replace(model.quantization.casefold(), "").strip(" -_.")

"""What the form asks for, and the ways of answering that this means."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from specchat.domain.benchmarking import Way
from specchat.services.models.pair_values import ShelfModel

LENGTHS: tuple[int | None, ...] = (2, 4, 8, 16, None)
USUAL_LENGTHS: tuple[int | None, ...] = (2, 4, 8, None)
USUAL_WORKLOADS = 3
_BYTES_PER_S = 12e9
"""That a usual computer reads from memory: each token needs the whole model."""
_SLOWEST, _FASTEST = 0.5, 200.0
_LOADING_S = 3.0


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


def usual_speed(size: int) -> float:
    """Tokens per second of a model of so many bytes, before anything is known."""
    return min(_FASTEST, max(_SLOWEST, _BYTES_PER_S / max(1, size)))


def estimated_seconds(wish: Wish, n_prompts: int, tokens_per_s: float) -> float:
    """As if no guess held."""
    ways = wish.ways
    loading = _LOADING_S * len({(way.target, way.draft) for way in ways})
    return loading + len(ways) * n_prompts * wish.repeat * wish.max_tokens / tokens_per_s


def quantisations_of(target: ShelfModel, models: Sequence[ShelfModel]) -> list[ShelfModel]:
    """The same model in other files: of as many parameters and layers, packed otherwise."""
    return [
        model
        for model in models
        if not model.problems
        and model.path != target.path
        and (model.parameters, model.n_layer) == (target.parameters, target.n_layer)
        and model.parameters > 0
        and model.quantization != target.quantization
        and _base(model) == _base(target)
    ]


def _base(model: ShelfModel) -> str:
    """Its name, without what tells how it is packed."""
    return model.name.casefold().replace(model.quantization.casefold(), "").strip(" -_.")

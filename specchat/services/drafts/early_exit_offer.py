"""Says with how many of a target's first layers it could draft for itself, and what was found when that was tried."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.gguf.early_exit import EarlyExitPlanner, count_layers, early_exit_obstacle, is_trained_for_early_exit

_SHARES = (1 / 8, 1 / 4, 1 / 3, 1 / 2)
"""The shares of the layers that are tried."""


@dataclass(frozen=True, slots=True)
class EarlyExitOffer:
    """The plan of a search."""

    target: Path
    n_layers: int
    """Of the target."""
    candidates: tuple[int, ...]
    sizes: tuple[int, ...]
    """Of their files."""
    is_trained: bool
    """The target was trained so that its first layers guess well."""

    @property
    def space(self) -> int:
        """The most bytes that are in use at once: the best so far, and the one that is tried."""
        return sum(sorted(self.sizes)[-2:])


@dataclass(frozen=True, slots=True)
class EarlyExitTrial:
    n_layers: int
    size: int
    acceptance: float
    speedup: float
    """Against plain decoding."""


@dataclass(frozen=True, slots=True)
class EarlyExitReport:
    n_layers: int
    """Of the target."""
    trials: tuple[EarlyExitTrial, ...]
    kept: int | None = None
    """How many layers the draft has that was kept."""

    @property
    def best(self) -> EarlyExitTrial:
        return max(self.trials, key=lambda trial: trial.speedup)


def offer_early_exit(target: Path, n_layers: int | None = None) -> EarlyExitOffer:
    """`n_layers`: the only number to try. From the header alone."""
    planner = EarlyExitPlanner(target)
    header = planner.header
    if (obstacle := early_exit_obstacle(header)) is not None:
        raise SettingError(
            "{name} can't draft for itself: {reason}", "Use another draft.", name=target.name, reason=obstacle
        )
    of_target = count_layers(header)
    if n_layers is not None and not 1 <= n_layers < of_target:
        raise SettingError(
            "{name} has {all} layers, so at most {most} can draft.",
            "Choose a number from 1 to {most}.",
            name=target.name,
            all=of_target,
            most=of_target - 1,
        )
    candidates = (n_layers,) if n_layers is not None else candidate_layers(of_target)
    sizes = tuple(planner.plan(each).size for each in candidates)
    return EarlyExitOffer(target, of_target, candidates, sizes, is_trained_for_early_exit(header, target))


def is_made_for_early_exit(target: Path) -> bool:
    """It was trained so that its first layers guess well."""
    header = EarlyExitPlanner(target).header
    return early_exit_obstacle(header) is None and is_trained_for_early_exit(header, target)


def candidate_layers(n_layers: int) -> tuple[int, ...]:
    """The fewest first."""
    shares = {max(1, round(share * n_layers)) for share in _SHARES}
    return tuple(sorted(each for each in shares if each < n_layers))

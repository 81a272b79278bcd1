"""Stages and events of loading a pair."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.errors import UserError
from specchat.domain.types import PairChoice


class LoadStage(StrEnum):
    """In this order; what is not needed is left out."""

    CHECKING_TARGET = "checking the target"
    """The first load of a file, in a process of its own."""
    LOADING_TARGET = "loading the target"
    CHECKING_DRAFT = "checking the draft"
    LOADING_DRAFT = "loading the draft"
    SELF_TEST = "self-test"
    MEASURING_SPEED = "measuring speed"


OnLoading = Callable[[LoadStage, float], None]
"""What is being done, and how much of everything is: that never becomes less."""


@dataclass(frozen=True, slots=True)
class LoadUpdate:
    choice: PairChoice
    stage: LoadStage
    done: float
    """Of everything."""


@dataclass(frozen=True, slots=True)
class LoadCompleted:
    choice: PairChoice
    pair: PairInfo


@dataclass(frozen=True, slots=True)
class LoadAborted:
    """Without a pair: stopped, or failed for a reason."""

    choice: PairChoice
    error: UserError | None


@dataclass(frozen=True, slots=True)
class PairUnloaded:
    """What is asked next loads it again."""

    choice: PairChoice


LoadingEvent = LoadUpdate | LoadCompleted | LoadAborted | PairUnloaded

"""Stages and events of loading a pair."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.errors import UserError
from specchat.domain.types import PairChoice


class LoadStage(StrEnum):
    """The stages of loading in order; unneeded ones are skipped."""

    CHECKING_TARGET = "checking the target"
    """The first load of a file, in a process of its own."""
    LOADING_TARGET = "loading the target"
    CHECKING_DRAFT = "checking the draft"
    LOADING_DRAFT = "loading the draft"
    SELF_TEST = "self-test"
    MEASURING_SPEED = "measuring speed"


OnLoading = Callable[[LoadStage, float], None]
"""Called with the current step and the total progress, which never decreases."""


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
    """Loading ended without a pair: stopped or failed."""

    choice: PairChoice
    error: UserError | None


@dataclass(frozen=True, slots=True)
class PairUnloaded:
    """What is asked next loads it again."""

    choice: PairChoice


LoadingEvent = LoadUpdate | LoadCompleted | LoadAborted | PairUnloaded

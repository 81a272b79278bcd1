"""Who guesses, and how far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from specchat.domain.guessing import WhyOff
from specchat.domain.ports import DraftContext
from specchat.domain.types import Proposal


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a step."""

    emitted: Sequence[int]
    accepted: int
    """The first so many of them were guessed."""
    seconds: float
    """Guessing and the pass."""


class Strategy(Protocol):
    """Lives as long as the pair. Where it raises a DrafterError, nobody guesses any more."""

    @property
    def off_reason(self) -> WhyOff | None:
        """Why nothing is drafted at present."""

    @property
    def draft_off(self) -> WhyOff | None:
        """Why the draft is not asked at present, while others may guess."""

    @property
    def why_none(self) -> WhyOff:
        """Why the answer has no guesses, where it has none."""

    @property
    def n_trial(self) -> int:
        """Where nothing was proposed: so many tokens more than needed are computed, to learn what that takes now."""

    def begin(self, *, sampled: bool) -> None:
        """A new answer; `sampled`: with a temperature."""

    def propose(self, context: DraftContext, room: int) -> Proposal:
        """At most `room` guesses, which are then verified."""

    def observe(self, outcome: Outcome) -> None:
        """Of the latest proposal."""

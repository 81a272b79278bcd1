"""The Strategy protocol, which decides who guesses and how far."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import OffReason
from specchat.engine.sampling import Logits


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What became of a step."""

    emitted: Sequence[int]
    accepted: int
    """The first so many of them were guessed, on the main branch."""
    seconds: float
    """Guessing and the pass."""
    probed: Logits | None = None
    """After each probe: a view that the next pass invalidates."""


class SpeculationPause(NamedTuple):
    n_trial: int = 0
    """So many tokens more than needed are computed in this step, to learn what that takes now."""
    n_steps: int = 0
    """In so many steps that follow it need not be asked."""


NO_PAUSE = SpeculationPause()


class Strategy(Protocol):
    """Lives as long as the pair. Where it raises a DrafterError, nobody guesses any more."""

    @property
    def off_reason(self) -> OffReason | None:
        """Why nothing is drafted at present."""

    @property
    def draft_off_reason(self) -> OffReason | None:
        """Why the draft is not asked at present, while others may guess."""

    @property
    def no_guess_reason(self) -> OffReason:
        """Why the answer has no guesses, where it has none."""

    @property
    def pause(self) -> SpeculationPause:
        """What follows where nothing was proposed."""

    def begin(self, *, sampled: bool) -> None:
        """A new answer; `sampled`: with a temperature."""

    def propose(self, context: DraftContext, room: int) -> Proposal:
        """At most `room` guesses, which are then verified."""

    def follow(self, context: DraftContext) -> None:
        """Between the passes of the prompt."""

    def observe(self, outcome: StepOutcome) -> None:
        """Of the latest proposal."""

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        """Plain steps in which it was not asked."""

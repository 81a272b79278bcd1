"""The Strategy protocol, which decides which drafter guesses, and how many tokens."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import OffReason
from specchat.engine.sampling import Logits


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """The result of a step."""

    emitted: Sequence[int]
    accepted: int
    """The number of first tokens that were guessed on the main branch."""
    seconds: float
    """The time of guessing and of the pass."""
    probed: Logits | None = None
    """The logits after each probe, as a view that the next pass invalidates."""


class SpeculationPause(NamedTuple):
    n_trial: int = 0
    """Additional tokens that this step computes, to measure the cost of larger passes."""
    n_steps: int = 0
    """The number of following steps in which the strategy need not be asked."""


NO_PAUSE = SpeculationPause()


class Strategy(Protocol):
    """Lives as long as the pair. If it raises a DrafterError, the answer continues without guesses."""

    @property
    def off_reason(self) -> OffReason | None:
        """Why there are no guesses at present."""

    @property
    def draft_off_reason(self) -> OffReason | None:
        """Why the draft is not asked at present, although other sources may guess."""

    @property
    def no_guess_reason(self) -> OffReason:
        """Why the answer has no guesses, if it has none."""

    @property
    def pause(self) -> SpeculationPause:
        """What to do next if nothing was proposed."""

    def begin(self, *, sampled: bool) -> None:
        """Starts a new answer. `sampled`: at a temperature above 0."""

    def propose(self, context: DraftContext, room: int) -> Proposal:
        """Returns at most `room` guesses, which are then verified."""

    def follow(self, context: DraftContext) -> None:
        """Lets drafts read along between the passes of the prompt."""

    def observe(self, outcome: StepOutcome) -> None:
        """Learns from the outcome of the latest proposal."""

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        """Learns from plain steps in which the strategy was not asked."""

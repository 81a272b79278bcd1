"""Reasons why speculation is off, now or in a stored answer.

Figures, kept or printed, tell it as a text: "on", "off: " and the reason, or "not reported". Only this file
makes and reads it.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

ON = "on"
NOT_REPORTED = "not reported"
"""The status of an engine that doesn't report whether it guesses."""
_OFF = "off: "
_FAILED = re.compile(r"the (?:draft|drafter (.+?)) failed: (.*)", re.DOTALL)


class SpeculationOff(StrEnum):
    """The values are in kept answers, and programs read them."""

    SWITCHED_OFF = "draft type is none"
    NO_DRAFT = "no draft is selected"
    NO_LENGTH = "the number of guesses is 0"
    COSTS_MORE = "speculation would cost more time than it saves"
    MEASURING = "still measuring whether speculation saves time"
    ENDED_FIRST = "the answer ended before the first guess"
    NOTHING_TO_REPEAT = "nothing in the earlier text was worth repeating"
    NO_USABLE_GUESS = "no guess could be verified by the target"
    CANNOT_TAKE_BACK = "the target can't roll back tokens"
    RECURRENT_TARGET = "the target is a recurrent model and can't roll back tokens"
    ONE_BRANCH = "the target can't verify several branches in one pass"
    SHARED = "other answers are written at the same time"
    RECURRENT_DRAFT = "the draft is a recurrent model and can't roll back tokens"
    NOT_REPORTED = "not reported"
    """Nobody knows whether it is on."""


SINGLE_ANSWER_REASONS = frozenset(
    {SpeculationOff.ENDED_FIRST, SpeculationOff.NOTHING_TO_REPEAT, SpeculationOff.NO_USABLE_GUESS}
)
"""They tell why an answer has no guesses. Guessing is on all the same."""


@dataclass(frozen=True, slots=True)
class DrafterFailure:
    """Whoever guessed."""

    error: str
    drafter: str | None = None
    """None: the draft."""

    def __str__(self) -> str:
        who = "draft" if self.drafter is None else f"drafter {self.drafter}"
        return f"the {who} failed: {self.error}"


OffReason = SpeculationOff | DrafterFailure


def speculation_text(why: OffReason | None) -> str:
    if why is SpeculationOff.NOT_REPORTED:
        return NOT_REPORTED
    return ON if why is None else f"{_OFF}{why}"


def parse_speculation(speculation: str) -> OffReason | str | None:
    """Returns why speculation was off; None if it was on. Unknown reasons stay text."""
    if speculation == NOT_REPORTED:
        return SpeculationOff.NOT_REPORTED
    if not speculation.startswith(_OFF):
        return None
    reason = speculation.removeprefix(_OFF)
    if reason in list(SpeculationOff):
        return SpeculationOff(reason)
    failed = _FAILED.fullmatch(reason)
    return reason if failed is None else DrafterFailure(failed[2], failed[1])

"""Verifies guesses against the choices of the target."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken


class Verified(NamedTuple):
    """A token that this step emits."""

    choice: SampledToken
    row: int
    """Of the logits from which it was chosen: 0 are those before the guesses."""
    guess: int | None
    """Which one it was; None: the target's own."""


def verify_guesses(proposal: Proposal, choose: Callable[[int], SampledToken]) -> Iterator[Verified]:
    """Every guess that equals the target's own choice, then the target's next one.

    `choose(row)` is the target's choice after the guess before that row; it is asked only while those before it hold.
    """
    row = 0
    while True:
        choice = choose(row)
        guess = proposal.find_guess(choice.token, row - 1) if proposal.tokens else None
        yield Verified(choice, row, guess)
        if guess is None:
            return
        row = guess + 1

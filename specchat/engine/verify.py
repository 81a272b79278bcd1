"""Verifies guesses against the choices of the target."""

from collections.abc import Callable, Iterator, Sequence
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


class Verdict(NamedTuple):
    """What became of the guesses."""

    held: Sequence[int] = ()
    n_main: int = 0
    """So many of those that held are on the main branch."""
    origins: tuple[str, ...] = ()
    """Of those that the target was asked about."""
    tree: tuple[tuple[int, bool | None], ...] = ()
    """As in `StepStats`."""


_NO_GUESSES = Verdict()


def judge_guesses(proposal: Proposal, held: Sequence[int], n_places: int | None) -> Verdict:
    """`held`: those that were accepted. `n_places`: the target was not asked beyond these; None: about all."""
    if not proposal.tokens:
        return _NO_GUESSES
    n_main = sum(place == guess for place, guess in enumerate(held))
    asked: Sequence[int] = range(len(proposal.tokens))
    depths = proposal.depths
    if n_places is not None:
        asked = [guess for guess in asked if depths[guess] < n_places]
    tree = tuple((depths[guess], proposal.was_right(guess, held)) for guess in asked) if proposal.parents else ()
    return Verdict(held, n_main, tuple(proposal.origins[guess] for guess in asked), tree)

"""Verifies guesses against the choices of the target."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken


class Verified(NamedTuple):
    """A token that this step emits."""

    choice: SampledToken
    row: int
    """The row of logits that it was chosen from; row 0 comes before the guesses."""
    guess: int | None
    """The index of the accepted guess. None: the token was not guessed."""


def verify_guesses(proposal: Proposal, choose: Callable[[int], SampledToken]) -> Iterator[Verified]:
    """Yields each guess that equals the target's own choice, then the target's next token.

    `choose(row)` returns the target's choice after the guess before that row. It is called only while the guesses
    before it are right.
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
    """The result for the guesses of one step."""

    held: Sequence[int] = ()
    n_main: int = 0
    """The number of accepted guesses on the main branch."""
    origins: tuple[str, ...] = ()
    """The origins of the guesses that the target checked."""
    tree: tuple[tuple[int, bool | None], ...] = ()
    """As in `StepStats`."""


_NO_GUESSES = Verdict()


def judge_guesses(proposal: Proposal, held: Sequence[int], n_places: int | None) -> Verdict:
    """`held`: the accepted guesses. `n_places`: the number of positions that the target checked. None: all."""
    if not proposal.tokens:
        return _NO_GUESSES
    n_main = sum(place == guess for place, guess in enumerate(held))
    asked: Sequence[int] = range(len(proposal.tokens))
    depths = proposal.depths
    if n_places is not None:
        asked = [guess for guess in asked if depths[guess] < n_places]
    tree = tuple((depths[guess], proposal.was_right(guess, held)) for guess in asked) if proposal.parents else ()
    return Verdict(held, n_main, tuple(proposal.origins[guess] for guess in asked), tree)

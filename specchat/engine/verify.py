"""Verifies guesses against the choices of the target."""

from collections.abc import Callable, Iterator, Sequence

from specchat.domain.types import SampledToken


def verify_guesses(guesses: Sequence[int], choose: Callable[[int], SampledToken]) -> Iterator[SampledToken]:
    """The tokens this step emits: every guess that equals the target's own choice, then the target's next one.

    `choose(i)` is the target's choice after the first `i` guesses; it is asked only while those hold.
    """
    for i, guess in enumerate(guesses):
        choice = choose(i)
        yield choice
        if choice.token != guess:
            return
    yield choose(len(guesses))

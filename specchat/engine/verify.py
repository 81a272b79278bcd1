"""Which guesses hold: pure functions."""

from collections.abc import Callable, Iterator, Sequence

from specchat.domain.types import Choice


def verified(guesses: Sequence[int], choose: Callable[[int], Choice]) -> Iterator[Choice]:
    """The tokens this step emits: every guess that equals the target's own choice, then the target's next one.

    `choose(i)` is the target's choice after the first `i` guesses; it is asked only while those hold.
    """
    for i, guess in enumerate(guesses):
        choice = choose(i)
        yield choice
        if choice.token != guess:
            return
    yield choose(len(guesses))

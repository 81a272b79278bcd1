from specchat.domain.proposal import Proposal
from specchat.domain.types import SampledToken
from specchat.engine.verify import verify_guesses


def emitted(guesses: list[int], target: list[int]) -> list[int]:
    return [found.choice.token for found in verify_guesses(chain(guesses), lambda i: SampledToken(target[i], 1.0))]


def chain(guesses: list[int]) -> Proposal:
    return Proposal(tuple(guesses))


def test_all_hold_and_a_bonus_follows() -> None:
    assert emitted([1, 2, 3], [1, 2, 3, 4]) == [1, 2, 3, 4]


def test_the_first_wrong_guess_is_replaced_and_ends_the_step() -> None:
    assert emitted([1, 9, 3], [1, 2, 3, 4]) == [1, 2]
    assert emitted([9], [1, 2]) == [1]


def test_without_guesses_one_token_is_chosen() -> None:
    assert emitted([], [7]) == [7]


def test_the_target_is_not_asked_beyond_the_first_wrong_guess() -> None:
    asked: list[int] = []

    def choose(i: int) -> SampledToken:
        asked.append(i)
        return SampledToken(0, 1.0)

    list(verify_guesses(chain([0, 5, 0, 0]), choose))
    assert asked == [0, 1]

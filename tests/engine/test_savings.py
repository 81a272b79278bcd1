import pytest

from specchat.domain.guess_counts import GuessCounts
from specchat.domain.types import StepStats
from specchat.engine.costs import PassCosts
from specchat.engine.saved_time import SavedTime

PLAIN, OF_FOUR, GUESSES = 0.02, 0.03, 0.005


@pytest.fixture
def costs() -> PassCosts:
    known = PassCosts()
    for size, seconds in ((1, PLAIN), (4, OF_FOUR)):
        for _ in range(8):
            known.observe_pass(size, seconds)
    return known


def answer(savings: SavedTime, emitted: int, slower: float = 1.0, steps: int = 8) -> float:
    return sum(savings.step_savings(4, emitted, GUESSES * slower, OF_FOUR * slower, 100) for _ in range(steps))


def test_against_plain_passes(costs: PassCosts) -> None:
    assert answer(SavedTime(costs), 4) == pytest.approx(8 * (4 * PLAIN - OF_FOUR - GUESSES), rel=0.01)
    assert answer(SavedTime(costs), 1) == pytest.approx(8 * (PLAIN - OF_FOUR - GUESSES), rel=0.01)


@pytest.mark.parametrize("slower", [0.1, 7.0])
def test_at_the_pace_of_this_answer(costs: PassCosts, slower: float) -> None:
    """However busy the computer was when the passes were measured, or is now."""
    assert answer(SavedTime(costs), 4, slower) == pytest.approx(slower * answer(SavedTime(costs), 4), rel=0.01)


def test_never_more_than_passes_like_those_that_were_made(costs: PassCosts) -> None:
    for _ in range(100):
        costs.observe_pass(1, 0.3)
    assert answer(SavedTime(costs), 4) <= 8 * (4 * OF_FOUR - OF_FOUR - GUESSES)


def test_a_stall_is_no_fault_of_guesses(costs: PassCosts) -> None:
    savings = SavedTime(costs)
    usual = answer(savings, 4, steps=3)
    assert savings.step_savings(4, 4, GUESSES, 20 * OF_FOUR, 100) == pytest.approx(usual / 3)
    assert savings.step_savings(4, 4, 20 * GUESSES, OF_FOUR, 100) == pytest.approx(usual / 3)


def test_a_step_without_guesses_saves_nothing(costs: PassCosts) -> None:
    assert SavedTime(costs).step_savings(1, 1, 0.001, PLAIN, 100) == -0.001


def test_where_nothing_is_known_only_the_guesses_count() -> None:
    assert SavedTime(PassCosts()).step_savings(4, 4, GUESSES, OF_FOUR, 100) == -GUESSES


@pytest.mark.parametrize(
    ("slower", "is_rough"), [(0.3, True), (0.7, False), (1.0, False), (1.4, False), (2.5, True), (7.0, True)]
)
def test_beside_busy_programs_it_is_rough(costs: PassCosts, slower: float, *, is_rough: bool) -> None:
    savings = SavedTime(costs)
    assert not savings.is_rough
    answer(savings, 4, slower)
    assert savings.is_rough is is_rough


@pytest.mark.parametrize(("n_rough", "is_rough"), [(0, False), (1, False), (2, True), (4, True)])
def test_an_answer_is_rough_if_most_of_its_passes_are(n_rough: int, *, is_rough: bool) -> None:
    counts = GuessCounts()
    counts.add(StepStats(drafted=0, accepted=0, emitted=1, draft_s=0.0, target_s=1.0, sample_s=0.0))
    for number in range(4):
        step = StepStats(1, 1, 2, 0.1, 1.0, 0.0, origins=("draft",), saved_is_rough=number < n_rough)
        counts.add(step)
    assert counts.is_saving_rough is is_rough

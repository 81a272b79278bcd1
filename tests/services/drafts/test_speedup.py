import pytest

from specchat.services.bench.measured_pairs import MeasuredSpeed
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.drafts.ranking import explain_candidate
from specchat.services.drafts.speedup import (
    MAX_DRAFT_LENGTH,
    ModelCost,
    Relation,
    apply_measurement,
    assumed_acceptance,
    estimate_from_costs,
    estimate_speedup,
)
from specchat.services.models.pair_fit import DraftVerdict


@pytest.mark.parametrize(
    ("cost", "acceptance", "speedup", "length"),
    [
        (0.1, 0.7, 1.98, 4),
        (0.16, 0.7, 1.71, 3),
        (0.1, 0.9, 3.43, 10),
        (0.5, 0.5, 1.0, 1),
        (1.0, 0.7, 0.85, 1),
        (0.0, 1.0, MAX_DRAFT_LENGTH + 1, MAX_DRAFT_LENGTH),
    ],
)
def test_tokens_of_a_pass_over_its_cost(cost: float, acceptance: float, speedup: float, length: int) -> None:
    found = estimate_speedup(cost, acceptance)
    assert found.speedup == pytest.approx(speedup, abs=0.01)
    assert found.draft_length == length
    assert (found.acceptance, found.is_known) == (acceptance, False)


def test_related_models_are_accepted_as_published() -> None:
    """60 to 90 %, with drafts 5 to 10 times smaller and more."""
    assert all(0.6 <= assumed_acceptance(times, Relation.RELATED) <= 0.9 for times in (1, 2, 5, 8, 10, 20))
    falling = [assumed_acceptance(2.0**n, Relation.RELATED) for n in range(12)]
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] >= 0.35


def test_a_tenth_or_so_is_the_best_size() -> None:
    target = ModelCost(8_000_000_000, 4e9)

    def speedup(times: float) -> float:
        draft = ModelCost(round(target.parameters / times), target.read / times)
        return estimate_from_costs(target, draft, Relation.RELATED).speedup

    best = max(range(1, 200), key=speedup)
    assert 8 <= best <= 20
    assert 1.5 < speedup(best) < 3


def test_the_relation_counts() -> None:
    made, related, stranger = (assumed_acceptance(100, relation) for relation in Relation)
    assert made > related > stranger


def test_what_is_known_is_not_assumed() -> None:
    sides = ModelCost(8_000_000_000, 4e9), ModelCost(1_000_000_000, 0.5e9)
    found = estimate_from_costs(*sides, Relation.RELATED, acceptance=0.83)
    assert (found.acceptance, found.is_known) == (0.83, True)
    assert found.speedup > estimate_from_costs(*sides, Relation.RELATED).speedup


def test_of_a_mixture_of_experts_little_is_read() -> None:
    dense, mixture = ModelCost(30_000_000_000, 17e9), ModelCost(30_000_000_000, 2e9)
    draft = ModelCost(600_000_000, 0.6e9)
    gains = [estimate_from_costs(target, draft, Relation.RELATED).speedup for target in (dense, mixture)]
    assert gains[0] > 1.4 > gains[1]


def test_so_tiny_a_target_must_be_measured() -> None:
    """The demo's, for instance: starting its passes takes as long as reading it."""
    tiny, small = ModelCost(11_000_000, 12e6), ModelCost(270_000_000, 290e6)
    draft = ModelCost(1_100_000, 1.2e6)
    assert [estimate_from_costs(target, draft, Relation.RELATED).tiny for target in (tiny, small)] == [True, False]
    found = apply_measurement(
        estimate_from_costs(tiny, draft, Relation.RELATED), MeasuredSpeed(0.93, 0.7, 50.0, "auto", 0.0, "")
    )
    assert (found.speedup, found.measured, found.tiny) == (0.93, True, False)


@pytest.mark.parametrize(
    ("speedup", "tiny", "words"),
    [
        (1.84, False, ": about 1.8× as fast."),
        (1.02, False, ": barely faster."),
        (0.9, False, ": slower than the target alone."),
        (1.84, True, ". Run a benchmark to see how fast it is."),
    ],
)
def test_the_speed_in_words(speedup: float, tiny: bool, words: str) -> None:
    side = ModelCost(1_000_000_000, 1e9)
    found = SpeedupEstimate(speedup, 4, 0.7, is_known=True, tiny=tiny)
    said = explain_candidate(DraftVerdict.IDENTICAL, found, Relation.RELATED, (10, 1), (side, side))
    assert said.endswith(f", same vocabulary, 70 % accepted{words}")

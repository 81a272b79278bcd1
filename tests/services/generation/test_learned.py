import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from specchat.domain.speculation_status import SpeculationOff, speculation_text
from specchat.domain.types import GenerationStats
from specchat.services.generation.pair_profile import PairProfile

Facts = list[Any]
"""Of the target, and of the pair."""


@pytest.fixture
def facts() -> Facts:
    learned = PairProfile()
    for size in (1, 4):
        learned.costs.record_measurement(size, 0.02 * size, 5)
    learned.costs.observe_guess("draft", 0.001)
    learned.calibration("draft", sampled=True).observe([0.9], True)
    learned.record_answer(answer(saved_s=1.0), ["draft"])
    return known(learned)


def known(learned: PairProfile) -> Facts:
    facts = json.loads(json.dumps([learned.target_fact(), learned.fact()]))
    assert isinstance(facts, list)
    return facts


def answer(saved_s: float, n_drafted: int = 40, source: str = "draft") -> GenerationStats:
    """Of ten seconds."""
    return GenerationStats(
        n_generated=31,
        n_drafted=n_drafted,
        n_accepted=n_drafted // 2,
        drafted_per_source={source: n_drafted},
        accepted_per_source={source: n_drafted // 2},
        tokens_per_s=3.0,
        saved_s=saved_s,
    )


def test_what_was_learned_comes_back(facts: Facts) -> None:
    again = PairProfile.from_facts(*facts)
    assert known(again) == facts
    assert again.costs.passes(1) == [0.02]


def test_what_a_pass_takes_is_known_with_another_draft_too(facts: Facts) -> None:
    again = PairProfile.from_facts(facts[0], None)
    assert again.costs.passes(1) == [0.02]
    assert again.costs.guess("draft") is None


def test_what_a_guess_takes_means_nothing_without_the_passes_beside_it(facts: Facts) -> None:
    again = PairProfile.from_facts(None, facts[1])
    assert not again.costs.knows_plain
    assert again.costs.guess("draft") is None
    assert "draft, sampled" in again.calibrations


@pytest.mark.parametrize(
    "damage",
    [
        lambda facts: facts[0].clear(),
        lambda facts: facts[0]["passes"]["8"].update({"1": 0.0}),
        lambda facts: facts[0]["passes"]["8"].update({"one": 0.1}),
        lambda facts: facts[0].pop("switching"),
        lambda facts: facts.__setitem__(0, None),
    ],
)
def test_damaged_passes_are_learned_anew(facts: Facts, damage: Callable[[Any], object]) -> None:
    damage(facts)
    assert not PairProfile.from_facts(*facts).costs.knows_plain


@pytest.mark.parametrize(
    "damage",
    [
        lambda fact: fact["guesses"]["guesses"].update(draft={"8": -1.0}),
        lambda fact: fact["calibrations"]["draft, sampled"]["held"].__setitem__(3, 99.0),
        lambda fact: fact["calibrations"]["draft, sampled"]["held"].pop(),
        lambda fact: fact.pop("answers"),
        lambda fact: fact["answers"][0].update(took_s="long"),
    ],
)
def test_what_is_damaged_of_a_pair_is_learned_anew(facts: Facts, damage: Callable[[Any], object]) -> None:
    damage(facts[1])
    again = PairProfile.from_facts(*facts)
    assert again.costs.knows_plain
    assert again.costs.guess("draft") is None
    assert not again.calibrations


def test_what_a_draft_brings_is_what_it_brought_in_the_latest_answers() -> None:
    learned = PairProfile()
    for saved_s in (90.0, *(10.0 for _ in range(16))):
        learned.record_answer(answer(saved_s), ["draft"])
    taught = learned.observed_speed()
    assert taught is not None
    assert taught.speedup == pytest.approx(2.0)
    assert taught.acceptance == pytest.approx(0.5)
    assert taught.tokens_per_s == pytest.approx(3.1)


def test_what_was_better_not_asked_brought_nothing() -> None:
    learned = PairProfile()
    for _ in range(4):
        learned.record_answer(answer(saved_s=0.0, n_drafted=0), ["draft"])
    taught = learned.observed_speed()
    assert taught is not None
    assert (taught.speedup, taught.acceptance) == (1.0, 0.0)


def test_what_the_text_brought_is_no_merit_of_the_draft() -> None:
    learned = PairProfile()
    for _ in range(4):
        learned.record_answer(answer(saved_s=10.0, source="ngram"), ["draft"])
    taught = learned.observed_speed()
    assert taught is not None
    assert (taught.speedup, taught.acceptance) == (1.0, 0.0)


def test_one_answer_or_two_tell_nothing() -> None:
    learned = PairProfile()
    for _ in range(2):
        assert learned.observed_speed() is None
        learned.record_answer(answer(saved_s=10.0), ["draft"])
    assert learned.observed_speed() is None
    for _ in range(9):
        learned.record_answer(GenerationStats(n_generated=1), ["draft"])
    assert learned.observed_speed() is None, "of a single token nobody knows how long it took"


def test_what_a_busy_computer_took_is_no_measure_of_the_draft() -> None:
    learned = PairProfile()
    for _ in range(5):
        learned.record_answer(replace(answer(saved_s=10.0), saved_is_rough=True), ["draft"])
    assert learned.observed_speed() is None


def test_an_answer_during_which_was_only_measured_is_no_measure_of_the_draft() -> None:
    learned, off = PairProfile(), speculation_text(SpeculationOff.MEASURING)
    for _ in range(5):
        learned.record_answer(replace(answer(saved_s=0.0, n_drafted=0), speculation=off), ["draft"])
    assert learned.observed_speed() is None

import json
from collections.abc import Callable
from typing import Any

import pytest

from specchat.services.generation.learned import Learned


@pytest.fixture
def fact() -> Any:
    learned = Learned()
    for size in (1, 1, 1, 4, 4):
        learned.costs.observe_pass(size, 0.02 * size)
    learned.costs.observe_guess("draft", 0.001)
    learned.calibration("draft", sampled=True).observe([0.9], True)
    return json.loads(json.dumps(learned.fact()))


def test_what_was_learned_comes_back(fact: Any) -> None:
    again = Learned.of(fact)
    assert again is not None
    assert again.fact() == fact
    assert again.costs.passes(1) == [0.02]


@pytest.mark.parametrize(
    "damage",
    [
        lambda fact: fact.clear(),
        lambda fact: fact["costs"]["passes"]["8"].update({"1": 0.0}),
        lambda fact: fact["costs"]["passes"]["8"].update({"one": 0.1}),
        lambda fact: fact["costs"]["guesses"].update(draft={"8": -1.0}),
        lambda fact: fact["costs"].pop("switching"),
        lambda fact: fact["calibrations"]["draft, sampled"]["held"].__setitem__(3, 99.0),
        lambda fact: fact["calibrations"]["draft, sampled"]["held"].pop(),
    ],
)
def test_what_is_damaged_is_learned_anew(fact: Any, damage: Callable[[Any], object]) -> None:
    damage(fact)
    assert Learned.of(fact) is None
    assert Learned.of(None) is None


def learned_with(held: bool | None) -> Learned:
    """A draft twenty times as fast as its target. None: it has guessed nothing yet."""
    learned = Learned()
    for size in (1, 1, 4, 4, 8, 8):
        learned.costs.observe_pass(size, 0.1 + 0.002 * size)
    learned.costs.observe_guess("draft", 0.005)
    if held is not None:
        for _ in range(40):
            for score in (0.3, 0.6, 0.9, 0.99):
                learned.calibration("draft", sampled=False).observe([score], held)
    return learned


def test_what_a_draft_brings_is_told_by_what_was_seen() -> None:
    good, hopeless = (learned_with(held).taught("draft", 16) for held in (True, False))
    assert good is not None
    assert good.speedup > 1.5
    assert good.acceptance > 0.8
    assert good.tokens_per_s == pytest.approx(good.speedup / 0.102)
    assert hopeless is not None
    assert hopeless.speedup == 1.0
    assert hopeless.tokens_per_s == pytest.approx(1 / 0.102)


def test_before_anything_was_guessed_only_a_draft_that_is_too_slow_is_told() -> None:
    learned = learned_with(None)
    assert learned.taught("draft", 16) is None
    assert Learned().taught("draft", 16) is None
    for _ in range(40):
        learned.costs.observe_guess("draft", 0.2)
    slow = learned.taught("draft", 16)
    assert slow is not None
    assert slow.speedup == 1.0

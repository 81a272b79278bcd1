import json
from collections.abc import Callable
from typing import Any

import pytest

from specchat.services.generation.learned import Learned


@pytest.fixture
def fact() -> Any:
    learned = Learned()
    for size in (1, 1, 4, 4):
        learned.costs.observe_pass(size, 0.02 * size)
    learned.costs.observe_guess("draft", 0.001)
    learned.calibration("draft", sampled=True).observe([0.9], True)
    return json.loads(json.dumps(learned.fact()))


def test_what_was_learned_comes_back(fact: Any) -> None:
    again = Learned.of(fact)
    assert again is not None
    assert again.fact() == fact
    assert again.costs.plain() == 0.02


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

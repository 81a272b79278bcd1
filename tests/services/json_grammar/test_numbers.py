"""Every number within the bounds and none beyond, digit by digit."""

from decimal import Decimal
from random import Random

import pytest
from support.grammars import Texts

from specchat.services.json_grammar.numbers import Bounds, integer_alternatives, number_alternatives


def grammar(ways: list[str]) -> Texts:
    return Texts("root ::= " + " | ".join(ways))


@pytest.mark.parametrize("seed", range(30))
def test_whole_numbers(seed: int) -> None:
    random = Random(seed)
    low, high = sorted(random.choice([1, 10, 300]) * random.randint(-12, 12) for _ in range(2))
    above, below = (random.random() < 0.3 for _ in range(2))
    first, last = low + above, high - below
    ways = integer_alternatives(Bounds(Decimal(low), Decimal(high), above, below))
    assert bool(ways) == (first <= last)
    if ways:
        allowed = grammar(ways)
        assert [n for n in range(low - 120, high + 121) if (str(n) in allowed) != (first <= n <= last)] == []
        assert "-0" not in allowed
        assert not allowed.may_begin("00")


@pytest.mark.parametrize("seed", range(30))
def test_decimal_numbers(seed: int) -> None:
    random = Random(seed)
    low, high = sorted(Decimal(random.randint(-400, 400)).scaleb(-random.randint(0, 2)) for _ in range(2))
    bounds = Bounds(low, high, above_low=seed % 3 == 0, below_high=seed % 5 == 0)
    ways = number_alternatives(bounds)
    if not ways:
        assert high - low <= Decimal("0.02")
        return
    allowed = grammar(ways)
    for _ in range(50):
        said = allowed.some(random)
        assert low <= Decimal(said) <= high, said
        assert not (bounds.above_low and Decimal(said) == low)
        assert not (bounds.below_high and Decimal(said) == high)
    for n in range(int(low * 100) - 30, int(high * 100) + 31, 7):
        number = Decimal(n).scaleb(-2)
        inside = (low < number or (number == low and not bounds.above_low)) and (
            number < high or (number == high and not bounds.below_high)
        )
        assert (f"{number:.2f}" in allowed) == (inside and f"{number:.2f}" != "-0.00"), number


def test_only_one_bound() -> None:
    positive = grammar(number_alternatives(Bounds(low=Decimal(0), above_low=True)))
    for text, is_allowed in {
        "0": False,
        "0.0": False,
        "0.01": True,
        "7": True,
        "123456.789": True,
        "-1": False,
    }.items():
        assert (text in positive) == is_allowed, text
    negative = grammar(integer_alternatives(Bounds(high=Decimal(-5))))
    for text, is_allowed in {"-5": True, "-4": False, "-123456789": True, "5": False, "-05": False}.items():
        assert (text in negative) == is_allowed, text

"""Every number within the bounds and none beyond, digit by digit."""

from decimal import Decimal
from random import Random

import pytest
from support.grammars import Texts, json_texts

from specchat.domain.errors import SettingError


def allowed_between(kind: str, low: object, high: object, *, above: bool = False, below: bool = False) -> Texts:
    """`above`, `below`: the bounds themselves are not allowed."""
    least, most = ("exclusiveMinimum" if above else "minimum"), ("exclusiveMaximum" if below else "maximum")
    return json_texts(f'{{"type": "{kind}", "{least}": {low}, "{most}": {high}}}')


@pytest.mark.parametrize("seed", range(30))
def test_whole_numbers(seed: int) -> None:
    random = Random(seed)
    low, high = sorted(random.choice([1, 10, 300]) * random.randint(-12, 12) for _ in range(2))
    above, below = (random.random() < 0.3 for _ in range(2))
    first, last = low + above, high - below
    if first > last:
        with pytest.raises(SettingError, match="JSON schema"):
            allowed_between("integer", low, high, above=above, below=below)
        return
    allowed = allowed_between("integer", low, high, above=above, below=below)
    near = {n for bound in (low, high) for n in range(bound - 120, bound + 121)}
    tried = sorted({*near, *range(low, high, 7)})
    assert [n for n in tried if (str(n) in allowed) != (first <= n <= last)] == []
    assert not allowed.may_begin("00")


@pytest.mark.parametrize("seed", range(30))
def test_decimal_numbers(seed: int) -> None:
    random = Random(seed)
    low, high = sorted(Decimal(random.randint(-400, 400)).scaleb(-random.randint(0, 2)) for _ in range(2))
    above, below = seed % 3 == 0, seed % 5 == 0
    allowed = allowed_between("number", low, high, above=above, below=below)
    for _ in range(50):
        said = allowed.some(random)
        assert low <= Decimal(said) <= high, said
        assert not (above and Decimal(said) == low)
        assert not (below and Decimal(said) == high)
    for n in range(int(low * 100) - 30, int(high * 100) + 31, 7):
        number = Decimal(n).scaleb(-2)
        inside = (low < number or (number == low and not above)) and (number < high or (number == high and not below))
        if f"{number:.2f}" in allowed or not f"{number:.2f}".endswith("0"):
            assert (f"{number:.2f}" in allowed) == inside, number


def test_only_one_bound() -> None:
    positive = json_texts('{"type": "number", "exclusiveMinimum": 0}')
    for text, is_allowed in {
        "0": False,
        "0.0": False,
        "0.01": True,
        "7": True,
        "123456.789": True,
        "-1": False,
    }.items():
        assert (text in positive) == is_allowed, text
    negative = json_texts('{"type": "integer", "maximum": -5}')
    for text, is_allowed in {"-5": True, "-4": False, "-123456789": True, "5": False, "-05": False}.items():
        assert (text in negative) == is_allowed, text

"""Builds grammar alternatives for numbers within bounds, digit by digit."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

_LARGEST = Decimal(10**15 - 1)
_MOST_PLACES = 9
_USUAL_PLACES = 2
_LENGTH = 16
"""Digits that a number has at most."""

_Digits = list[tuple[str, str]]
"""The lowest and the highest at each place."""


@dataclass(frozen=True, slots=True)
class Bounds:
    low: Decimal = -_LARGEST
    high: Decimal = _LARGEST
    above_low: bool = False
    """The number is not the bound itself."""
    below_high: bool = False

    def scaled(self, places: int) -> tuple[int, int]:
        """The first and the last with so many decimal places, as if there were no point."""
        low = min(max(self.low, -_LARGEST), _LARGEST + 1).scaleb(places)
        high = max(min(self.high, _LARGEST), -_LARGEST - 1).scaleb(places)
        first, last = (int(n.to_integral_value(way)) for n, way in ((low, ROUND_CEILING), (high, ROUND_FLOOR)))
        return first + (self.above_low and first == low), last - (self.below_high and last == high)


def integer_alternatives(bounds: Bounds) -> list[str]:
    """Ways to write them; none if there are none."""
    return list(_signed(*bounds.scaled(0), 0))


def number_alternatives(bounds: Bounds) -> list[str]:
    """With up to some decimal places all of them, with more those that are surely between the bounds."""
    places = min(_MOST_PLACES, max(_USUAL_PLACES, _places(bounds.low), _places(bounds.high)))
    ways = [way for n in range(places + 1) for way in _signed(*bounds.scaled(n), n)]
    first, last = bounds.scaled(places)
    more = f"[0-9]{{1,{_LENGTH - places}}}"
    ways += [f"{way} {more}" for way in _magnitudes(max(0, first), last - 1, places)]
    ways += [f'"-" {way} {more}' for way in _magnitudes(max(0, -last), -first - 1, places)]
    return ways


def _places(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _signed(first: int, last: int, places: int) -> Iterator[str]:
    yield from _magnitudes(max(0, first), last, places)
    for way in _magnitudes(max(1, -last), -first, places):
        yield f'"-" {way}'


def _magnitudes(first: int, last: int, places: int) -> Iterator[str]:
    whole_lengths: list[int] = []
    for length in range(places + 1, max(places + 1, len(str(last))) + 1):
        lowest, highest = 10 ** (length - 1) if length > places + 1 else 0, 10**length - 1
        if first <= lowest and highest <= last and lowest:
            whole_lengths.append(length - places - 1)
        elif (low := max(first, lowest)) <= (high := min(last, highest)):
            for digits in _between(str(low).zfill(length), str(high).zfill(length)):
                yield _written(digits, places)
    if whole_lengths:
        point = f' "." [0-9]{{{places}}}' if places else ""
        yield f"[1-9] [0-9]{{{whole_lengths[0]},{whole_lengths[-1]}}}{point}"


def _between(low: str, high: str) -> list[_Digits]:
    """Both are equally long."""
    if not low:
        return [[]]
    if low[0] == high[0]:
        return [[(low[0], low[0]), *rest] for rest in _between(low[1:], high[1:])]
    ways: list[_Digits] = []
    first, last, n_more = int(low[0]), int(high[0]), len(low) - 1
    if low[1:].strip("0"):
        ways += [[(low[0], low[0]), *rest] for rest in _between(low[1:], "9" * n_more)]
        first += 1
    if high[1:].strip("9"):
        ways += [[(high[0], high[0]), *rest] for rest in _between("0" * n_more, high[1:])]
        last -= 1
    if first <= last:
        ways.append([(str(first), str(last)), *[("0", "9")] * n_more])
    return ways


def _written(digits: _Digits, places: int) -> str:
    signs = [f"[{low}-{high}]" for low, high in digits]
    if places:
        signs.insert(len(signs) - places, '"."')
    return " ".join(signs)

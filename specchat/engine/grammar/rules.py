"""The rules of a parsed grammar: alternatives of character sets and references to rules."""

from bisect import bisect_right
from dataclasses import dataclass

HIGHEST = 0x10FFFF


@dataclass(frozen=True, slots=True)
class CharSet:
    """One character out of several."""

    ranges: tuple[tuple[int, int], ...]
    """Ascending, both ends included."""

    def __contains__(self, code: int) -> bool:
        return self.meets(code, code)

    def meets(self, lowest: int, highest: int) -> bool:
        """Whether it has one between these."""
        at = bisect_right(self.ranges, (highest, HIGHEST))
        return at > 0 and lowest <= self.ranges[at - 1][1]


@dataclass(frozen=True, slots=True)
class RuleRef:
    rule: int


Alternative = tuple[CharSet | RuleRef, ...]


@dataclass(frozen=True, slots=True)
class Grammar:
    rules: tuple[tuple[Alternative, ...], ...]
    root: int


def char_set(*ranges: tuple[int, int]) -> CharSet:
    """In any order, overlapping or not."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return CharSet(tuple(merged))


def complement(chars: CharSet) -> CharSet:
    gaps: list[tuple[int, int]] = []
    begin = 0
    for low, high in chars.ranges:
        if begin < low:
            gaps.append((begin, low - 1))
        begin = high + 1
    if begin <= HIGHEST:
        gaps.append((begin, HIGHEST))
    return CharSet(tuple(gaps))

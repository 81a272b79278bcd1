"""An index of the earlier positions of the last few tokens in a growing text.

Each place leads to the one before it whose last two tokens are alike, and to the one whose last four are, as in
compressors: adding a token is a few array accesses, a million tokens take 24 MB, and many at once are added by sorting.
"""

from array import array
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from specchat.engine.tokens import BETWEEN, Tokens, common_prefix

PAIR, FOUR = 2, 4
_PAIR_FACTOR, _FOUR_FACTOR = 0x2545F491, 0x1B873593
"""Odd, and small enough for quick products."""
_SMALLEST_TABLE = 1 << 12
_FEW = 64
_SMALL_SHARE = 1 / 8
"""Below these, adding one by one costs less than sorting all."""
_NOWHERE = -1

_Keys = NDArray[np.uint32]


class SuffixIndex:
    def __init__(self, room: int = 0) -> None:
        """`room`: for so many tokens nothing is ever sorted anew to make place."""
        self._room = room
        self._tokens = array("i")
        self._before_pair, self._before_four = array("i"), array("i")
        self._link()

    def __len__(self) -> int:
        return len(self._tokens)

    @property
    def tokens(self) -> "array[int]":
        return self._tokens

    def extend(self, tokens: Tokens) -> None:
        few = len(tokens) < max(_FEW, _SMALL_SHARE * len(self._tokens))
        if few and len(self._tokens) + len(tokens) <= self._mask:
            self._append(tokens.tolist())
        else:
            self._tokens.frombytes(np.ascontiguousarray(tokens, dtype=np.int32).tobytes())
            self._link()

    def truncate(self, length: int) -> None:
        del self._tokens[length:]
        self._link()

    def drop_first(self, count: int) -> None:
        """The first ones."""
        del self._tokens[:count]
        self._link()

    def common_prefix(self, tokens: Tokens) -> int:
        n = min(len(self._tokens), len(tokens))
        return common_prefix(np.frombuffer(self._tokens, dtype=np.int32, count=n), tokens) if n else 0

    def match_ends(self, recent: Sequence[int]) -> Iterator[int]:
        """Where tokens like the last of `recent` ended and something follows, the latest first.

        Of four alike if there are any, else of two.
        """
        if len(recent) < PAIR:
            return
        third, fourth = recent[-2:]
        pair = third * _PAIR_FACTOR + fourth
        found = False
        if len(recent) >= FOUR:
            first, second = recent[-4:-2]
            four = (first * _PAIR_FACTOR + second) * _FOUR_FACTOR + pair
            for end in self._alike(recent[-FOUR:], self._last_four[four & self._mask], self._before_four):
                found = True
                yield end
        if not found:
            yield from self._alike(recent[-PAIR:], self._last_pair[pair & self._mask], self._before_pair)

    def _alike(self, recent: Sequence[int], last: int, before: "array[int]") -> Iterator[int]:
        tokens, wanted, back = self._tokens, array("i", recent), len(recent) - 1
        end, very_last = last, len(self._tokens) - 1
        while end >= back:
            if end < very_last and tokens[end - back : end + 1] == wanted and tokens[end + 1] != BETWEEN:
                yield end
            end = before[end]

    def _append(self, tokens: Sequence[int]) -> None:
        second, third, last = (0, 0, 0, *self._tokens[-3:])[-3:]
        pair_before, pair = second * _PAIR_FACTOR + third, third * _PAIR_FACTOR + last
        mask, last_pair, last_four = self._mask, self._last_pair, self._last_four
        remember_pair, remember_four = self._before_pair.append, self._before_four.append
        for end, token in enumerate(tokens, start=len(self._tokens)):
            pair_two_before, pair_before = pair_before, pair
            pair = last * _PAIR_FACTOR + token
            slot = pair & mask
            remember_pair(last_pair[slot])
            last_pair[slot] = end
            slot = pair_two_before * _FOUR_FACTOR + pair & mask
            remember_four(last_four[slot])
            last_four[slot] = end
            last = token
        self._tokens.extend(tokens)

    def _link(self) -> None:
        """All anew, with a table as large as the text."""
        size = max(_SMALLEST_TABLE, 1 << max(self._room, len(self._tokens)).bit_length())
        self._mask, mask = size - 1, np.uint32(size - 1)
        pairs = _joined(np.array(self._tokens, dtype=np.int32).view(np.uint32), PAIR // 2, _PAIR_FACTOR)
        fours = _joined(pairs, FOUR // 2, _FOUR_FACTOR)
        self._before_pair, self._last_pair = _chain(pairs & mask, size)
        self._before_four, self._last_four = _chain(fours & mask, size)


def _joined(keys: _Keys, places: int, factor: int) -> _Keys:
    """Each with the one so many places before; what overflows is cut off anyway."""
    joined = keys.copy()
    joined[places:] += keys[:-places] * np.uint32(factor)
    return joined


def _chain(slots: _Keys, size: int) -> "tuple[array[int], array[int]]":
    """For each place the one before with the same slot, and for each slot its last place."""
    places = np.arange(len(slots), dtype=np.int32)
    sorted_slots = slots.astype(np.uint64) << np.uint64(32) | places.astype(np.uint64)
    sorted_slots.sort()
    by_slot = sorted_slots.astype(np.uint32).view(np.int32)
    sorted_slots >>= np.uint64(32)
    same = sorted_slots[1:] == sorted_slots[:-1]
    before, last = (np.full(length, _NOWHERE, dtype=np.int32) for length in (len(slots), size))
    before[by_slot[1:][same]] = by_slot[:-1][same]
    last[slots] = places  # of equal slots the last one stays
    return array("i", before.tobytes()), array("i", last.tobytes())

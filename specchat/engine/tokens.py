"""Token sequences as arrays, so that comparing 32,000 tokens takes microseconds.

The rows of a picture are ids as well: each picture has its own, which count down from `FIRST_PICTURE`, so that texts
with pictures are compared, kept and cut like others. No model and no drafter gets to see them.
"""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int32]

FIRST_PICTURE = -16
"""The ids of rows of pictures are not greater."""
BETWEEN = -1
"""Stands between two texts to guess from; no model emits it."""


def common_prefix(a: Tokens, b: Tokens) -> int:
    n = min(len(a), len(b))
    different = np.flatnonzero(a[:n] != b[:n])
    return int(different[0]) if len(different) else n


def picture_rows(tokens: Tokens) -> list[tuple[int, int]]:
    """Where each picture begins and ends: a run of ids that count down."""
    places = np.flatnonzero(tokens <= FIRST_PICTURE)
    if not len(places):
        return []
    follows = (np.diff(places) == 1) & (np.diff(tokens[places]) == -1)
    begins = places[np.concatenate(([True], ~follows))]
    ends = places[np.concatenate((~follows, [True]))] + 1
    return list(zip(begins.tolist(), ends.tolist(), strict=True))


def without_part_of_picture(tokens: Tokens, length: int) -> int:
    """So many of the first tokens, or fewer, so that they end with no part of a picture."""
    if not 0 < length < len(tokens) or tokens[length] > FIRST_PICTURE:
        return length
    return next((begin for begin, end in picture_rows(tokens) if begin < length < end), length)


def cut(tokens: Tokens, size: int) -> Iterator[tuple[int, int]]:
    """Pieces of so many tokens, pictures whole and by themselves."""
    at = 0
    for begin, end in [*picture_rows(tokens), (len(tokens), len(tokens))]:
        yield from ((start, min(start + size, begin)) for start in range(at, begin, size))
        if begin < end:
            yield begin, end
        at = end


class TokenBuffer:
    """A growing array of tokens."""

    def __init__(self, tokens: Iterable[int] = (), capacity: int = 256) -> None:
        start = np.fromiter(tokens, dtype=np.int32)
        self._array = np.empty(max(capacity, 2 * len(start)), dtype=np.int32)
        self._array[: len(start)] = start
        self._length = len(start)

    def __len__(self) -> int:
        return self._length

    @property
    def view(self) -> Tokens:
        """Read-only: drafters see it."""
        view = self._array[: self._length]
        view.flags.writeable = False
        return view

    def append(self, token: int) -> None:
        if self._length == len(self._array):
            self._array = np.concatenate([self._array, np.empty_like(self._array)])
        self._array[self._length] = token
        self._length += 1

    def truncate(self, length: int) -> None:
        self._length = min(self._length, length)

"""Stores many short byte strings in one block of memory."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

_PREFIX = 8


class StringArray(Sequence[bytes]):
    """`raw` is as the file has it: for each text its length (64 bits, little endian), then its bytes."""

    __slots__ = ("_starts", "raw")

    def __init__(self, raw: bytes, starts: "array[int]") -> None:
        self.raw = raw
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def longest(self) -> int:
        return int(self._lengths().max(initial=0))

    def has_odd_texts(self) -> bool:
        """Empty ones, or some with a zero byte."""
        lengths = self._lengths()
        of_prefixes = sum(int(np.count_nonzero((lengths >> shift) & 0xFF == 0)) for shift in range(0, 8 * _PREFIX, 8))
        return not lengths.all() or self.raw.count(b"\0") > of_prefixes

    def _lengths(self) -> NDArray[np.int64]:
        starts = np.asarray(self._starts, np.int64)
        return np.diff(starts - _PREFIX, append=len(self.raw)) - _PREFIX

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        start = self._starts[index]
        length = int.from_bytes(self.raw[start - _PREFIX : start], "little")
        return self.raw[start : start + length]

    def __iter__(self) -> Iterator[bytes]:
        raw, starts = self.raw, self._starts
        for start, following in pairwise(starts):
            yield raw[start : following - _PREFIX]
        if starts:
            yield raw[starts[-1] :]

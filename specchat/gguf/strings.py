"""Many short texts in one block of memory."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

_PREFIX = 8


class StringArray(Sequence[bytes]):
    """`raw` is as the file has it: for each text its length (64 bits, little endian), then its bytes."""

    __slots__ = ("_starts", "raw")

    def __init__(self, raw: bytes, starts: "array[int]") -> None:
        self.raw = raw
        self._starts = starts

    def __len__(self) -> int:
        return len(self._starts)

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

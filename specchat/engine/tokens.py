"""Token sequences as arrays, so that comparing 32,000 tokens takes microseconds."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Tokens = NDArray[np.int32]


def common_prefix(a: Tokens, b: Tokens) -> int:
    n = min(len(a), len(b))
    different = np.flatnonzero(a[:n] != b[:n])
    return int(different[0]) if len(different) else n


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
        """A read-only view, because drafters get it."""
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

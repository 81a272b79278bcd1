"""Keeps the hidden states of recent tokens until a drafter has read them."""

import numpy as np
from numpy.typing import NDArray

States = NDArray[np.float32]


class StateHistory:
    """Rows of hidden states by their place in the text. The oldest rows are dropped when there are too many."""

    def __init__(self, width: int, capacity: int) -> None:
        self.width = width
        self._capacity = capacity
        self._rows: States = np.empty((2 * capacity, width), dtype=np.float32)
        self.first = self.end = 0
        """The place of the oldest row, and the place after the latest one."""

    def add(self, place: int, count: int) -> States:
        """Returns the array to write the next rows to. Rows that don't directly precede them are dropped."""
        if place != self.end:
            self.first = self.end = place
        if self.end - self.first + count > len(self._rows):
            self._forget_oldest(count)
        start = self.end - self.first
        self.end += count
        return self._rows[start : start + count]

    def rows(self, begin: int, end: int) -> States:
        """Returns a view that the next change invalidates."""
        return self._rows[begin - self.first : end - self.first]

    def has(self, place: int) -> bool:
        return self.first <= place < self.end

    def keep(self, length: int) -> None:
        """Keeps only the rows of the first `length` tokens of the text."""
        self.end = min(self.end, length)
        self.first = min(self.first, self.end)

    def copy_beginning(self, other: "StateHistory", length: int) -> None:
        """Copies the rows of the first `length` tokens of another answer's text, as far as that has them."""
        self.clear()
        first, end = other.first, min(other.end, length)
        if first < end:
            self.add(first, end - first)[:] = other.rows(first, end)

    def clear(self) -> None:
        self.first = self.end = 0

    def _forget_oldest(self, coming: int) -> None:
        kept = max(0, min(self.end - self.first, self._capacity, len(self._rows) - coming))
        self._rows[:kept] = self.rows(self.end - kept, self.end).copy()
        self.first = self.end - kept

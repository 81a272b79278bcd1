"""The sequences of further branches in a context's cache. Answers use them in turns, one answer at a time."""

from collections.abc import Callable
from typing import Any

from specchat.backends.binding import llama


class BranchSequences:
    def __init__(self, memory: Any, first: int, count: int) -> None:
        self._memory = memory
        self._lengths = dict.fromkeys(range(first, first + count), 0)
        """The number of the owner's tokens in each. The others are added when they are needed."""
        self._owner: int | None = None
        """The sequence of the answer whose text they contain."""

    def extend(
        self, owner: int, n_branches: int, length: int, n_tokens: int, position: Callable[[int], int]
    ) -> list[int]:
        """Returns the sequences of so many branches, the owner's first, for a tree of so many tokens after its text.
        `length`: of the text. `position`: of a place in it.
        """
        if self._owner != owner:
            self._owner = owner
            for sequence in self._lengths:
                llama.llama_memory_seq_rm(self._memory, sequence, -1, -1)
            self.forget_all()
        used = list(self._lengths)[: n_branches - 1]
        for sequence in used:
            known = self._lengths[sequence]
            if known < length:
                llama.llama_memory_seq_cp(self._memory, owner, sequence, position(known), -1)
            self._lengths[sequence] = length + n_tokens
        return [owner, *used]

    def keep(self, owner: int, length: int, position: int) -> None:
        """Removes what follows so many tokens of this answer. `position`: of what follows."""
        if self._owner != owner:
            return
        for sequence, known in self._lengths.items():
            if known > length:  # each call searches the whole cache
                llama.llama_memory_seq_rm(self._memory, sequence, position, -1)
                self._lengths[sequence] = length

    def forget_all(self) -> None:
        """The cache no longer contains any of it."""
        self._lengths = dict.fromkeys(self._lengths, 0)

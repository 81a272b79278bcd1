"""What a head computes, for measuring how long that takes."""

import numpy as np

from specchat.domain.cancel import CancelToken
from specchat.domain.ports import Head
from specchat.engine.state_history import States

_USUALLY_READ = 3
"""States before each block."""


class ChainPasses:
    """Of a head that guesses one token after another."""

    def __init__(self, name: str, head: Head, *, encodes: bool) -> None:
        self.name = name
        self._head, self._encodes = head, encodes

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        rows = np.ones((n_tokens, self._head.state_width), dtype=np.float32)
        if self._encodes:
            rows = self._head.encode(rows)
        if not self._head.shares_cache:
            self._head.read(self._place_for(n_tokens), np.zeros(n_tokens, dtype=np.int32), rows, cancel)

    def guess(self, cancel: CancelToken) -> None:
        state: States = np.ones((1, self._head.width), dtype=np.float32)
        self._head.guess(self._place_for(1), np.zeros(1, dtype=np.int32), state, 1, cancel)

    def end(self) -> None:
        self._head.clear()

    def _place_for(self, count: int) -> int:
        if self._head.next_place + count > self._head.n_ctx:
            self.end()
        return self._head.next_place


class BlockPasses:
    """Of a head that makes all guesses at once."""

    def __init__(self, name: str, head: Head) -> None:
        self.name = name
        self._head = head

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        if self._head.next_place + n_tokens + self._head.block_size > self._head.n_ctx:
            self.end()
        rows = np.ones((n_tokens, self._head.state_width), dtype=np.float32)
        self._head.read(self._head.next_place, None, rows, cancel)

    def guess(self, cancel: CancelToken) -> None:
        self.catch_up(_USUALLY_READ, cancel)
        block = np.full(self._head.block_size, self._head.mask, dtype=np.int32)
        place = self._head.next_place
        self._head.guess_block(place, block, cancel)
        self._head.logits_of(self._head.block_size - 1) if not self._head.selector_width else self._head.states()
        self._head.keep(place)

    def end(self) -> None:
        self._head.clear()

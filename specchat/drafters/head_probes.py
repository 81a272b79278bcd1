"""Probes that measure how long a head takes to read and to guess."""

import numpy as np

from specchat.domain.cancel_token import CancelToken
from specchat.domain.head_ports import Head, ParallelHeads
from specchat.engine.state_history import States

_USUALLY_READ = 3
"""The number of states that are usually read before each block."""


class ChainProbe:
    """Probes a head that guesses one token after another."""

    def __init__(self, name: str, head: Head, *, encodes: bool) -> None:
        self.name = name
        self._head, self._encodes = head, encodes

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        rows = np.ones((n_tokens, self._head.state_width), dtype=np.float32)
        if self._encodes:
            rows = self._head.encode(rows, cancel)
        if not self._head.shares_cache:
            self._head.read(self._place_for(n_tokens), np.zeros(n_tokens, dtype=np.int32), rows, cancel)

    def guess(self, cancel: CancelToken) -> None:
        state: States = np.ones((1, self._head.width), dtype=np.float32)
        self._head.guess(self._place_for(1), np.zeros(1, dtype=np.int32), state, 1, cancel)

    def reset(self) -> None:
        self._head.clear()

    def _place_for(self, count: int) -> int:
        if self._head.next_position + count > self._head.n_ctx:
            self.reset()
        return self._head.next_position


class BlockProbe:
    """Probes a head that makes all guesses at once."""

    def __init__(self, name: str, head: Head) -> None:
        self.name = name
        self._head = head

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        if self._head.next_position + n_tokens + self._head.block_size > self._head.n_ctx:
            self.reset()
        rows = np.ones((n_tokens, self._head.state_width), dtype=np.float32)
        self._head.read(self._head.next_position, None, rows, cancel)

    def guess(self, cancel: CancelToken) -> None:
        self.catch_up(_USUALLY_READ, cancel)
        block = np.full(self._head.block_size, self._head.mask_token, dtype=np.int32)
        place = self._head.next_position
        self._head.guess_block(place, block, cancel)
        self._head.logits_of(self._head.block_size - 1) if not self._head.selector_width else self._head.states()
        self._head.keep(place)

    def reset(self) -> None:
        self._head.clear()


class MedusaProbe:
    """Probes heads that read only one state."""

    def __init__(self, name: str, head: ParallelHeads) -> None:
        self.name = name
        self._head = head
        self._state: States = np.ones((1, head.state_width), dtype=np.float32)

    def catch_up(self, n_tokens: int, cancel: CancelToken) -> None:
        """There is nothing to read."""

    def guess(self, cancel: CancelToken) -> None:
        self._head.logits(0, self._state, cancel)

    def reset(self) -> None:
        """There is nothing to forget."""

"""Base class of the drafters that read the hidden states of their target."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from specchat.domain.errors import ComputeError, ContextFullError, DrafterError
from specchat.domain.head_ports import StateReader
from specchat.domain.ports import DraftContext, TokenStates
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure
from specchat.engine.state_history import States
from specchat.engine.tokens import Tokens, common_prefix

_LAG = 32
Rehearsed = Sequence[tuple[float, bool]]


class HeadDrafter(ABC):
    """Before it guesses, reads in one pass the states of all tokens that the target has evaluated since the last guess.

    If some of these states are gone, it starts again with those that are left.
    """

    is_block = False

    def __init__(self, name: str, head: StateReader, last_is_read: bool, columns: slice) -> None:
        """`last_is_read`: the head also reads the latest token, which has no state yet. `columns`: the part of the
        target's states that this head reads, if they contain those of several heads side by side.
        """
        self.name = name
        self._columns = columns
        self._head: StateReader = head
        self._ahead = int(last_is_read)
        self._text = np.empty(head.n_ctx + 1, dtype=np.int32)
        self._n_text = 0
        """The number of tokens that the head's cache depends on."""
        self._n_read = 0
        """The number of tokens whose states the head has read."""
        self._hidden = 0

    @property
    def n_skipped(self) -> int:
        """The number of tokens whose states are gone, so that they can't be read."""
        return 0

    @property
    def usual_lag(self) -> int:
        """The most tokens that are verified in one step; reading their states is a part of guessing."""
        return self._head.n_ctx if self._head.shares_cache else _LAG

    def n_missed(self, context: DraftContext) -> int:
        self._forget_other_text(context.tokens)
        oldest = context.target.states.first if context.target.states is not None else 0
        return len(context.tokens) - max(oldest, self._n_read)

    def restart_with_last(self, context: DraftContext, n_tokens: int) -> None:
        self._clear()
        self._n_read = self._hidden = max(0, len(context.tokens) - 1 - n_tokens)

    @property
    def text(self) -> Tokens:
        """The tokens that the head's state depends on."""
        return self._text[: self._n_text]

    def set_restored_text(self, text: Tokens) -> None:
        """Records that the head's cache was restored to its state after this text."""
        self._n_text, self._hidden = len(text), 0
        self._text[: len(text)] = text
        self._n_read = max(0, len(text) - self._ahead)

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        budget = min(budget, self._head.n_free(len(context.tokens)))
        if budget <= 0 or not self._can_follow(context):
            return Proposal()
        try:
            return self._guess(context, budget)
        except (ComputeError, ContextFullError) as error:
            self._clear()
            raise DrafterError(DrafterFailure(error.message)) from error
        except BaseException:
            self._clear()
            raise

    def follow(self, context: DraftContext) -> None:
        target, tokens = context.target, context.tokens
        if target.states is None or self._head.shares_cache:
            return
        self._forget_other_text(tokens)
        self._skip_forgotten(target.states)
        end = min(len(target.cached), len(tokens) - 1)
        try:
            if self._n_read < end and target.states.has(end - 1):
                self._read(context, end)
        except BaseException:
            self._clear()
            raise

    def observe(self, accepted: int, proposal: Proposal) -> None:
        return

    def rehearse(self, context: DraftContext, count: int) -> Rehearsed:
        if not self._can_follow(context):
            return []
        try:
            return self._rehearse(context, min(count, len(context.tokens) - 2))
        except (ComputeError, ContextFullError) as error:
            self._clear()
            raise DrafterError(DrafterFailure(error.message)) from error
        except BaseException:
            self._clear()
            raise

    @abstractmethod
    def _read(self, context: DraftContext, end: int) -> None:
        """Reads the states of the first `end` tokens that the head has not read yet."""

    @abstractmethod
    def _guess(self, context: DraftContext, budget: int) -> Proposal: ...
    @abstractmethod
    def _rehearse(self, context: DraftContext, count: int) -> Rehearsed: ...

    def _states(self, context: DraftContext, begin: int, end: int) -> States:
        states = context.target.states
        assert states is not None
        return states.rows(begin, end)[:, self._columns]

    def _can_follow(self, context: DraftContext) -> bool:
        """Whether the head can guess now: not after guesses of another source, which have no states yet. A token that
        was accepted on a side branch has states, although the target's cache lacks it.
        """
        tokens, target = context.tokens, context.target
        if target.states is None:
            return False
        if self._head.shares_cache:
            return len(target.cached) == len(tokens) - 1 and target.states.has(len(tokens) - 2)
        self._forget_other_text(tokens)
        self._skip_forgotten(target.states)
        return target.states.has(len(tokens) - 2)

    def _skip_forgotten(self, states: TokenStates) -> None:
        if self._n_read < states.first:
            self._clear()
            self._n_read = self._hidden = states.first

    def _forget_other_text(self, tokens: Tokens) -> None:
        same = common_prefix(self._text[: self._n_text], tokens)
        n_read = min(same - self._ahead, len(tokens) - 1)  # the latest token has no state yet
        if self._n_read <= max(0, n_read):
            return
        if n_read <= self._hidden:
            self._clear()
            return
        self._n_text, self._n_read = n_read + self._ahead, n_read
        self._head.keep(self._n_read + self._offset)

    @property
    def _offset(self) -> int:
        """The distance between the place of a state in the text and its position in the head's cache."""
        return 0

    def _has_read(self, tokens: Tokens, n_rows: int) -> None:
        """Records that the head has read the states of the first `n_rows` of these tokens."""
        n_text = min(n_rows + self._ahead, len(tokens))
        start = min(self._n_text, n_text)
        self._text[start:n_text] = tokens[start:n_text]
        self._n_read, self._n_text = n_rows, n_text

    def _clear(self) -> None:
        self._head.clear()
        self._n_read = self._n_text = self._hidden = 0

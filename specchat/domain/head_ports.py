"""Interfaces of the small networks that guess from their target's hidden states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from specchat.domain.cancel_token import CancelToken
from specchat.domain.heads import HeadKind

if TYPE_CHECKING:
    from specchat.domain.ports import Logits, States, Tokens


class StateReader(Protocol):
    """A small network that guesses from its target's hidden states. Its cache is filled by places in the text."""

    @property
    def kind(self) -> HeadKind: ...
    @property
    def n_ctx(self) -> int: ...
    @property
    def state_width(self) -> int:
        """The total width of the target's states that the head reads."""

    @property
    def shares_cache(self) -> bool:
        """It looks into its target's cache, or into none: it keeps none of its own."""

    def n_free(self, n_tokens: int) -> int:
        """How many guesses there is room for after so many tokens."""

    def keep(self, length: int) -> None:
        """Forget what lies at `length` and beyond."""

    def clear(self) -> None: ...


@runtime_checkable
class ParallelHeads(StateReader, Protocol):
    """Several that look at one state, each for a token of its own."""

    @property
    def n_guesses(self) -> int: ...
    def logits(self, ahead: int, states: States, cancel: CancelToken) -> Logits:
        """A row for each state: of the token so many further ahead than the one that the state told of already."""


class Head(StateReader, Protocol):
    """One that llama.cpp computes."""

    @property
    def width(self) -> int:
        """The width of the states that the head produces."""

    @property
    def n_layers(self) -> int:
        """For one guess each, where there are several."""

    @property
    def next_position(self) -> int:
        """After what its cache holds; that of a shared cache is after its target's text."""

    @property
    def mask_token(self) -> int:
        """Stands for a token that is to be guessed."""

    @property
    def block_size(self) -> int: ...
    @property
    def guesses_anchor(self) -> bool:
        """The first row of a block, whose token is known, says what follows it; otherwise the masked rows do."""

    @property
    def has_confidence(self) -> bool: ...
    @property
    def selector_width(self) -> int:
        """How many candidates each row of a block has, where it has no logits; otherwise 0."""

    def encode(self, states: States, cancel: CancelToken) -> States:
        """Converts the target's states to the head's own representation."""

    def read(self, place: int, tokens: Tokens | None, states: States, cancel: CancelToken) -> None:
        """Reads rows into the cache, starting at `place`. Without tokens, reads only states."""

    def guess(self, place: int, tokens: Tokens, states: States, n_logits: int, cancel: CancelToken) -> Logits:
        """The logits of the last rows, a view that the next call invalidates."""

    def states(self) -> States:
        """The states of the rows of the last `guess` or block; a view that the next call invalidates."""

    def guess_block(self, place: int, tokens: Tokens, cancel: CancelToken) -> None:
        """All rows at once."""

    def logits_of(self, row: int) -> Logits:
        """Of the last block."""

    def choose_layer(self, offset: int) -> None: ...

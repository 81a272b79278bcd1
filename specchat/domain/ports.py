"""What the engine asks of the outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from specchat.domain.cancel import CancelToken
from specchat.domain.types import Event, GenerationRequest, Proposal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Logits = NDArray[np.float32]
    Tokens = NDArray[np.int32]


class LanguageModel(Protocol):
    """A model whose cache is a list of tokens: it grows at the end and shrinks from the end."""

    @property
    def n_vocab(self) -> int: ...
    @property
    def n_ctx(self) -> int: ...
    @property
    def max_batch(self) -> int:
        """The most tokens whose logits one call of `evaluate` can return."""
    @property
    def max_rollback(self) -> int:
        """How many tokens `keep` can surely take back after one `evaluate`; 0: none."""
    @property
    def cached(self) -> Tokens:
        """The tokens in the cache, a view that the next call invalidates."""

    def keep(self, length: int) -> int:
        """Forget all after the first `length` tokens; returns what is left, 0 where that was impossible."""

    def evaluate(self, tokens: Sequence[int], n_logits: int, cancel: CancelToken) -> Logits:
        """Append tokens; the logits after each of the last `n_logits`, a view that the next call invalidates."""

    def is_end(self, token: int) -> bool: ...
    def piece(self, token: int) -> bytes:
        """The bytes this token adds to an answer; control tokens add none."""


class Chooser(Protocol):
    """The sampling of one request: the same noise for target and drafts."""

    def guess(self, logits: Logits, history: Sequence[int]) -> tuple[int, float]:
        """The token that the target would choose if these were its logits, and how sure that is (0 to 1)."""


class DraftContext(Protocol):
    """What a drafter may look at. The target is there for drafters that share its cache or hidden states."""

    @property
    def tokens(self) -> Sequence[int]:
        """Prompt and answer so far; the guess continues them."""
    @property
    def target(self) -> LanguageModel: ...
    @property
    def chooser(self) -> Chooser: ...
    @property
    def cancel(self) -> CancelToken: ...


class Drafter(Protocol):
    @property
    def name(self) -> str:
        """The origin that its tokens carry."""

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        """At most `budget` guesses; none is a good answer."""

    def observe(self, accepted: int, proposal: Proposal) -> None:
        """How many of the last proposal's tokens held."""


class Engine(Protocol):
    """Something that answers: the pair in this process, or one on another machine."""

    def generate(self, request: GenerationRequest, cancel: CancelToken) -> Iterator[Event]: ...

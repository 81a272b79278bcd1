"""What the engine asks of the outside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from specchat.domain.cancel import CancelToken
from specchat.domain.types import Choice, Event, GenerationRequest, Proposal

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

    def evaluate(self, tokens: Tokens, n_logits: int, cancel: CancelToken) -> Logits:
        """Append tokens; the logits after each of the last `n_logits`, a view that the next call invalidates."""

    def evaluate_states(self, tokens: Tokens, cancel: CancelToken) -> Logits:
        """Append tokens; what the model knows after each of them, before it is turned into logits."""

    def is_end(self, token: int) -> bool: ...
    def piece(self, token: int) -> bytes:
        """The bytes this token adds to an answer; control tokens add none."""


class DraftContext(Protocol):
    """What a drafter may look at. The target is there for drafters that share its cache or hidden states."""

    @property
    def tokens(self) -> Tokens:
        """Prompt and answer so far; the guess continues them."""

    @property
    def target(self) -> LanguageModel: ...
    @property
    def cancel(self) -> CancelToken: ...
    def guess(self, logits: Logits, drafted: Sequence[int]) -> Choice:
        """What the target would choose after `tokens` and `drafted` if these were its logits.

        Drafts sampled any other way are accepted less often: this one shares the target's noise and penalties.
        """


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


class Remembers(Protocol):
    """Facts that are costly to find out again."""

    def get(self, key: str) -> object: ...
    def put(self, key: str, value: object) -> None: ...

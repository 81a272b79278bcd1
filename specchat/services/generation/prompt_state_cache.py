"""Saves and restores cache states so that several conversations can share one cache."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from specchat.backends.cached_sequence import CacheState
from specchat.backends.llama_model import LlamaModel
from specchat.engine.tokens import Tokens, common_prefix

MIN_TOKENS = 256
"""Fewer tokens are not stored, because reading them again takes little time."""
MAX_STATES = 4
"""For each slot."""
MAX_BYTES = 512 << 20


class SavableState(Protocol):
    @property
    def state_bytes(self) -> int: ...
    def state(self) -> CacheState: ...
    def restore(self, state: CacheState) -> bool: ...


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    target: CacheState
    drafts: Sequence[CacheState | None]

    @property
    def n_bytes(self) -> int:
        return self.target.data.nbytes + sum(draft.data.nbytes for draft in self.drafts if draft is not None)


class KeptStates:
    """The stored states of all slots: a conversation continues in any of them."""

    def __init__(self, most_bytes: int = MAX_BYTES, n_slots: int = 1) -> None:
        self.most_bytes = most_bytes
        self._most = MAX_STATES * n_slots
        self._kept: list[_Kept] = []
        """The one used last comes last."""

    def __len__(self) -> int:
        return len(self._kept)

    def nearest(self, text: Tokens) -> tuple[_Kept | None, int]:
        """Returns the state that shares most with a text, and how many tokens."""
        nearest = max(self._kept, key=lambda kept: common_prefix(kept.target.tokens, text), default=None)
        return nearest, common_prefix(nearest.target.tokens, text) if nearest is not None else 0

    def add(self, state: _Kept) -> None:
        self._kept.append(state)
        while len(self._kept) > self._most or sum(kept.n_bytes for kept in self._kept) > self.most_bytes:
            del self._kept[0]

    def remove(self, state: _Kept) -> None:
        self._kept.remove(state)


class PromptStateCache:
    """The states of one slot's caches, which it stores with those of others."""

    def __init__(self, target: LlamaModel, drafts: Sequence[SavableState], kept: KeptStates | None = None) -> None:
        self._target = target
        self._drafts = drafts
        self._kept = kept if kept is not None else KeptStates()

    @property
    def n_kept(self) -> int:
        return len(self._kept)

    def longest_prefix(self, text: Tokens) -> int:
        return self._kept.nearest(text)[1]

    def prepare(self, wanted: Tokens) -> None:
        """Prepares the caches for a prompt: keeps them, or restores a stored state that shares much more with it."""
        shared = common_prefix(self._target.cached, wanted)
        found, kept = self._kept.nearest(wanted)
        if kept < shared + MIN_TOKENS:
            found = None
        if found is not None:
            self._kept.remove(found)
        self._keep_unless_used(shared)
        if found is not None:
            self._bring_back(found)

    @property
    def is_worth_keeping(self) -> bool:
        """Whether the text in the cache is long enough to be stored, and there is room for it."""
        if len(self._target.cached) < MIN_TOKENS:
            return False
        return 0 < self._target.state_bytes <= self._kept.most_bytes

    def keep(self) -> None:
        """Stores the caches, which are about to be emptied."""
        self._keep_unless_used(0)

    def _keep_unless_used(self, shared: int) -> None:
        """Stores the caches, unless the new prompt uses most of them anyway."""
        if len(self._target.cached) - shared < max(MIN_TOKENS, shared) or not self.is_worth_keeping:
            return
        drafts = [draft.state() if draft.state_bytes else None for draft in self._drafts]
        self._kept.add(_Kept(self._target.state(), drafts))

    def _bring_back(self, kept: _Kept) -> None:
        self._target.restore(kept.target)
        for draft, state in zip(self._drafts, kept.drafts, strict=True):
            if state is not None:
                draft.restore(state)

"""Saves and restores cache states so that several conversations can share one cache."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from specchat.backends.llama_model import CacheState, LlamaModel
from specchat.engine.tokens import Tokens, common_prefix

MIN_TOKENS = 256
"""Fewer tokens are not stored, because reading them again takes little time."""
MAX_STATES = 4
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


class PromptStateCache:
    def __init__(self, target: LlamaModel, drafts: Sequence[SavableState], most_bytes: int = MAX_BYTES) -> None:
        self._target = target
        self._drafts = drafts
        self._most_bytes = most_bytes
        self._kept: list[_Kept] = []
        """The stored states; the one used last comes last."""

    @property
    def n_kept(self) -> int:
        return len(self._kept)

    def longest_prefix(self, text: Tokens) -> int:
        return max((common_prefix(kept.target.tokens, text) for kept in self._kept), default=0)

    def prepare(self, wanted: Tokens) -> None:
        """Prepares the caches for a prompt: keeps them, or restores a stored state that shares much more with it."""
        shared = common_prefix(self._target.cached, wanted)
        found = self._nearest(wanted, shared + MIN_TOKENS)
        self._keep_unless_used(shared)
        if found is not None:
            self._bring_back(found)

    def _nearest(self, wanted: Tokens, least: int) -> _Kept | None:
        nearest = max(self._kept, key=lambda kept: common_prefix(kept.target.tokens, wanted), default=None)
        if nearest is None or common_prefix(nearest.target.tokens, wanted) < least:
            return None
        self._kept.remove(nearest)
        return nearest

    def _keep_unless_used(self, shared: int) -> None:
        """Stores the caches, unless the new prompt uses most of them anyway."""
        n_cached = len(self._target.cached)
        if n_cached - shared < max(MIN_TOKENS, shared):
            return
        n_bytes = self._target.state_bytes
        if not n_bytes or n_bytes > self._most_bytes:
            return
        drafts = [draft.state() if draft.state_bytes else None for draft in self._drafts]
        self._kept.append(_Kept(self._target.state(), drafts))
        while len(self._kept) > MAX_STATES or sum(kept.n_bytes for kept in self._kept) > self._most_bytes:
            del self._kept[0]

    def _bring_back(self, kept: _Kept) -> None:
        self._target.restore(kept.target)
        for draft, state in zip(self._drafts, kept.drafts, strict=True):
            if state is not None:
                draft.restore(state)

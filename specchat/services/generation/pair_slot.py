"""One answer's part of a loaded pair: its sequences in the caches and its drafters."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

import numpy as np

from specchat.backends.llama_model import LlamaModel
from specchat.domain.errors import BugError
from specchat.drafters import head_drafters
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.speculative import Speculation
from specchat.engine.step_costs import StepCosts
from specchat.engine.tokens import Tokens, common_prefix
from specchat.services.generation.head_state import HeadState, LoadedHead
from specchat.services.generation.pair_profile import PairProfile
from specchat.services.generation.prompt_state_cache import MIN_TOKENS, KeptStates, PromptStateCache, SavableState

_LEAST_KNOWN = 32
"""Fewer common tokens mean nothing, because all chats begin with the same ones."""

CreateSpeculation = Callable[["PairSlot", bool], Speculation]


class PairSlot:
    def __init__(
        self,
        target: LlamaModel,
        draft: LlamaModel | None,
        heads: Sequence[LoadedHead],
        profile: PairProfile,
        costs: StepCosts,
        scheduler: SlotScheduler,
        create: CreateSpeculation,
    ) -> None:
        """`create`: creates the speculation. Its second argument: whether to guess from earlier answers."""
        self.target = target
        self.draft = draft
        self.head_drafters = head_drafters(heads)
        self.head_states = [HeadState(head, self.head_drafters[head.kind.value]) for head in heads]
        self.profile = profile
        self.costs = costs
        self.clock = scheduler.clock
        self.prompt_states: PromptStateCache | None = None
        self._create = create

    @cached_property
    def speculation(self) -> Speculation:
        return self._create(self, True)

    @cached_property
    def client_speculation(self) -> Speculation:
        """Speculation for API clients, which doesn't use the answers of others."""
        return self._create(self, False)

    @property
    def models(self) -> Sequence[LlamaModel]:
        return [self.target] if self.draft is None else [self.target, self.draft]

    def known_of(self, text: Tokens) -> int:
        """Returns how many tokens of the text are in the cache or in a stored prompt state."""
        kept = self.prompt_states.longest_prefix(text) if self.prompt_states is not None else 0
        return max(kept, common_prefix(self.target.cached, text))

    def begin(self, since: int, prompt: Tokens, others: Sequence["PairSlot"]) -> None:
        if self.prompt_states is not None:
            self.prompt_states.prepare(prompt)
        if not self.target.shared.has_streams:
            self._copy_from_others(others, prompt)
        for model in self.models:
            model.in_use, model.since = True, since

    def _copy_from_others(self, others: Sequence["PairSlot"], prompt: Tokens) -> None:
        nearest = _copy_beginning(self.target, [other.target for other in others], prompt)
        for other in others:
            if other.target is nearest:
                for state, known in zip(self.head_states, other.head_states, strict=True):
                    state.copy(known)
        if self.draft is not None:
            _copy_beginning(self.draft, [other.draft for other in others if other.draft is not None], prompt)

    def clear(self) -> None:
        """Empties the caches."""
        for model in self.models:
            model.keep(0)

    @contextmanager
    def emptied(self) -> Iterator[None]:
        """Empties the caches for one answer; their text is stored for the chat that it belongs to."""
        states, self.prompt_states = self.prompt_states, None
        if states is not None:
            states.prepare(np.empty(0, np.int32))
        self.clear()
        try:
            yield
        finally:
            self.clear()
            self.prompt_states = states

    def move_out(self) -> None:
        """Stores an idle text, and empties the caches: passes of another answer look through its cells, too."""
        if self.prompt_states is not None and self.prompt_states.is_worth_keeping:
            for model in self.models:
                model.suspend()

    def end(self) -> None:
        for model in self.models:
            model.release()


def _copy_beginning(model: LlamaModel, others: Sequence[LlamaModel], prompt: Tokens) -> LlamaModel | None:
    """Copies the beginning of the prompt from another answer's cache, if that contains much more of it. Returns that
    answer's model.
    """
    prompt = prompt[: len(prompt) - 1]
    own = common_prefix(model.cached, prompt)
    present = [other for other in others if not other.n_suspended]
    nearest = max(present, key=lambda other: common_prefix(other.cached, prompt), default=None)
    shared = common_prefix(nearest.cached, prompt) if nearest is not None else 0
    if nearest is not None and shared >= own + MIN_TOKENS and nearest.can_share(shared):
        model.copy_beginning(nearest, shared)
        return nearest
    return None


class PairSlots:
    def __init__(self, slots: Sequence[PairSlot]) -> None:
        self.all = slots
        self._n_begun = 0
        self._moves_idle = False

    @property
    def first(self) -> PairSlot:
        return self.all[0]

    @property
    def are_in_use(self) -> bool:
        return any(slot.target.in_use for slot in self.all)

    def keep_prompt_states(
        self, draft_states: Callable[[PairSlot], Sequence[SavableState]], *, moves_idle: bool = False
    ) -> None:
        """`moves_idle`: idle texts are moved out when an answer begins alone, which is quick if the cache is in RAM."""
        self._moves_idle = moves_idle
        kept = KeptStates(n_slots=len(self.all))
        for slot in self.all:
            slot.prompt_states = PromptStateCache(slot.target, draft_states(slot), kept)
            slot.target.before_idle_clear = slot.prompt_states.keep

    def take(self, prompt: Sequence[int]) -> PairSlot:
        """Takes the free slot that knows most of the prompt, or the first: a single client always gets the same one."""
        text = np.array(prompt, dtype=np.int32)
        free = [slot for slot in self.all if not slot.target.in_use]
        if not free:
            raise BugError("more answers at once than slots")
        known = {slot: slot.known_of(text) for slot in free}
        nearest = max(free, key=known.__getitem__)
        if known[nearest] < _LEAST_KNOWN:
            nearest = free[0]
        self._n_begun += 1
        self.first.profile.share_calibrations(nearest.profile)
        others = [slot for slot in self.all if slot is not nearest]
        nearest.begin(self._n_begun, text, others)
        if self._moves_idle and not (nearest.target.shared.has_streams or any(slot.target.in_use for slot in others)):
            for slot in others:
                slot.move_out()
        return nearest

    def give_back(self, slot: PairSlot) -> None:
        slot.end()
        slot.profile.share_calibrations(self.first.profile)

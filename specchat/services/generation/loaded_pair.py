"""A loaded target with its drafters: the engine in this process."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.device_choice import all_on_cpu
from specchat.backends.grammar.token_grammar import GrammarCompiler
from specchat.backends.llama_model import LlamaModel
from specchat.domain.benchmark import AUTO_POLICY
from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Lacks
from specchat.domain.ports import Constraint
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    GenerationEvent,
    GenerationFinished,
    GenerationRequest,
    PairChoice,
    TokenEvent,
)
from specchat.drafters import DrafterSetup
from specchat.drafters.suffix_index import SuffixIndex
from specchat.drafters.token_map import TokenMap
from specchat.engine.selftest import SelfTestResult
from specchat.engine.shared_selftest import SharingResult, run_sharing_test
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.speculative import Generation, NoSpeculation, Speculation, check_prompt
from specchat.engine.step_costs import SlotCosts
from specchat.services.answers.call_derivation import (
    NO_TOOLS,
    UnknownCallFormatError,
    derive_call_format,
    unknown_format_error,
)
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.reasoning_switch import reasoning_lacks
from specchat.services.generation.answer_history import AnswerHistory
from specchat.services.generation.drafter_choice import draft_origin
from specchat.services.generation.head_state import LoadedHead
from specchat.services.generation.pair_profile import PairProfile
from specchat.services.generation.pair_slot import PairSlot, PairSlots
from specchat.services.generation.prompt_builder import PromptBuilder
from specchat.services.generation.prompt_state_cache import SavableState
from specchat.services.generation.speculation_factory import make_speculation

if TYPE_CHECKING:
    pass


class LoadedPair:
    def __init__(
        self,
        choice: PairChoice,
        target: LlamaModel,
        draft: LlamaModel | None,
        template: ChatTemplate,
        selftest: SelfTestResult | None,
        learned: PairProfile | None = None,
        remember: Callable[[], None] = lambda: None,
        heads: Sequence[LoadedHead] = (),
        token_map: TokenMap | None = None,
        n_slots: int = 1,
        slots_reason: str = "",
    ) -> None:
        """`remember`: stores what the pair has learned; called after each answer. `token_map`: for a draft with a
        different vocabulary. `n_slots`: simultaneous answers. `slots_reason`: why there are fewer than requested.
        """
        self.choice = choice
        self.target = target
        self.draft = draft
        self.heads = heads
        self._token_map = token_map
        self.template = template
        self.selftest = selftest
        self.prompts = PromptBuilder(target, template, choice.target.name)
        self.answer_history = AnswerHistory()
        self.profile = learned or PairProfile()
        self.n_slots, self.slots_reason = n_slots, slots_reason
        self.scheduler = SlotScheduler()
        self._remember = remember
        if selftest is not None and selftest.exact:
            target.max_batch = min(target.max_batch, selftest.max_batch)
            target.max_branches = min(target.max_branches, selftest.max_branches)
            target.shared.max_rows = selftest.max_batch
        elif selftest is not None:  # exactness is not guaranteed
            target.shared.least_piece = 1
        self._grammars = GrammarCompiler(target, target.vocabulary.tokenize_on)
        self._longest = min(target.max_batch - 1, target.max_rollback)
        """The maximum number of guesses in a pass while only one answer is written."""
        self.slots = PairSlots(self._make_slots())
        self.speculation = self.slots.first.speculation

    def _make_slots(self) -> list[PairSlot]:
        scheduler, target, draft = self.scheduler, self.target, self.draft
        costs = self.profile.costs
        if self.n_slots == 1:
            target.release()
            if draft is not None:
                draft.release()
            return [PairSlot(target, draft, self.heads, self.profile, costs, scheduler, self._create_for)]
        scheduler.relative_s = costs.relative
        targets = target.add_slots(self.n_slots, scheduler)
        drafts = draft.add_slots(self.n_slots, scheduler) if draft is not None else [None] * self.n_slots
        slots_of_heads = [head.add_slots(targets) for head in self.heads]
        heads_by_slot = [[slots[i] for slots in slots_of_heads] for i in range(self.n_slots)]
        profiles = [self.profile, *(self.profile.for_another_slot() for _ in targets[1:])]
        return [
            PairSlot(*each, SlotCosts(costs, scheduler), scheduler, self._create_for)
            for each in zip(targets, drafts, heads_by_slot, profiles, strict=True)
        ]

    def _create_for(self, slot: PairSlot, remembers: bool) -> Speculation:
        past = self.answer_history.index if remembers else None
        return self._create(slot, self.choice, past, AUTO_POLICY)

    def test_sharing(self, cancel: CancelToken) -> SharingResult:
        """Tests how answers can share passes in exact mode."""
        return run_sharing_test([slot.target for slot in self.slots.all], self.scheduler, cancel)

    def keep_prompt_states(self) -> None:
        """Keeps prompt states, for conversations that take turns."""
        settings = self.choice.target_settings
        self.slots.keep_prompt_states(self.draft_states, moves_idle=all_on_cpu(settings))

    @property
    def call_format(self) -> CallFormat:
        """The target's tool call format. Raises a SettingError if it can't be derived from the template."""
        found = self._call_format
        if isinstance(found, UnknownCallFormatError):
            raise found.with_traceback(None)
        return found

    @cached_property
    def _call_format(self) -> CallFormat | UnknownCallFormatError:
        """The format or the error, derived only once, because this renders the template many times."""
        if not self.template.shows_tools:
            return unknown_format_error(NO_TOOLS)
        vocabulary = self.target.vocabulary
        ends = [vocabulary.text(token) for token in vocabulary.end_tokens]
        try:
            return derive_call_format(lambda messages, tools: self.template.render(messages, tools=tools), ends)
        except UnknownCallFormatError as error:
            return error

    @property
    def lacks(self) -> Lacks:
        return reasoning_lacks(self.template.tells_apart)

    def create_speculation(
        self, draft_type: str, draft_max: int | None, past: SuffixIndex | None = None, policy: str = AUTO_POLICY
    ) -> Speculation:
        """Creates speculation that uses the loaded models. It keeps what it learns as long as it exists.

        Without `past`, it doesn't guess from earlier answers.
        """
        choice = replace(self.choice, draft_type=draft_type, draft_max=draft_max)
        return self._create(self.slots.first, choice, past, policy)

    def _create(self, slot: PairSlot, choice: PairChoice, past: SuffixIndex | None, policy: str) -> Speculation:
        vocabulary = self.target.vocabulary
        setup = DrafterSetup(
            target=slot.target,
            tokenize=lambda text: vocabulary.tokenize(text, add_special=False, parse_special=False),
            draft=slot.draft,
            token_map=self._token_map,
            options=choice.drafter_options,
            past=past,
            heads=slot.head_drafters,
        )
        return make_speculation(choice, slot, setup, policy, self._longest)

    def draft_states(self, slot: PairSlot) -> Sequence[SavableState]:
        """Returns the states of the drafts, which are stored with the target's cache."""
        return [*([slot.draft] if slot.draft is not None else []), *slot.head_states]

    @property
    def has_draft(self) -> bool:
        """Whether there is a draft: a model, a head from its own file, or MTP layers of the target."""
        return self.draft is not None or bool(self.heads)

    @property
    def draft_names(self) -> Sequence[str]:
        """The origins of the drafts' tokens, without earlier text."""
        of_heads = [head.kind.value for head in self.heads]
        return [*([draft_origin(self.choice)] if self.draft is not None else []), *of_heads]

    def generate(
        self,
        request: GenerationRequest,
        cancel: CancelToken,
        speculation: Speculation | None = None,
        *,
        remembers: bool = True,
    ) -> Generator[GenerationEvent, None, None]:
        """`speculation`: used instead of the pair's own; it must belong to the first slot. Later answers don't guess
        from such an answer, nor from one with `remembers` false.
        """
        check_prompt(request.prompt, self.target)
        answer: list[int] = []
        slot = self.slots.take(request.prompt)
        try:
            who = speculation or (slot.speculation if remembers else slot.client_speculation)
            remembers = remembers and speculation is None
            generation = Generation(slot.target, request, who, slot.costs, cancel, slot.clock, wall=time.perf_counter)
            for event in generation.events():
                if isinstance(event, TokenEvent):
                    answer.append(event.token)
                elif isinstance(event, GenerationFinished) and remembers:
                    self.profile.record_answer(event.stats, self.draft_names)
                yield event
        finally:
            self.slots.give_back(slot)
            if remembers:
                self.answer_history.add(answer)
            self._remember()

    def generate_alone(
        self, request: GenerationRequest, cancel: CancelToken, *, speculates: bool
    ) -> Generator[GenerationEvent, None, None]:
        """Generates an answer that profits from no other one, and no other from it."""
        without = None if speculates else NoSpeculation(SpeculationOff.SWITCHED_OFF)
        with self.slots.first.emptied():
            yield from self.generate(request, cancel, without, remembers=False)

    def usual_pass_s(self) -> float:
        """Of one row of the answer that runs now, and those of others; 0: not known yet."""
        costs = self.profile.costs
        return costs.usual(1 + self.scheduler.n_rows_of_others) if costs.knows_plain else 0.0

    def find_control_texts(self, texts: Sequence[str]) -> list[str]:
        """Returns the control tokens' texts that occur in the given texts."""
        controls = self.target.vocabulary.control_texts
        return list(dict.fromkeys(text[start:end] for text in texts for start, end in controls.spans(text)))

    def find_marker_tokens(self, texts: Sequence[str]) -> dict[int, bytes]:
        """Returns the control tokens among these texts, each with its text."""
        tokens = [self.prompts.tokenize_form(text) for text in texts]
        alone = {found[0]: text.encode() for found, text in zip(tokens, texts, strict=True) if len(found) == 1}
        return {token: text for token, text in alone.items() if not self.target.piece(token)}

    def create_constraint(self, grammar: str, markers: Mapping[int, bytes]) -> Constraint:
        """Creates a constraint for one answer."""
        return self._grammars.constraint(grammar, markers)

    def close(self) -> None:
        self.template.close()
        for model in (self.draft, *self.heads, self.target):
            if model is not None:
                model.close()

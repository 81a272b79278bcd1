"""A loaded target with its drafters: the engine in this process."""

import json
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.device_choice import all_on_cpu
from specchat.backends.grammar.token_grammar import GrammarCompiler
from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.backends.media_markers import MediaMarkers
from specchat.backends.prompt_tokens import tokenize_prompt, tokenize_with_rows
from specchat.backends.shielding import PromptText
from specchat.domain.benchmark import AUTO_POLICY, CHAIN_POLICY, TREE_POLICY
from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Lacks
from specchat.domain.drafter_types import AUTO, EARLY_EXIT, MODEL
from specchat.domain.errors import IncapableError, TemplateError
from specchat.domain.media import Media
from specchat.domain.ports import Constraint, Drafter, LanguageModel
from specchat.domain.recording_errors import require_length
from specchat.domain.recordings import Recording
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    LOOKAHEAD,
    NGRAM,
    GenerationEvent,
    GenerationFinished,
    GenerationRequest,
    Message,
    PairChoice,
    TokenEvent,
    Tool,
)
from specchat.drafters import DrafterSetup, make_drafter
from specchat.drafters.grammar_drafter import GrammarDrafter
from specchat.drafters.lookahead_drafter import LookaheadDrafter
from specchat.drafters.suffix_index import SuffixIndex
from specchat.drafters.token_map import TokenMap
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.draft_sources import DraftSource
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.lookahead_strategy import LookaheadStrategy
from specchat.engine.selftest import SelfTestResult
from specchat.engine.shared_selftest import SharingResult, run_sharing_test
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.speculative import Generation, NoSpeculation, Speculation, check_prompt
from specchat.engine.step_costs import SlotCosts
from specchat.engine.stop_rule_strategy import StopRuleStrategy
from specchat.engine.stop_rules import STOP_RULES, make_stop_rule
from specchat.engine.tokens import FIRST_PICTURE
from specchat.services.answers.call_derivation import (
    NO_TOOLS,
    UnknownCallFormatError,
    derive_call_format,
    unknown_format_error,
)
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.reasoning_switch import reasoning_lacks
from specchat.services.generation.answer_history import AnswerHistory
from specchat.services.generation.drafter_choice import draft_origin, drafter_name, speculation_off_reason
from specchat.services.generation.head_state import LoadedHead
from specchat.services.generation.pair_profile import PairProfile
from specchat.services.generation.pair_slot import PairSlot, PairSlots
from specchat.services.generation.prompt_state_cache import SavableState
from specchat.services.models.mmproj_lookup import read_projector

if TYPE_CHECKING:
    from specchat.gguf.projector import Projector


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
        self.answer_history = AnswerHistory()
        self.profile = learned or PairProfile()
        self.n_slots, self.slots_reason = n_slots, slots_reason
        self.scheduler = SlotScheduler()
        self._markers = MediaMarkers()
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
        return _speculation(choice, slot, setup, policy, self._longest)

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

    def tokenize(self, text: str) -> tuple[int, ...]:
        """Tokenizes a raw prompt, in which control tokens are recognized."""
        vocabulary = self.target.vocabulary
        return tuple(vocabulary.tokenize(text, add_special=True, parse_special=True))

    def tokenize_text(self, text: str) -> tuple[int, ...]:
        """Tokenizes text that a model wrote: markers that models show, such as <|channel|> of gpt-oss, stay markers."""
        return tuple(self.target.vocabulary.tokenize(text, add_special=False, parse_special=False)) if text else ()

    def tokenize_literally(self, text: str) -> tuple[int, ...]:
        """Tokenizes text of others, in which all markers stay text."""
        return tuple(self.target.vocabulary.tokenize_literally(text)) if text else ()

    def tokenize_form(self, text: str) -> Sequence[int]:
        """Tokenizes a part of an answer, in which control tokens are recognized."""
        return self.target.vocabulary.tokenize(text, add_special=False, parse_special=True)

    def count_tokens(self, text: str) -> int:
        return len(self.tokenize_text(text))

    def find_control_texts(self, texts: Sequence[str]) -> list[str]:
        """Returns the control tokens' texts that occur in the given texts."""
        controls = self.target.vocabulary.control_texts
        return list(dict.fromkeys(text[start:end] for text in texts for start, end in controls.spans(text)))

    def find_marker_tokens(self, texts: Sequence[str]) -> dict[int, bytes]:
        """Returns the control tokens among these texts, each with its text."""
        tokens = [self.tokenize_form(text) for text in texts]
        alone = {found[0]: text.encode() for found, text in zip(tokens, texts, strict=True) if len(found) == 1}
        return {token: text for token, text in alone.items() if not self.target.piece(token)}

    def create_constraint(self, grammar: str, markers: Mapping[int, bytes]) -> Constraint:
        """Creates a constraint for one answer."""
        return self._grammars.constraint(grammar, markers)

    def build_prompt(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> tuple[int, ...]:
        vocabulary = self.target.vocabulary
        prompt = self._render(messages, tools, variables)
        if not any(message.media for message in messages):
            return tuple(tokenize_prompt(vocabulary, prompt))
        texts, media = self._markers.split(prompt, messages)
        tokens = tokenize_with_rows(vocabulary, texts, list(map(self._media_tokens, media)))
        if tokens[-1] <= FIRST_PICTURE:
            raise TemplateError(
                "The model's chat template ends with the picture or recording.", "Choose another model."
            )
        return tuple(tokens)

    def render(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> str:
        """The same as text."""
        return self._markers.shown(self._render(messages, tools, variables).text)

    def _render(
        self, messages: Sequence[Message], tools: Sequence[Tool] | None, variables: Mapping[str, object] | None
    ) -> PromptText:
        for message in messages:
            for each in message.media:
                self._require_encoder(each)
        return self.template.prompt(self._markers.mark(messages), tools=tools, variables=variables)

    @property
    def sees_pictures(self) -> bool:
        return self._projector is not None and self._projector.sees

    @property
    def hears_recordings(self) -> bool:
        return self._projector is not None and self._projector.hears

    @cached_property
    def _projector(self) -> "Projector | None":
        encoder = self.target.shared.media
        return read_projector(encoder.path) if encoder is not None else None

    def count_message(self, message: Message) -> int:
        """Its text, its pictures and its recordings."""
        media = list(map(self._media_tokens, message.media))
        calls = sum(self.count_tokens(call.name + call.arguments) for call in message.tool_calls)
        return self.count_tokens(message.content) + calls + sum(map(len, media))

    def count_tool(self, tool: Tool) -> int:
        """Its description."""
        return self.count_tokens(json.dumps(tool, ensure_ascii=False))

    def _media_tokens(self, media: Media) -> tuple[int, ...]:
        return self._require_encoder(media).tokens(media)

    def _require_encoder(self, media: Media) -> MediaEncoder:
        encoder, projector, name = self.target.shared.media, self._projector, self.choice.target.name
        if isinstance(media, Recording):
            if encoder is None or projector is None or not projector.hears:
                raise IncapableError(
                    "{name} can't hear recordings.",
                    "Load it with its mmproj file (--mmproj), or choose a model that has one.",
                    name=name,
                )
            require_length(media, projector.most_seconds, name)
        elif encoder is None or projector is None or not projector.sees:
            raise IncapableError(
                "{name} can't see pictures.",
                "Load it with its mmproj file (--mmproj), or choose a model that has one.",
                name=name,
            )
        return encoder

    def close(self) -> None:
        self.template.close()
        for model in (self.draft, *self.heads, self.target):
            if model is not None:
                model.close()


def _speculation(choice: PairChoice, slot: PairSlot, setup: DrafterSetup, policy: str, longest: int) -> Speculation:
    target, learned, costs = slot.target, slot.profile, slot.costs
    name = drafter_name(choice)
    draft = setup.draft if name in (MODEL, EARLY_EXIT) else None
    reason = speculation_off_reason(choice) or _why_not_with(target, draft)
    if name is None or reason is not None:
        return NoSpeculation(reason or SpeculationOff.NO_DRAFT)
    if name == LOOKAHEAD:
        if target.max_branches_alone == 1:
            return NoSpeculation(SpeculationOff.ONE_BRANCH)
        return LookaheadStrategy(LookaheadDrafter(), choice.draft_max, learned.costs)
    if choice.draft_max is not None:
        return FixedLengthStrategy(make_drafter(name, setup), choice.draft_max, costs, branches=policy == TREE_POLICY)
    if policy in STOP_RULES:
        return StopRuleStrategy(make_drafter(name, setup), make_stop_rule(policy), costs)

    def source(drafter: Drafter) -> DraftSource:
        greedy, sampled = (learned.calibration(drafter.name, sampled=sampled) for sampled in (False, True))
        return DraftSource(drafter, greedy, sampled)

    is_auto = choice.draft_type == AUTO
    is_free = is_auto or name == NGRAM
    names = [] if name == NGRAM else [name]
    if is_auto:
        names = [*([MODEL] if setup.draft is not None else []), *setup.heads]
    return AutoStrategy(
        costs,
        longest=longest,
        text=source(make_drafter(NGRAM, setup)) if is_free else None,
        drafts=[source(make_drafter(each, setup)) for each in names],
        clock=slot.clock,
        grammar=source(GrammarDrafter()) if is_free else None,
        branches=policy != CHAIN_POLICY,
    )


def _why_not_with(target: LanguageModel, draft: LanguageModel | None) -> SpeculationOff | None:
    if target.max_rollback == 0:
        return SpeculationOff.RECURRENT_TARGET
    if draft is not None and draft.max_rollback < draft.n_ctx:
        return SpeculationOff.RECURRENT_DRAFT
    return None

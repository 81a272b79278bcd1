"""A loaded target with whoever guesses for it: the engine in this process."""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import CacheState, LlamaModel
from specchat.backends.prompt_tokens import prompt_tokens
from specchat.domain.cancel import CancelToken
from specchat.domain.guessing import Off
from specchat.domain.ports import Constraint
from specchat.domain.serving import Tool
from specchat.domain.types import NGRAM, Event, Finished, GenerationRequest, Message, PairChoice, TokenEvent
from specchat.drafters import DrafterSetup, head_drafters, make_drafter
from specchat.drafters.draft_model import DraftModel
from specchat.drafters.head_drafter import HeadDrafter
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.auto import Auto
from specchat.engine.fixed import FixedLength
from specchat.engine.grammar.gbnf import read_grammar
from specchat.engine.grammar.tokens import TokenGrammar, TokenTable
from specchat.engine.selftest import SelfTest
from specchat.engine.sources import Source
from specchat.engine.speculative import Generation, NoGuessing, Speculation
from specchat.services.generation.guesser import drafts, guesser, why_nobody_guesses
from specchat.services.generation.learned import Learned
from specchat.services.generation.past import PastAnswers
from specchat.services.generation.prompt_states import KeepsState, PromptStates

_GRAMMARS_KEPT = 4


class LoadedPair:
    def __init__(
        self,
        choice: PairChoice,
        target: LlamaModel,
        draft: LlamaModel | None,
        template: ChatTemplate,
        selftest: SelfTest | None,
        learned: Learned | None = None,
        remember: Callable[[], None] = lambda: None,
        heads: Sequence[LlamaHead] = (),
    ) -> None:
        """`remember`: what the pair has learned, after each answer."""
        self.choice = choice
        self.target = target
        self.draft = draft
        self.heads = heads
        self.head_drafters = head_drafters(heads)
        self.template = template
        self.selftest = selftest
        self.past = PastAnswers()
        self.states: PromptStates | None = None
        """To be set where several conversations go on by turns."""
        self.learned = learned or Learned()
        self._remember = remember
        if selftest is not None and selftest.exact:
            target.max_batch = min(target.max_batch, selftest.max_batch)
        table = TokenTable(target)
        self._token_grammar = lru_cache(_GRAMMARS_KEPT)(
            lambda grammar, markers: TokenGrammar(read_grammar(grammar), table, dict(markers))
        )
        self.speculation = self.speculating(choice.draft_type, choice.draft_max, self.past.index)

    @cached_property
    def speculation_for_others(self) -> Speculation:
        """The pair's own, but for what it was told before."""
        return self.speculating(self.choice.draft_type, self.choice.draft_max)

    def speculating(self, draft_type: str, draft_max: int | None, past: SuffixIndex | None = None) -> Speculation:
        """With these models, as far as they were loaded for it. Keeps what it learns for as long as it is used.

        Without `past`, nothing is guessed from earlier answers.
        """
        choice = replace(self.choice, draft_type=draft_type, draft_max=draft_max)
        return _speculation(choice, self.target, self.draft, self.head_drafters, self.learned, past)

    @property
    def draft_states(self) -> Sequence[KeepsState]:
        """What its drafts have read, to be kept with the target's cache."""
        of_heads = [HeadState(head, self.head_drafters[head.kind.value]) for head in self.heads]
        return [*([self.draft] if self.draft is not None else []), *of_heads]

    @property
    def has_draft(self) -> bool:
        """A model or a head from a file of its own, or layers of the target's."""
        return self.draft is not None or bool(self.heads)

    @property
    def draft_names(self) -> Sequence[str]:
        """What their tokens carry, besides those from the text."""
        return [*([DraftModel.name] if self.draft is not None else []), *self.head_drafters]

    def generate(
        self, request: GenerationRequest, cancel: CancelToken, speculation: Speculation | None = None
    ) -> Generator[Event, None, None]:
        """`speculation`: instead of the pair's own. The answer is not guessed from later, then."""
        who = speculation or self.speculation
        generation = Generation(self.target, request, who, self.learned.costs, cancel)
        if self.states is not None:
            self.states.prepare(request.prompt)
        answer: list[int] = []
        try:
            for event in generation.events():
                if isinstance(event, TokenEvent):
                    answer.append(event.token)
                elif isinstance(event, Finished) and speculation is None:
                    self.learned.answered(event.stats, self.draft_names)
                yield event
        finally:
            if speculation is None:
                self.past.add(answer)
            self._remember()

    def tokenize(self, text: str) -> tuple[int, ...]:
        """A raw prompt: markers in it are markers."""
        vocabulary = self.target.vocabulary
        return tuple(vocabulary.tokenize(text, add_special=True, parse_special=True))

    def text_tokens(self, text: str) -> tuple[int, ...]:
        """Markers in it are ordinary text."""
        return tuple(self.target.vocabulary.tokenize(text, add_special=False, parse_special=False)) if text else ()

    def size(self, text: str) -> int:
        return len(self.text_tokens(text))

    def markers(self, texts: Sequence[str]) -> dict[int, bytes]:
        """Those that are control tokens, with their texts."""
        tokens = [self.target.vocabulary.tokenize(text, add_special=False, parse_special=True) for text in texts]
        alone = {found[0]: text.encode() for found, text in zip(tokens, texts, strict=True) if len(found) == 1}
        return {token: text for token, text in alone.items() if not self.target.piece(token)}

    def constraint(
        self, grammar: str, markers: Mapping[int, bytes], check: Callable[[], None] = lambda: None
    ) -> Constraint:
        """Good for one answer. `check`, called now and then, may raise what ends it."""
        return self._token_grammar(grammar, tuple(markers.items())).begin(check)

    def prompt(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> tuple[int, ...]:
        prompt = self.template.prompt(messages, tools=tools, variables=variables)
        return tuple(prompt_tokens(self.target.vocabulary, prompt))

    def close(self) -> None:
        self.template.close()
        for model in (self.draft, *self.heads, self.target):
            if model is not None:
                model.close()


@dataclass(frozen=True, slots=True)
class HeadState:
    """The head's cache, with the text that it was read from."""

    head: LlamaHead
    drafter: HeadDrafter

    @property
    def state_bytes(self) -> int:
        return self.head.state_bytes

    def state(self) -> CacheState:
        return self.head.state(self.drafter.text)

    def restore(self, state: CacheState) -> bool:
        is_back = self.head.restore(state)
        self.drafter.restored(state.tokens if is_back else state.tokens[:0])
        return is_back


def _speculation(
    choice: PairChoice,
    target: LlamaModel,
    draft: LlamaModel | None,
    heads: Mapping[str, HeadDrafter],
    learned: Learned,
    past: SuffixIndex | None,
) -> Speculation:
    name = guesser(choice)
    reason = why_nobody_guesses(choice) or _why_not_with(target, draft if name == "model" else None)
    if name is None or reason is not None:
        return NoGuessing(reason or Off.NO_DRAFT)
    setup = DrafterSetup(
        target=target,
        tokenize=lambda text: target.vocabulary.tokenize(text, add_special=False, parse_special=False),
        draft=draft,
        options=choice.drafter_options,
        past=past,
        heads=heads,
    )
    if choice.draft_max is not None:
        return FixedLength(make_drafter(name, setup), choice.draft_max, learned.costs)

    def source(name: str) -> Source:
        drafter = make_drafter(name, setup)
        greedy, sampled = (learned.calibration(drafter.name, sampled=sampled) for sampled in (False, True))
        return Source(drafter, greedy, sampled)

    looks_back = name == NGRAM or choice.draft_type == "auto"
    return Auto(
        learned.costs,
        longest=min(target.max_batch - 1, target.max_rollback),
        text=source(NGRAM) if looks_back else None,
        drafts=list(map(source, drafts(choice))),
    )


def _why_not_with(target: LlamaModel, draft: LlamaModel | None) -> Off | None:
    if target.max_rollback == 0:
        return Off.RECURRENT_TARGET
    if draft is not None and draft.max_rollback < draft.n_ctx:
        return Off.RECURRENT_DRAFT
    return None

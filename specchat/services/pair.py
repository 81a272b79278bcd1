"""A loaded target with whoever guesses for it: the engine in this process."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel import CancelToken
from specchat.domain.types import Event, GenerationRequest, Message, PairChoice
from specchat.drafters import DrafterSetup, make_drafter
from specchat.engine.costs import PassCosts
from specchat.engine.draft_length import AdaptiveLength, DraftLength, FixedLength
from specchat.engine.selftest import SelfTest
from specchat.engine.speculative import Generation, Guessing, NoGuessing, Speculation
from specchat.services.guesser import guesser, why_nobody_guesses


class LoadedPair:
    def __init__(
        self,
        choice: PairChoice,
        target: LlamaModel,
        draft: LlamaModel | None,
        template: ChatTemplate,
        selftest: SelfTest | None,
    ) -> None:
        self.choice = choice
        self.target = target
        self.draft = draft
        self.template = template
        self.selftest = selftest
        self._costs = PassCosts()
        if selftest is not None and selftest.exact:
            target.max_batch = min(target.max_batch, selftest.max_batch)
        self.speculation = self.speculating(choice.draft_type, choice.draft_max)

    def speculating(self, draft_type: str, draft_max: int | None) -> Speculation:
        """With these models, as far as they were loaded for it. Keeps what it learns for as long as it is used."""
        choice = replace(self.choice, draft_type=draft_type, draft_max=draft_max)
        return _speculation(choice, self.target, self.draft, self._costs)

    def generate(
        self, request: GenerationRequest, cancel: CancelToken, speculation: Speculation | None = None
    ) -> Iterator[Event]:
        """`speculation`: another than the pair's own."""
        return Generation(self.target, request, speculation or self.speculation, self._costs, cancel).events()

    def tokenize(self, text: str) -> tuple[int, ...]:
        """A raw prompt: markers in it are markers."""
        vocabulary = self.target.vocabulary
        return tuple(vocabulary.tokenize(text, add_special=True, parse_special=True))

    def text_tokens(self, text: str) -> tuple[int, ...]:
        """Markers in it are ordinary text."""
        return tuple(self.target.vocabulary.tokenize(text, add_special=False, parse_special=False)) if text else ()

    def size(self, text: str) -> int:
        return len(self.text_tokens(text))

    def prompt(self, messages: Sequence[Message]) -> tuple[int, ...]:
        text = self.template.render(messages)
        vocabulary = self.target.vocabulary
        bos = vocabulary.bos_text()
        has_bos = bool(bos) and text.startswith(bos)
        return tuple(vocabulary.tokenize(text, add_special=not has_bos, parse_special=True))

    def close(self) -> None:
        self.template.close()
        if self.draft is not None:
            self.draft.close()
        self.target.close()


def _speculation(choice: PairChoice, target: LlamaModel, draft: LlamaModel | None, costs: PassCosts) -> Speculation:
    name = guesser(choice)
    reason = why_nobody_guesses(choice) or _why_not_with(target, draft if name == "model" else None)
    if name is None or reason is not None:
        return NoGuessing(reason or "no draft chosen")
    setup = DrafterSetup(
        target=target,
        tokenize=lambda text: target.vocabulary.tokenize(text, add_special=False, parse_special=False),
        draft=draft,
        options=choice.drafter_options,
    )
    return Guessing(make_drafter(name, setup), _length(choice, target, costs))


def _why_not_with(target: LlamaModel, draft: LlamaModel | None) -> str | None:
    if target.max_rollback == 0:
        return "the target is a recurrent model, which cannot take back tokens"
    if draft is not None and draft.max_rollback < draft.n_ctx:
        return "the draft is a recurrent model, which cannot take back tokens"
    return None


def _length(choice: PairChoice, target: LlamaModel, costs: PassCosts) -> DraftLength:
    if choice.draft_max is None:
        return AdaptiveLength(costs, longest=min(target.max_batch - 1, target.max_rollback))
    return FixedLength(choice.draft_max, costs)

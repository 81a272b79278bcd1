"""The models in this process."""

from collections.abc import Generator, Iterator
from itertools import islice

from specchat.domain.answering import ContextCount, CountTask, PairInfo
from specchat.domain.benchmarking import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel import CancelToken
from specchat.domain.engine import ChatTask, EngineEvent, EngineTask, PromptMade
from specchat.domain.errors import NO_MODEL, SettingError
from specchat.domain.guessing import ON, as_text
from specchat.domain.loading import OnLoading
from specchat.domain.types import Message, PairChoice
from specchat.engine.speculative import NoGuessing
from specchat.services.bench.runner import Benchmark
from specchat.services.chat.chat import AnswerOptions, chat_prompt, prompt_limit, prompt_request
from specchat.services.chat.conversation_size import ConversationSize, conversation_size
from specchat.services.generation.completion import complete
from specchat.services.generation.guesser import guesser
from specchat.services.generation.loading import PairLoader
from specchat.services.generation.pair import LoadedPair
from specchat.services.generation.past import ReadAnswers, recalled
from specchat.services.generation.prompt_states import PromptStates

_RECALLED_AT_ONCE = 16
"""Pieces of earlier answers: together 10 to 30 ms, whenever no token is waited for."""


class InProcessEngine:
    def __init__(self, loader: PairLoader, read_answers: ReadAnswers = lambda _: ()) -> None:
        """`read_answers`: those that are kept, to guess from."""
        self._loader = loader
        self._read_answers = read_answers
        self._recalling: Iterator[None] = iter(())
        self._pair: LoadedPair | None = None
        self._size: tuple[tuple[Message, ...], ConversationSize] | None = None

    @property
    def is_loaded(self) -> bool:
        return self._pair is not None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        """The pair before makes room first: both may not fit."""
        self.unload()
        self._pair = pair = self._loader.load(choice, cancel, progress)
        pair.states = PromptStates(pair.target, pair.draft_states)
        if not isinstance(pair.speculation, NoGuessing):
            self._recalling = recalled(pair.past, self._read_answers, pair.text_tokens)
        self._recall_some()
        return _info(pair)

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        pair = self._loaded()
        if isinstance(task, ChatTask):
            yield from _chat(pair, task, cancel)
            self._recall_some()
        else:
            yield from complete(pair, task, cancel)

    def count(self, task: CountTask) -> ContextCount:
        pair = self._loaded()
        size = self._sized(pair, task.messages)
        attachments, question = tuple(map(pair.size, task.attachments)), pair.size(task.question)
        asked = sum(attachments) + question
        limit = prompt_limit(pair.target.n_ctx, task.max_tokens)
        room = limit - size.system - asked - (size.per_message if asked else 0)
        conversation, n_left_out = size.newest(room)
        self._recall_some()
        return ContextCount(size.system, conversation, attachments, question, pair.target.n_ctx, limit, n_left_out)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self.unload()
        return Benchmark(plan, self._loader, cancel, on_progress).run()

    def unload(self) -> None:
        self._size = None
        self._recalling = iter(())
        pair, self._pair = self._pair, None
        if pair is not None:
            pair.close()

    def close(self) -> None:
        self.unload()

    def _sized(self, pair: LoadedPair, messages: tuple[Message, ...]) -> ConversationSize:
        if self._size is None or self._size[0] != messages:
            self._size = messages, conversation_size(pair, messages)
        return self._size[1]

    def _recall_some(self) -> None:
        for _ in islice(self._recalling, _RECALLED_AT_ONCE):
            pass

    def _loaded(self) -> LoadedPair:
        if self._pair is None:
            raise SettingError(NO_MODEL, "Choose a pair first.")
        return self._pair


def _chat(pair: LoadedPair, task: ChatTask, cancel: CancelToken) -> Iterator[EngineEvent]:
    options = AnswerOptions(
        task.sampling, task.max_tokens, drop_oldest=True, begun=task.begun, probabilities=task.probabilities
    )
    prompt = chat_prompt(pair, task.messages, options)
    yield PromptMade(len(prompt.tokens), prompt.n_left_out)
    yield from pair.generate(prompt_request(pair, prompt, options), cancel)


def _info(pair: LoadedPair) -> PairInfo:
    speculation = pair.speculation
    return PairInfo(
        target=pair.choice.target.name,
        draft=pair.choice.draft.name if pair.choice.draft is not None and pair.has_draft else None,
        n_ctx=pair.target.n_ctx,
        drafting=as_text(speculation.reason) if isinstance(speculation, NoGuessing) else ON,
        exact=pair.selftest.verdict if pair.selftest else "",
        guesser="" if isinstance(speculation, NoGuessing) else guesser(pair.choice) or "",
        pass_s=pair.learned.costs.usual(1) if pair.learned.costs.knows_plain else 0.0,
    )

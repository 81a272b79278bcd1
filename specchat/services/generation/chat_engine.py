"""One pair at a time, and what a conversation asks of it."""

from collections.abc import Iterator
from itertools import islice

from specchat.domain.answering import AnswerEvent, AnswerTask, ContextCount, CountTask, PairInfo
from specchat.domain.benchmarking import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import NO_MODEL, SettingError
from specchat.domain.guessing import ON, as_text
from specchat.domain.loading import OnLoading
from specchat.domain.ports import Journal
from specchat.domain.serving import CompletionTask
from specchat.domain.types import Event, Message, PairChoice
from specchat.engine.speculative import NoGuessing
from specchat.services.bench.runner import Benchmark
from specchat.services.chat.answering import write_answer
from specchat.services.chat.chat import prompt_limit
from specchat.services.chat.conversation_size import ConversationSize, conversation_size
from specchat.services.chat.past import ReadAnswers, recalled
from specchat.services.generation.completion import complete
from specchat.services.generation.loading import PairLoader
from specchat.services.generation.pair import LoadedPair
from specchat.services.generation.prompt_states import PromptStates

_RECALLED_AT_ONCE = 16
"""Pieces of earlier answers: together 10 to 30 ms, whenever no token is waited for."""


class LocalEngine:
    """The models in this process."""

    def __init__(self, loader: PairLoader, read_answers: ReadAnswers = lambda _: ()) -> None:
        """`read_answers`: those that are kept, to guess from."""
        self._loader = loader
        self._read_answers = read_answers
        self._recalling: Iterator[None] = iter(())
        self._pair: LoadedPair | None = None
        self._size: tuple[tuple[Message, ...], ConversationSize] | None = None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        """The pair before makes room first: both may not fit."""
        self.close()
        self._pair = pair = self._loader.load(choice, cancel, progress)
        pair.states = PromptStates(pair.target, pair.draft)
        if not isinstance(pair.speculation, NoGuessing):
            self._recalling = recalled(pair.past, self._read_answers, pair.text_tokens)
        self._recall_some()
        return _info(pair)

    def answer(self, task: AnswerTask, journal: Journal, cancel: CancelToken) -> Iterator[AnswerEvent]:
        yield from write_answer(self._loaded(), task, journal, cancel)
        self._recall_some()

    def complete(self, task: CompletionTask, cancel: CancelToken) -> Iterator[Event]:
        yield from complete(self._loaded(), task, cancel)

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
        self.close()
        return Benchmark(plan, self._loader, cancel, on_progress).run()

    def _sized(self, pair: LoadedPair, messages: tuple[Message, ...]) -> ConversationSize:
        if self._size is None or self._size[0] is not messages:
            self._size = messages, conversation_size(pair, messages)
        return self._size[1]

    def _recall_some(self) -> None:
        for _ in islice(self._recalling, _RECALLED_AT_ONCE):
            pass

    def close(self) -> None:
        self._size = None
        self._recalling = iter(())
        pair, self._pair = self._pair, None
        if pair is not None:
            pair.close()

    def _loaded(self) -> LoadedPair:
        if self._pair is None:
            raise SettingError(NO_MODEL, "Choose a pair first.")
        return self._pair


def _info(pair: LoadedPair) -> PairInfo:
    speculation = pair.speculation
    draft = pair.choice.draft if pair.draft is not None else None
    return PairInfo(
        target=pair.choice.target.name,
        draft=draft.name if draft else None,
        n_ctx=pair.target.n_ctx,
        drafting=as_text(speculation.reason) if isinstance(speculation, NoGuessing) else ON,
        exact=pair.selftest.verdict if pair.selftest else "",
    )

"""Writes one answer: turns engine events into text, marks and a stored record."""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, CondensedPrompt, PairInfo, PromptRead
from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.engine import ChatTask, EngineEvent, PromptPrepared, ToolsRefused
from specchat.domain.errors import Cancelled, StorageError
from specchat.domain.ports import Journal
from specchat.domain.types import (
    USER,
    FinishReason,
    GenerationFinished,
    GenerationStats,
    PromptProgress,
    StepStats,
    TokenEvent,
    ToolCall,
)
from specchat.services.answers.reasoning import ends_thought

Generate = Callable[[ChatTask, CancelToken], Iterable[EngineEvent]]


class StreamedAnswer:
    """One thread writes it, another may read it meanwhile."""

    def __init__(self, task: AnswerTask) -> None:
        self.task = task
        self.text = task.begun
        self.marks = list(task.marks)
        self.has_begun = False
        """It had its turn: its prompt is being read."""
        self.steps: deque[StepStats] = deque()
        """Those that nobody has counted yet: who does takes them."""

    @property
    def message(self) -> int:
        return self.task.message

    def add_token(self, token: TokenEvent) -> Mark:
        """Its mark comes first: who reads meanwhile finds no text without one."""
        mark = Mark(len(self.text) + len(token.text), token.origin, token.draft_position, token.probability)
        self.marks.append(mark)
        self.text += token.text
        if token.step is not None:
            self.steps.append(token.step)
        return mark

    def add_prefill(self, text: str) -> Mark:
        mark = Mark(len(self.text) + len(text), USER)
        self.marks.append(mark)
        self.text += text
        return mark

    def add_remaining_text(self, text: str) -> None:
        """Adds text that was held back to the last token."""
        if self.marks:
            self.marks[-1] = replace(self.marks[-1], end=len(self.text) + len(text))
        self.text += text


class NoJournal:
    """For an answer that is only shown."""

    def set_listener(self, listener: Callable[[StorageError | None], None]) -> None: ...
    def add(self, text: str, marks: Sequence[Mark]) -> None: ...
    def flush(self) -> None: ...
    def finish(self, state: MessageState, answer: Answer) -> None: ...
    def close(self) -> None: ...


AnswerEvent = PromptRead | StreamedAnswer | AnswerEnded | ToolsRefused
"""The answer itself: it has grown."""


def write_answer(
    generate: Generate,
    pair: Callable[[], PairInfo | None],
    growing: StreamedAnswer,
    journal: Journal,
    cancel: CancelToken,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[AnswerEvent]:
    """The journal is finished whatever happens, also when the iterator is closed early. `pair`: what answers."""
    return _Writing(generate, pair, growing, journal, cancel, clock).events()


class _Writing:
    def __init__(
        self,
        generate: Generate,
        pair: Callable[[], PairInfo | None],
        growing: StreamedAnswer,
        journal: Journal,
        cancel: CancelToken,
        clock: Callable[[], float],
    ) -> None:
        self._generate, self._pair, self._growing, self._journal = generate, pair, growing, journal
        self._cancel = cancel
        self._thought = _ThoughtTimer(growing.text, clock)
        self._end_event: GenerationFinished | None = None
        self._n_left_out = 0
        self._condensed: CondensedPrompt | None = None
        self._is_condensed = False
        self._kept = self._failed = False
        self._calls: list[ToolCall] = []

    def events(self) -> Iterator[AnswerEvent]:
        growing = self._growing
        n_prompt = 0
        try:
            for done, total in self._prepare_documents():
                growing.has_begun = True
                yield PromptRead(growing.message, done, total)
            for event in self._generate(self._chat_task(), self._cancel):
                match event:
                    case PromptPrepared():
                        n_prompt, self._n_left_out = event.n_tokens, event.n_left_out
                        self._is_condensed |= event.is_condensed
                        if event.begun:
                            self._journal.add(event.begun, (growing.add_prefill(event.begun),))
                            self._thought.skip()
                            yield growing
                    case PromptProgress():
                        growing.has_begun = True
                        yield PromptRead(growing.message, event.done, event.total, self._n_left_out, n_prompt)
                    case ToolsRefused():
                        yield event
                    case TokenEvent():
                        self._journal.add(event.text, (growing.add_token(event),))
                        self._thought.hear(event.text)
                        self._calls += event.calls
                        yield growing
                    case GenerationFinished():
                        self._end(event)
                        self._keep()
                        calls = tuple(self._calls) if self._state is MessageState.DONE else ()
                        yield AnswerEnded(growing.message, self._state, self._answer, calls)
        except Cancelled:
            raise
        except Exception:
            self._failed = True
            raise
        finally:
            self._keep()

    def _prepare_documents(self) -> Iterator[tuple[int, int]]:
        pair, documents = self._pair(), self._growing.task.documents
        if documents is not None and pair is not None:
            yield from documents.prepare(pair.n_ctx, self._cancel)

    def _chat_task(self) -> ChatTask:
        task = self._growing.task
        whole = ChatTask(
            task.messages,
            task.sampling,
            task.max_tokens,
            begun=task.begun,
            prefill=task.prefill,
            probabilities=task.probabilities,
            compared=task.compared,
            tools=task.tools,
            stop=task.stop,
            ignore_eos=task.ignore_eos,
            reasoning=task.reasoning,
        )
        pair, documents = self._pair(), task.documents
        if documents is None or pair is None:
            return whole
        self._condensed = documents.condense(pair.n_ctx)
        if self._condensed is None:
            return whole
        if not task.messages or documents.is_certainly_too_long(pair.n_ctx):
            self._is_condensed = True
            return replace(whole, messages=self._condensed.messages)
        return replace(whole, condensed=self._condensed.messages)

    def _end(self, event: GenerationFinished) -> None:
        if event.text:
            self._growing.add_remaining_text(event.text)
            self._journal.add(event.text, ())
        self._end_event = event
        self._calls += event.calls

    def _keep(self) -> None:
        if not self._kept:
            self._journal.finish(self._state, self._answer)
            self._kept = True

    @property
    def _state(self) -> MessageState:
        end = self._end_event
        return MessageState.DONE if end is not None and end.reason is FinishReason.STOP else MessageState.STOPPED

    @property
    def _answer(self) -> Answer:
        pair, end = self._pair(), self._end_event
        finish = end.reason if end is not None else FinishReason.CANCELLED
        return Answer(
            target=pair.target if pair is not None else "",
            draft=pair.draft if pair is not None else None,
            finish=finish,
            seed=self._growing.task.sampling.seed,
            exact=pair.exact if pair is not None else "",
            n_left_out=self._n_left_out,
            context_full=end is not None and end.context_full,
            stats=end.stats if end is not None else GenerationStats(),
            thought_s=self._thought.seconds,
            marks=tuple(self._growing.marks),
            failed=self._failed,
            window_closed=self._cancel.closing and finish is FinishReason.CANCELLED,
            sources=self._condensed.sources if self._condensed is not None and self._is_condensed else (),
        )


class _ThoughtTimer:
    """Measures the time until the model closes its reasoning section."""

    def __init__(self, begun: str, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._text = begun
        self._over = ends_thought(begun)
        self.seconds: float | None = None

    def skip(self) -> None:
        """The answer starts behind it."""
        self._over = True

    def hear(self, text: str) -> None:
        if self._over:
            return
        self._text += text
        if ends_thought(self._text[-64:]):
            self.seconds, self._over = self._clock() - self._started, True

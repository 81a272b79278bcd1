"""Writes one answer of a conversation: the engine's events become text, marks and a record that is kept."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from specchat.domain.answering import AnswerEnded, AnswerEvent, AnswerGrew, AnswerTask, PairInfo, PromptRead
from specchat.domain.cancel import CancelToken
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.engine import ChatTask, EngineEvent, PromptMade
from specchat.domain.ports import Journal
from specchat.domain.types import Finished, FinishReason, GenerationStats, PromptProgress, TokenEvent
from specchat.services.answers.reasoning import ends_thought

Generate = Callable[[ChatTask, CancelToken], Iterable[EngineEvent]]


def write_answer(
    generate: Generate,
    pair: Callable[[], PairInfo | None],
    task: AnswerTask,
    journal: Journal,
    cancel: CancelToken,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[AnswerEvent]:
    """The journal is finished whatever happens, also when the iterator is closed early. `pair`: what answers."""
    return _Writing(generate, pair, task, journal, cancel, clock).events()


class _Writing:
    def __init__(
        self,
        generate: Generate,
        pair: Callable[[], PairInfo | None],
        task: AnswerTask,
        journal: Journal,
        cancel: CancelToken,
        clock: Callable[[], float],
    ) -> None:
        self._generate, self._pair, self._task, self._journal, self._cancel = generate, pair, task, journal, cancel
        self._length = len(task.begun)
        self._marks = list(task.marks)
        self._thought = _ThoughtTimer(task.begun, clock)
        self._end_event: Finished | None = None
        self._n_left_out = 0
        self._kept = False

    def events(self) -> Iterator[AnswerEvent]:
        task = self._task
        n_prompt = 0
        try:
            for event in self._generate(_chat_task(task), self._cancel):
                match event:
                    case PromptMade():
                        n_prompt, self._n_left_out = event.n_tokens, event.n_left_out
                    case PromptProgress():
                        yield PromptRead(task.message, event.done, event.total, self._n_left_out, n_prompt)
                    case TokenEvent():
                        yield self._grow(event)
                    case Finished():
                        end = self._end(event)
                        self._keep()
                        yield end
        finally:
            self._keep()

    def _grow(self, event: TokenEvent) -> AnswerGrew:
        self._length += len(event.text)
        mark = Mark(self._length, event.origin, event.draft_position, event.probability)
        self._marks.append(mark)
        self._thought.hear(event.text)
        self._journal.add(event.text, (mark,))
        return AnswerGrew(self._task.message, event.text, mark, event.step)

    def _end(self, event: Finished) -> AnswerEnded:
        if event.text:
            self._length += len(event.text)
            if self._marks:
                self._marks[-1] = replace(self._marks[-1], end=self._length)
            self._journal.add(event.text, ())
        self._end_event = event
        return AnswerEnded(self._task.message, event.text, self._state, self._answer)

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
            seed=self._task.sampling.seed,
            exact=pair.exact if pair is not None else "",
            n_left_out=self._n_left_out,
            context_full=end is not None and end.context_full,
            stats=end.stats if end is not None else GenerationStats(),
            thought_s=self._thought.seconds,
            marks=tuple(self._marks),
            window_closed=self._cancel.closing and finish is FinishReason.CANCELLED,
        )


def _chat_task(task: AnswerTask) -> ChatTask:
    return ChatTask(task.messages, task.sampling, task.max_tokens, task.begun, task.probabilities)


class _ThoughtTimer:
    """How long the model took until it closed its reasoning section."""

    def __init__(self, begun: str, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._started = clock()
        self._text = begun
        self._over = ends_thought(begun)
        self.seconds: float | None = None

    def hear(self, text: str) -> None:
        if self._over:
            return
        self._text += text
        if ends_thought(self._text[-64:]):
            self.seconds, self._over = self._clock() - self._started, True

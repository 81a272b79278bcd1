"""Writes one answer of a conversation: the engine's events become text, marks and a record that is kept."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from specchat.domain.answering import AnswerEnded, AnswerEvent, AnswerGrew, AnswerTask, PromptRead
from specchat.domain.cancel import CancelToken
from specchat.domain.conversations import Answer, Mark, MessageState
from specchat.domain.ports import Journal
from specchat.domain.types import Finished, FinishReason, PromptProgress, TokenEvent
from specchat.services.answers.reasoning import ends_thought
from specchat.services.chat.chat import AnswerOptions, chat_prompt, prompt_request
from specchat.services.generation.pair import LoadedPair


def write_answer(
    pair: LoadedPair,
    task: AnswerTask,
    journal: Journal,
    cancel: CancelToken,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[AnswerEvent]:
    """The journal is finished whatever happens, also when the iterator is closed early."""
    return _Writing(pair, task, journal, cancel, clock).events()


class _Writing:
    def __init__(
        self,
        pair: LoadedPair,
        task: AnswerTask,
        journal: Journal,
        cancel: CancelToken,
        clock: Callable[[], float],
    ) -> None:
        self._pair, self._task, self._journal, self._cancel, self._clock = pair, task, journal, cancel, clock
        self._length = len(task.begun)
        self._marks = list(task.marks)
        self._thought = _ThoughtTimer(task.begun, clock)
        self._answer = Answer(
            target=pair.choice.target.name,
            draft=pair.choice.draft.name if pair.choice.draft else None,
            finish=FinishReason.CANCELLED,
            seed=task.sampling.seed,
            exact=pair.selftest.verdict if pair.selftest else "",
        )
        self._state = MessageState.STOPPED
        self._kept = False

    def events(self) -> Iterator[AnswerEvent]:
        task = self._task
        options = AnswerOptions(
            task.sampling, task.max_tokens, drop_oldest=True, begun=task.begun, probabilities=task.probabilities
        )
        try:
            prompt = chat_prompt(self._pair, task.messages, options)
            self._answer = replace(self._answer, n_left_out=prompt.n_left_out)
            for event in self._pair.generate(prompt_request(self._pair, prompt, options), self._cancel):
                match event:
                    case PromptProgress():
                        n_prompt = len(prompt.tokens)
                        yield PromptRead(task.message, event.done, event.total, prompt.n_left_out, n_prompt)
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
        self._state = MessageState.DONE if event.reason is FinishReason.STOP else MessageState.STOPPED
        self._answer = replace(self._answer, finish=event.reason, context_full=event.context_full, stats=event.stats)
        return AnswerEnded(self._task.message, event.text, self._state, self._kept_answer())

    def _keep(self) -> None:
        if not self._kept:
            self._journal.finish(self._state, self._kept_answer())
            self._kept = True

    def _kept_answer(self) -> Answer:
        closed = self._cancel.closing and self._answer.finish is FinishReason.CANCELLED
        return replace(self._answer, thought_s=self._thought.seconds, marks=tuple(self._marks), window_closed=closed)


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

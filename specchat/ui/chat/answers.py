"""The answers that are being written or wait for it, in whatever conversation."""

from dataclasses import dataclass, field
from itertools import groupby

from PySide6.QtCore import QObject, Signal

from specchat.domain.answering import AnswerEnded, AnswerGrew, AnswerTask, PromptRead
from specchat.domain.cancel import CancelToken
from specchat.domain.conversations import Mark
from specchat.services.live_figures import Figures, LiveFigures
from specchat.ui.inference import AnswerFailed, Inference, InferenceEvent


@dataclass(slots=True)
class RunningAnswer:
    task: AnswerTask
    conversation: int
    cancel: CancelToken
    text: str
    marks: list[Mark]
    figures: LiveFigures = field(default_factory=LiveFigures)
    has_begun: bool = False
    is_stopped: bool = False
    """By the user."""


class Answers(QObject):
    """What arrives for an answer that nobody waits for any more is left alone."""

    prompt_read = Signal(int, float)
    """message, how much of its prompt"""
    grew = Signal(int, str, tuple)
    """message, text, marks"""
    ended = Signal(int, AnswerEnded, Figures)
    failed = Signal(RunningAnswer, object)
    """which, and why; None: stopped before it began"""
    changed = Signal()
    """Who is being answered: after `ended` and `failed`, too."""

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inference = inference
        self._running: dict[int, RunningAnswer] = {}
        inference.arrived.connect(self._take)

    def start(self, conversation: int, task: AnswerTask) -> None:
        cancel = self._inference.answer(task)
        self._running[task.message] = RunningAnswer(task, conversation, cancel, task.begun, list(task.marks))
        self.changed.emit()

    def stop(self, conversation: int) -> None:
        """What has not begun ends at once: another answer may keep the thread for minutes."""
        for running in [one for one in self._running.values() if one.conversation == conversation]:
            running.is_stopped = True
            running.cancel.cancel()
            if not running.has_begun:
                self._fail(running, None)

    def stop_all(self) -> None:
        for conversation in {running.conversation for running in self._running.values()}:
            self.stop(conversation)

    def of_message(self, message: int) -> RunningAnswer | None:
        return self._running.get(message)

    def of_conversation(self, conversation: int) -> RunningAnswer | None:
        return next((one for one in self._running.values() if one.conversation == conversation), None)

    def current(self) -> RunningAnswer | None:
        """The one that is written; later ones wait."""
        return next(iter(self._running.values()), None)

    def _take(self, events: list[InferenceEvent]) -> None:
        for kind, of_kind in groupby(events, type):
            if kind is AnswerGrew:
                self._grow([event for event in of_kind if isinstance(event, AnswerGrew)])
                continue
            for event in of_kind:
                if isinstance(event, PromptRead | AnswerEnded | AnswerFailed):
                    self._take_one(event)

    def _take_one(self, event: PromptRead | AnswerEnded | AnswerFailed) -> None:
        running = self._running.get(event.message)
        if running is None:
            return
        match event:
            case PromptRead():
                running.has_begun = True
                self.prompt_read.emit(event.message, event.done / event.total if event.total else 1.0)
            case AnswerEnded():
                del self._running[event.message]
                self.ended.emit(event.message, event, running.figures.finished(event.answer.stats))
                self.changed.emit()
            case AnswerFailed() if event.error is None and not running.is_stopped:
                self._wait_again(running)
            case AnswerFailed():
                self._fail(running, event.error)

    def _wait_again(self, running: RunningAnswer) -> None:
        """Another pair is loaded meanwhile: it answers what waited for the one before."""
        running.cancel = self._inference.answer(running.task)

    def _fail(self, running: RunningAnswer, error: object) -> None:
        del self._running[running.task.message]
        self.failed.emit(running, error)
        self.changed.emit()

    def _grow(self, events: list[AnswerGrew]) -> None:
        for message, of_message in groupby(events, lambda event: event.message):
            running = self._running.get(message)
            if running is None:
                continue
            text, marks = "", []
            for event in of_message:
                text += event.text
                marks.append(event.mark)
                if event.step is not None:
                    running.figures.add(event.step)
            running.text += text
            running.marks += marks
            self.grew.emit(message, text, tuple(marks))

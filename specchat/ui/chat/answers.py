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
    message: int
    conversation: int
    cancel: CancelToken
    text: str
    marks: list[Mark]
    figures: LiveFigures = field(default_factory=LiveFigures)
    prompt_read: float | None = None
    """How much of the prompt is read; None before that."""

    @property
    def has_begun(self) -> bool:
        return self.prompt_read is not None


class Answers(QObject):
    prompt_read = Signal(int, float)
    """message, how much of its prompt"""
    grew = Signal(int, str, tuple)
    """message, text, marks"""
    ended = Signal(int, AnswerEnded, Figures)
    failed = Signal(int, object)
    """message, why; None: stopped before it began"""

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inference = inference
        self._running: dict[int, RunningAnswer] = {}
        inference.arrived.connect(self._take)

    def start(self, conversation: int, task: AnswerTask) -> None:
        cancel = self._inference.answer(task)
        self._running[task.message] = RunningAnswer(task.message, conversation, cancel, task.begun, list(task.marks))

    def stop(self, conversation: int) -> None:
        for running in self._running.values():
            if running.conversation == conversation:
                running.cancel.cancel()

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
                self._take_one(event)

    def _take_one(self, event: InferenceEvent) -> None:
        match event:
            case PromptRead():
                running = self._running[event.message]
                running.prompt_read = event.done / event.total if event.total else 1.0
                self.prompt_read.emit(event.message, running.prompt_read)
            case AnswerEnded():
                running = self._running.pop(event.message)
                running.text += event.text
                self.ended.emit(event.message, event, running.figures.finished(event.answer.stats))
            case AnswerFailed():
                del self._running[event.message]
                self.failed.emit(event.message, event.error)

    def _grow(self, events: list[AnswerGrew]) -> None:
        for message, of_message in groupby(events, lambda event: event.message):
            running = self._running[message]
            text, marks = "", []
            for event in of_message:
                text += event.text
                marks.append(event.mark)
                if event.step is not None:
                    running.figures.add(event.step)
            running.text += text
            running.marks += marks
            self.grew.emit(message, text, tuple(marks))

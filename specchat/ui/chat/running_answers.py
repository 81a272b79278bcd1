"""Tracks the answers that are being generated or are queued, in all conversations."""

from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import AnswerEnded, AnswerTask, PromptRead
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import StorageError, UserError
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.generation.stats_tracker import StatsSnapshot, StatsTracker
from specchat.ui.chat.save_errors import save_error
from specchat.ui.threads.inference import AnswerFailed, Inference, InferenceEvent, SaveStatusChanged


@dataclass(slots=True)
class RunningAnswer:
    streamed: StreamedAnswer
    conversation: int
    cancel: CancelToken
    stats: StatsTracker = field(default_factory=StatsTracker)
    n_prompt: int = 0
    """Tokens; 0 until it is read."""
    n_left_out: int = 0
    """Messages for which the context has no room."""
    is_stopped: bool = False
    """By the user."""
    save_error: UserError | None = None
    """Why it cannot be kept at the moment."""
    end: AnswerEnded | AnswerFailed | None = None
    """It is complete, and only waits until it is kept."""


class RunningAnswers(QObject):
    """What arrives for an answer that nobody waits for any more is left alone."""

    prompt_read = Signal(int, float)
    """message, how much of its prompt"""
    updated = Signal(int)
    ended = Signal(int, AnswerEnded, StatsSnapshot)
    failed = Signal(RunningAnswer, object)
    """which, and why; None: stopped before it began"""
    stopped = Signal(int)
    """In which conversation whatever is being done shall end, also what comes of an answer."""
    changed = Signal()
    """Who is being answered: after `ended` and `failed`, too."""
    save_failed = Signal(UserError)
    save_recovered = Signal(UserError)
    """What was wrong is over."""

    def __init__(self, inference: Inference, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._inference = inference
        self._running: dict[int, RunningAnswer] = {}
        inference.events_arrived.connect(self._update_answers)

    def start(self, conversation: int, task: AnswerTask) -> None:
        growing = StreamedAnswer(task)
        self._running[task.message] = RunningAnswer(growing, conversation, self._inference.start_answer(growing))
        self.changed.emit()

    def stop(self, conversation: int) -> None:
        """What has not begun ends at once: another answer may keep the thread for minutes."""
        self.stopped.emit(conversation)
        for running in [one for one in self._running.values() if one.conversation == conversation]:
            running.is_stopped = True
            running.cancel.cancel()
            if not running.streamed.has_begun:
                self._fail(running, None)

    def stop_all(self) -> None:
        """The window is closed."""
        for running in self._running.values():
            running.cancel.closing = not running.is_stopped
        for conversation in {running.conversation for running in self._running.values()}:
            self.stop(conversation)

    def of_message(self, message: int) -> RunningAnswer | None:
        return self._running.get(message)

    def of_conversation(self, conversation: int) -> RunningAnswer | None:
        return next((one for one in self._running.values() if one.conversation == conversation), None)

    def current(self) -> RunningAnswer | None:
        """The first one that is written, or waits."""
        return next((one for one in self._running.values() if one.end is None), None)

    @property
    def n_running(self) -> int:
        """How many are written, or wait."""
        return sum(one.end is None for one in self._running.values())

    def n_beside(self, conversation: int) -> int:
        """How many other conversations are answered, or wait."""
        return sum(one.end is None and one.conversation != conversation for one in self._running.values())

    @property
    def unsaved(self) -> UserError | None:
        """Why one of them cannot be kept at the moment."""
        return next((one.save_error for one in self._running.values() if one.save_error is not None), None)

    def conversations(self) -> tuple[frozenset[int], frozenset[int]]:
        """Those in which an answer is being written, and those in which one waits."""
        running = [one for one in self._running.values() if one.end is None]
        begun = frozenset(one.conversation for one in running if one.streamed.has_begun)
        return begun, frozenset(one.conversation for one in running) - begun

    def _update_answers(self, events: list[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, PromptRead | StreamedAnswer | AnswerEnded | AnswerFailed | SaveStatusChanged):
                running = self._running.get(event.message)
                if running is not None:
                    self._update_answer(running, event)

    def _update_answer(
        self,
        running: RunningAnswer,
        event: PromptRead | StreamedAnswer | AnswerEnded | AnswerFailed | SaveStatusChanged,
    ) -> None:
        match event:
            case StreamedAnswer():
                self._grow(running)
            case PromptRead():
                running.n_prompt, running.n_left_out = event.n_prompt, event.n_left_out
                self.prompt_read.emit(event.message, event.done / event.total if event.total else 1.0)
            case SaveStatusChanged():
                self._keep(running, event.problem)
            case AnswerFailed() if event.error is None and not running.is_stopped:
                self._wait_again(running)
            case _ if running.save_error is not None:
                self._hold(running, event)
            case _:
                self._end(running, event)

    def _keep(self, running: RunningAnswer, problem: StorageError | None) -> None:
        before, running.save_error = running.save_error, save_error(problem) if problem else None
        if running.save_error is not None:
            self.save_failed.emit(running.save_error)
        elif before is not None:
            self.save_recovered.emit(before)
            if running.end is not None:
                self._end(running, running.end)

    def _hold(self, running: RunningAnswer, end: AnswerEnded | AnswerFailed) -> None:
        running.end = end
        self._grow(running)
        self.changed.emit()

    def _end(self, running: RunningAnswer, end: AnswerEnded | AnswerFailed) -> None:
        if isinstance(end, AnswerFailed):
            self._fail(running, end.error)
            return
        del self._running[end.message]
        if running.is_stopped:
            end = replace(end, calls=())  # complete just before
        self.ended.emit(end.message, end, running.stats.finish(end.answer.stats))
        self.changed.emit()

    def _wait_again(self, running: RunningAnswer) -> None:
        """Another pair is loaded meanwhile: it answers what waited for the one before."""
        running.cancel = self._inference.start_answer(running.streamed)

    def _fail(self, running: RunningAnswer, error: object) -> None:
        del self._running[running.streamed.message]
        self.failed.emit(running, error)
        self.changed.emit()

    def _grow(self, running: RunningAnswer) -> None:
        steps = running.streamed.steps
        while steps:
            running.stats.add_step(steps.popleft())
        self.updated.emit(running.streamed.message)

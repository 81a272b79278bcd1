"""Runs the model jobs in worker threads and emits their events in batches."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from specchat.domain.answer_tasks import ContextCount, CountTask
from specchat.domain.benchmark import BenchPlan, BenchProgress, BenchReport
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, ServingEvent
from specchat.domain.engine import Engine
from specchat.domain.errors import Cancelled, EngineStoppedError, NotReadyError, StorageError, UserError
from specchat.domain.loading import LoadCompleted, LoadingEvent
from specchat.domain.ports import Journal
from specchat.domain.types import PairChoice
from specchat.services.chat.answer_writer import AnswerEvent, StreamedAnswer, write_answer
from specchat.services.engines.compared_answers import ComparedAnswer, by_engine, write_compared
from specchat.services.engines.engine_queue import EngineJob, EngineQueue, Lane
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.queued_completions import MAX_WAITING, QueuedCompletions
from specchat.services.program.internal_errors import wrap_internal_errors
from specchat.ui.threads.engine_threads import MOST_ANSWERS, EngineThreads
from specchat.ui.threads.event_outbox import EventOutbox

_SHARE = 0.02
"""The share of a core that the window may use while the models compute."""
_SHORTEST_MS, _LONGEST_MS = 33, 200


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    message: int
    error: UserError | None
    """None: stopped before it began."""


@dataclass(frozen=True, slots=True)
class SaveStatusChanged:
    """Comes when it changes whether an answer can be kept."""

    message: int
    problem: StorageError | None


@dataclass(frozen=True, slots=True)
class ContextCounted:
    task: CountTask
    count: ContextCount


@dataclass(frozen=True, slots=True)
class ContextCountFailed:
    task: CountTask


@dataclass(frozen=True, slots=True)
class BenchProgressed:
    plan: BenchPlan
    progress: BenchProgress


@dataclass(frozen=True, slots=True)
class BenchEnded:
    """Cancelled, it has a report of what was measured before; without a report there is none."""

    plan: BenchPlan
    report: BenchReport | None
    error: UserError | None = None


@dataclass(frozen=True, slots=True)
class ApiRequestProgressed:
    """How another program's request goes on: what ended a step."""

    task: CompletionTask
    event: ServingEvent


InferenceEvent = (
    LoadingEvent
    | AnswerEvent
    | AnswerFailed
    | SaveStatusChanged
    | ContextCounted
    | ContextCountFailed
    | BenchProgressed
    | BenchEnded
    | ApiRequestProgressed
)

MakeEngine = Callable[[], Engine]
MakeJournal = Callable[[int], Journal]


class Inference(QObject):
    """`events_arrived` carries a list of events: the more it costs to show them, the less often."""

    events_arrived = Signal(list)

    def __init__(
        self, make_engine: MakeEngine, make_journal: MakeJournal, logs: Path, parent: QObject | None = None
    ) -> None:
        """Both are called in the threads: the engine at the first job, a journal for each answer."""
        super().__init__(parent)
        self._outbox = EventOutbox()
        self._outbox.filled.connect(self._collect_soon, Qt.ConnectionType.QueuedConnection)
        self._frame = QTimer(self, singleShot=True)
        self._collected = self._spent = 0.0
        self._pace_ms = float(_SHORTEST_MS)
        self._frame.timeout.connect(self._collect)
        self._make_engine, self._make_journal = make_engine, make_journal
        self._logs = logs
        self._load_token = CancelToken()
        self._to_count: CountTask | None = None
        self._turns = EngineQueue({Lane.SERVER: MAX_WAITING}, n_slots=1)
        self._session = PairSession(make_engine, self._follow_loading)
        self._completions = QueuedCompletions(self._turns, self._session, logs, self._watch)
        self._turns.on_idle = self._completions.rest
        self._worker = EngineThreads(self._turns, self._session)
        self._worker.start()

    @property
    def completions(self) -> QueuedCompletions:
        """For other programs, which share the slots with the window."""
        return self._completions

    def load(self, choice: PairChoice) -> None:
        """What is running is given up for it, and what waits; other programs' requests wait for the new pair."""
        self._turns.cancel(waiting_in=[Lane.WINDOW])
        self._session.stop_loading()
        self._session.is_loading = True
        self._load_token = self._add(lambda cancel: self._load(choice, cancel))

    def start_answer(self, growing: StreamedAnswer) -> CancelToken:
        """Writes it, beside others as far as the pair has slots. Cancelling ends the answer; what is written stays."""
        return self._add(lambda cancel: self._answer(growing, cancel), is_answer=True)

    def count_context(self, task: CountTask) -> None:
        """Only the latest task counts."""
        self._to_count = task
        self._add(lambda cancel: self._count(task), brief=True, is_lookup=True)

    def run_benchmark(self, plan: BenchPlan) -> CancelToken:
        """Unloads the pair first. Loading a pair cancels the benchmark."""
        self._completions.is_measuring = True
        return self._add(lambda cancel: self._bench(plan, cancel))

    def compare(self, answers: Sequence[ComparedAnswer], *, makes_room: bool) -> CancelToken:
        """Writes answers that are not stored: those of one engine one after the other, those of different engines at
        once. `makes_room`: another pair than the loaded one answers.
        """
        self._completions.is_measuring |= makes_room
        return self._add(lambda cancel: self._compare(answers, cancel, makes_room))

    def stop_loading(self) -> None:
        self._load_token.cancel()
        self._session.stop_loading()

    def unload(self) -> None:
        """The next task loads the pair again."""
        self._add(lambda cancel: self._completions.rest())

    def unload_after(self, seconds: float | None) -> None:
        """Without a task; None: never."""
        self._turns.set_idle_timeout(seconds)

    def close(self) -> None:
        """Blocks until the running step is over; what was written is in the journal then."""
        self._turns.close()
        self._session.stop_loading()
        self._worker.wait()
        self._frame.stop()
        self._collect()

    def _add(
        self, job: EngineJob, *, brief: bool = False, is_answer: bool = False, is_lookup: bool = False
    ) -> CancelToken:
        try:
            return self._turns.add(Lane.WINDOW, job, brief=brief, is_answer=is_answer, is_lookup=is_lookup)
        except NotReadyError:  # the window is closing: nobody waits for it any more
            return CancelToken()

    def _collect_soon(self) -> None:
        """At once after a rest: the first words wait for nothing."""
        if not self._frame.isActive():
            rested = 1000 * (time.monotonic() - self._collected)
            self._frame.start(max(0, round(self._pace_ms - rested)))

    def _collect(self) -> None:
        events = self._outbox.take()
        since, self._spent = self._spent, time.thread_time()
        self._pace_ms = min(max(1000 * (self._spent - since) / _SHARE, _SHORTEST_MS), _LONGEST_MS)
        self._collected = time.monotonic()
        if events:
            self.events_arrived.emit(events)

    def _follow_loading(self, event: LoadingEvent) -> None:
        if isinstance(event, LoadCompleted):
            self._turns.set_slots(min(event.pair.n_slots, MOST_ANSWERS))
        self._outbox.put(event)

    def _load(self, choice: PairChoice, cancel: CancelToken) -> None:
        with self._failing_as(lambda error: None):  # the session has told
            self._session.load(choice, cancel)

    def _recover(self, stopped: EngineStoppedError, cancel: CancelToken) -> None:
        with self._failing_as(lambda error: None):
            self._session.recover(stopped, cancel)

    def _answer(self, growing: StreamedAnswer, cancel: CancelToken) -> None:
        message = growing.message
        with self._failing_as(lambda error: AnswerFailed(message, error)):
            cancel.check()
            with closing(self._make_journal(message)) as journal:
                journal.set_listener(lambda problem: self._outbox.put(SaveStatusChanged(message, problem)))
                session = self._session
                for event in write_answer(session.generate, lambda: session.pair, growing, journal, cancel):
                    self._outbox.put(event)

    def _count(self, task: CountTask) -> None:
        if task is self._to_count:
            with self._failing_as(lambda error: ContextCountFailed(task)):
                self._outbox.put(ContextCounted(task, self._session.count(task)))

    def _bench(self, plan: BenchPlan, cancel: CancelToken) -> None:
        with self._failing_as(lambda error: BenchEnded(plan, None, error)):
            with self._measuring():
                cancel.check()
                report = self._session.bench(
                    plan, lambda progress: self._outbox.put(BenchProgressed(plan, progress)), cancel
                )
            self._outbox.put(BenchEnded(plan, report))

    def _compare(self, answers: Sequence[ComparedAnswer], cancel: CancelToken, makes_room: bool) -> None:
        own, *others = by_engine(answers)
        threads = [threading.Thread(target=self._compare_elsewhere, args=(each, cancel)) for each in others]
        with self._measuring() if makes_room else nullcontext():
            for thread in threads:
                thread.start()
            self._write_compared(self._session, own, cancel)
            for thread in threads:
                thread.join()

    def _compare_elsewhere(self, answers: Sequence[ComparedAnswer], cancel: CancelToken) -> None:
        with closing(PairSession(self._make_engine, self._outbox.put)) as session:
            self._write_compared(session, answers, cancel)

    def _write_compared(self, session: PairSession, answers: Sequence[ComparedAnswer], cancel: CancelToken) -> None:
        for answer in answers:
            with self._failing_as(partial(AnswerFailed, answer.streamed.message)):
                for event in write_compared(session, answer, cancel):
                    self._outbox.put(event)

    def _watch(self, task: CompletionTask, event: ServingEvent) -> None:
        self._outbox.put(ApiRequestProgressed(task, event))

    @contextmanager
    def _measuring(self) -> Iterator[None]:
        self._completions.is_measuring = True
        try:
            yield
        finally:
            self._completions.is_measuring = False

    @contextmanager
    def _failing_as(self, event: Callable[[UserError | None], InferenceEvent | None]) -> Iterator[None]:
        """Nothing that goes wrong in a job may end the thread."""
        failed: UserError | None = None
        try:
            with wrap_internal_errors(self._logs):
                yield
                return
        except Cancelled:
            pass
        except UserError as error:
            failed = error
        if (failure := event(failed)) is not None:
            self._outbox.put(failure)
        if isinstance(failed, EngineStoppedError):
            stopped = failed
            self._add(lambda cancel: self._recover(stopped, cancel), brief=True)

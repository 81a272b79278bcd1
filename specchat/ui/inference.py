"""The thread that owns the models: jobs go in, events come out in batches at the reader's pace."""

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

from specchat.domain.answering import AnswerEvent, AnswerTask, ContextCount, CountTask, PairInfo
from specchat.domain.benchmarking import BenchPlan, BenchProgress, BenchReport
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, StorageError, UserError
from specchat.domain.ports import ChatEngine, Journal
from specchat.domain.types import PairChoice
from specchat.services.mistakes import own_mistakes_explained

_SHARE = 0.02
"""Of a core: what the window may take from the models, which may need all of them."""
_SHORTEST_MS, _LONGEST_MS = 33, 200


@dataclass(frozen=True, slots=True)
class Loading:
    choice: PairChoice
    part: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    choice: PairChoice
    pair: PairInfo


@dataclass(frozen=True, slots=True)
class LoadEnded:
    """Without a pair: stopped, or failed for a reason."""

    choice: PairChoice
    error: UserError | None


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    message: int
    error: UserError | None
    """None: stopped before it began."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """Comes when it changes whether an answer can be kept."""

    message: int
    problem: StorageError | None


@dataclass(frozen=True, slots=True)
class Counted:
    task: CountTask
    count: ContextCount


@dataclass(frozen=True, slots=True)
class NotCounted:
    task: CountTask


@dataclass(frozen=True, slots=True)
class Benching:
    plan: BenchPlan
    progress: BenchProgress


@dataclass(frozen=True, slots=True)
class BenchEnded:
    """Cancelled, it has a report of what was measured before; without a report there is none."""

    plan: BenchPlan
    report: BenchReport | None
    error: UserError | None = None


InferenceEvent = (
    Loading | Loaded | LoadEnded | AnswerEvent | AnswerFailed | Keeping | Counted | NotCounted | Benching | BenchEnded
)

MakeEngine = Callable[[], ChatEngine]
MakeJournal = Callable[[int], Journal]
_GetEngine = Callable[[], ChatEngine]
_Job = Callable[[_GetEngine, CancelToken], None]


class Inference(QObject):
    """`arrived` carries a list of events: the more it costs to show them, the less often."""

    arrived = Signal(list)

    def __init__(
        self, make_engine: MakeEngine, make_journal: MakeJournal, logs: Path, parent: QObject | None = None
    ) -> None:
        """Both are called in the thread: the engine at the first job, a journal for each answer."""
        super().__init__(parent)
        self._outbox = _Outbox()
        self._outbox.filled.connect(self._collect_soon, Qt.ConnectionType.QueuedConnection)
        self._frame = QTimer(self, singleShot=True)
        self._collected = self._spent = 0.0
        self._pace_ms = float(_SHORTEST_MS)
        self._frame.timeout.connect(self._collect)
        self._make_journal = make_journal
        self._logs = logs
        self._load_token = CancelToken()
        self._to_count: CountTask | None = None
        self._worker = _Worker(make_engine)
        self._worker.start()

    def load(self, choice: PairChoice) -> None:
        """Whatever is running or waiting is given up for it."""
        self._worker.cancel_all()
        self._load_token = self._worker.add(lambda engine, cancel: self._load(engine, choice, cancel))

    def answer(self, task: AnswerTask) -> CancelToken:
        """Cancelling it ends the answer; what is written stays."""
        return self._worker.add(lambda engine, cancel: self._answer(engine, task, cancel))

    def count(self, task: CountTask) -> None:
        """Only the latest task counts."""
        self._to_count = task
        self._worker.add(lambda engine, cancel: self._count(engine, task))

    def bench(self, plan: BenchPlan) -> CancelToken:
        """The pair that is loaded is not any more, then. Loading one cancels it."""
        return self._worker.add(lambda engine, cancel: self._bench(engine, plan, cancel))

    def stop_loading(self) -> None:
        self._load_token.cancel()

    def close(self) -> None:
        """Blocks until the running step is over; what was written is in the journal then."""
        self._worker.finish()
        self._frame.stop()
        self._collect()

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
            self.arrived.emit(events)

    def _load(self, engine: _GetEngine, choice: PairChoice, cancel: CancelToken) -> None:
        def progress(part: str, done: float) -> None:
            self._outbox.put(Loading(choice, part, done))

        with self._failing_as(lambda error: LoadEnded(choice, error)):
            self._outbox.put(Loaded(choice, engine().load(choice, cancel, progress)))

    def _answer(self, engine: _GetEngine, task: AnswerTask, cancel: CancelToken) -> None:
        with self._failing_as(lambda error: AnswerFailed(task.message, error)):
            cancel.check()
            with closing(self._make_journal(task.message)) as journal:
                journal.listen(lambda problem: self._outbox.put(Keeping(task.message, problem)))
                for event in engine().answer(task, journal, cancel):
                    self._outbox.put(event)

    def _count(self, engine: _GetEngine, task: CountTask) -> None:
        if task is self._to_count:
            with self._failing_as(lambda error: NotCounted(task)):
                self._outbox.put(Counted(task, engine().count(task)))

    def _bench(self, engine: _GetEngine, plan: BenchPlan, cancel: CancelToken) -> None:
        with self._failing_as(lambda error: BenchEnded(plan, None, error)):
            cancel.check()
            report = engine().bench(plan, lambda progress: self._outbox.put(Benching(plan, progress)), cancel)
            self._outbox.put(BenchEnded(plan, report))

    @contextmanager
    def _failing_as(self, event: Callable[[UserError | None], InferenceEvent]) -> Iterator[None]:
        """Nothing that goes wrong in a job may end the thread."""
        try:
            with own_mistakes_explained(self._logs):
                yield
        except Cancelled:
            self._outbox.put(event(None))
        except UserError as error:
            self._outbox.put(event(error))


class _Outbox(QObject):
    """Tells once that it is no longer empty: a signal for each token would stall the window."""

    filled = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._events: list[InferenceEvent] = []

    def put(self, event: InferenceEvent) -> None:
        with self._lock:
            was_empty = not self._events
            self._events.append(event)
        if was_empty:
            self.filled.emit()

    def take(self) -> list[InferenceEvent]:
        with self._lock:
            events, self._events = self._events, []
        return events


class _Worker(QThread):
    def __init__(self, make_engine: MakeEngine) -> None:
        super().__init__()
        self.setObjectName("inference")
        self._make_engine = make_engine
        self._engine: ChatEngine | None = None
        self._jobs: queue.SimpleQueue[tuple[_Job, CancelToken] | None] = queue.SimpleQueue()
        self._tokens: list[CancelToken] = []
        self._lock = threading.Lock()

    def add(self, job: _Job) -> CancelToken:
        token = CancelToken()
        with self._lock:
            self._tokens.append(token)
        self._jobs.put((job, token))
        return token

    def cancel_all(self) -> None:
        with self._lock:
            tokens = list(self._tokens)
        for token in tokens:
            token.cancel()

    def finish(self) -> None:
        self.cancel_all()
        self._jobs.put(None)
        self.wait()

    def run(self) -> None:
        while (entry := self._jobs.get()) is not None:
            job, token = entry
            job(self._get_engine, token)
            with self._lock:
                self._tokens.remove(token)
        if self._engine is not None:
            self._engine.close()

    def _get_engine(self) -> ChatEngine:
        self._engine = self._engine or self._make_engine()
        return self._engine

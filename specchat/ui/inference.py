"""The thread that owns the models: jobs go in, events come out in batches at the screen's pace."""

import logging
import queue
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal

from specchat.domain.answering import AnswerEvent, AnswerTask, ContextCount, CountTask, PairInfo
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, SpecchatError, UserError
from specchat.domain.ports import ChatEngine, Journal
from specchat.domain.types import PairChoice
from specchat.services.mistakes import own_mistakes_explained

log = logging.getLogger(__name__)

_FRAME_MS = 16


@dataclass(frozen=True, slots=True)
class Loading:
    part: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    pair: PairInfo


@dataclass(frozen=True, slots=True)
class LoadEnded:
    """Without a pair: stopped, or failed for a reason."""

    error: UserError | None


@dataclass(frozen=True, slots=True)
class AnswerFailed:
    message: int
    error: UserError | None
    """None: stopped before it began."""


@dataclass(frozen=True, slots=True)
class Counted:
    task: CountTask
    count: ContextCount


InferenceEvent = Loading | Loaded | LoadEnded | AnswerEvent | AnswerFailed | Counted

MakeEngine = Callable[[], ChatEngine]
MakeJournal = Callable[[int], Journal]
_Job = Callable[[ChatEngine, CancelToken], None]


class Inference(QObject):
    """`arrived` carries a list of events, at most once a frame."""

    arrived = Signal(list)

    def __init__(
        self, make_engine: MakeEngine, make_journal: MakeJournal, logs: Path, parent: QObject | None = None
    ) -> None:
        """Both are called in the thread: the engine at the first job, a journal for each answer."""
        super().__init__(parent)
        self._outbox = _Outbox()
        self._outbox.filled.connect(self._collect_soon, Qt.ConnectionType.QueuedConnection)
        self._frame = QTimer(self, singleShot=True, interval=_FRAME_MS)
        self._frame.timeout.connect(self._collect)
        self._make_journal = make_journal
        self._logs = logs
        self._to_count: CountTask | None = None
        self._worker = _Worker(make_engine, self._outbox.put)
        self._worker.start()

    def load(self, choice: PairChoice) -> None:
        """A load under way is given up for this one."""
        self._worker.cancel_all()
        self._worker.add(lambda engine, cancel: self._load(engine, choice, cancel))

    def answer(self, task: AnswerTask) -> CancelToken:
        """Cancelling it ends the answer; what is written stays."""
        return self._worker.add(lambda engine, cancel: self._answer(engine, task, cancel))

    def count(self, task: CountTask) -> None:
        """Only the latest task counts."""
        self._to_count = task
        self._worker.add(lambda engine, cancel: self._count(engine, task))

    def stop_loading(self) -> None:
        self._worker.cancel_all()

    def close(self) -> None:
        """Blocks until the running step is over; what was written is in the journal then."""
        self._worker.finish()
        self._frame.stop()
        self._collect()

    def _collect_soon(self) -> None:
        if not self._frame.isActive():
            self._frame.start()

    def _collect(self) -> None:
        events = self._outbox.take()
        if events:
            self.arrived.emit(events)

    def _load(self, engine: ChatEngine, choice: PairChoice, cancel: CancelToken) -> None:
        try:
            with own_mistakes_explained(self._logs):
                info = engine.load(choice, cancel, lambda part, done: self._outbox.put(Loading(part, done)))
        except Cancelled:
            self._outbox.put(LoadEnded(None))
        except UserError as error:
            self._outbox.put(LoadEnded(error))
        else:
            self._outbox.put(Loaded(info))

    def _answer(self, engine: ChatEngine, task: AnswerTask, cancel: CancelToken) -> None:
        try:
            with own_mistakes_explained(self._logs):
                cancel.check()
                with closing(self._make_journal(task.message)) as journal:
                    for event in engine.answer(task, journal, cancel):
                        self._outbox.put(event)
        except Cancelled:
            self._outbox.put(AnswerFailed(task.message, None))
        except UserError as error:
            self._outbox.put(AnswerFailed(task.message, error))

    def _count(self, engine: ChatEngine, task: CountTask) -> None:
        if task is not self._to_count:
            return
        try:
            with own_mistakes_explained(self._logs):
                self._outbox.put(Counted(task, engine.count(task)))
        except SpecchatError as error:
            log.info("Tokens not counted: %s", error)


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
    def __init__(self, make_engine: MakeEngine, report: Callable[[InferenceEvent], None]) -> None:
        super().__init__()
        self.setObjectName("inference")
        self._make_engine = make_engine
        self._report = report
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
        engine: ChatEngine | None = None
        while (entry := self._jobs.get()) is not None:
            job, token = entry
            engine = engine or self._make_engine()
            job(engine, token)
            with self._lock:
                self._tokens.remove(token)
        if engine is not None:
            engine.close()

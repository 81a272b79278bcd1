"""Serves requests inside an engine's process, using an in-process engine."""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from queue import SimpleQueue
from typing import IO, NoReturn

from specchat.backends import devices
from specchat.backends.batch_runner import BatchRunner
from specchat.backends.preflight import is_first_load_pending
from specchat.domain.answer_tasks import PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import Lookup, QueryAnswered
from specchat.domain.engine import EngineEvent
from specchat.domain.errors import BugError, Cancelled, UserError
from specchat.domain.loading import OnLoading
from specchat.domain.types import PairChoice, TokenEvent
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.services.engines import wire
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.memory.slot_fit import with_usual_slots

_ALIVE_S = 2.0
"""How often the client is told that passes are made, if there is nothing else to send."""
_TOGETHER_S = 0.016
"""Steps that follow each other within this time are sent together."""


@dataclass(frozen=True, slots=True)
class _Job:
    number: int
    request: wire.Request
    cancel: CancelToken = field(default_factory=CancelToken)


class EngineHost:
    """Computes in the thread that calls `run`. Another thread reads requests, so that jobs can be canceled.

    As many answers run together as the pair has slots. A job that needs the models alone waits until they have ended,
    and later jobs wait for it.
    """

    _error_for: Callable[[Exception], UserError]

    def __init__(self, engine: InProcessEngine, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._engine = engine
        self._requests = requests
        self._replies = replies
        self._writing = threading.Lock()
        self._to_do = SimpleQueue[_Job | None]()
        self._next = deque[_Job | None]()
        """Jobs taken out of the queue. None: the client is gone."""
        self._jobs: dict[int, _Job] = {}
        self._replied = time.monotonic()
        self._scheduler: SlotScheduler | None = None
        """The scheduler of the answers that run together."""
        self._unsent: list[wire.Reply | wire.Numbered] = []
        """Replies of answers that share passes. They are sent before the next pass begins."""
        self._is_computing = threading.Event()

    def run(self, error_for: Callable[[Exception], UserError]) -> None:
        """Answers requests until the client is gone. `error_for`: returns the error to report for a bug of specchat."""
        self._error_for = error_for
        threading.Thread(target=self._read, name="engine-requests", daemon=True).start()
        threading.Thread(target=self._tell_of_passes, name="engine-alive", daemon=True).start()
        with closing(self._engine):
            while (job := self._next.popleft() if self._next else self._to_do.get()) is not None:
                self._is_computing.set()
                if isinstance(job.request, wire.Generate) and self._engine.n_slots > 1:
                    self._answer_together(job)
                else:
                    self._do(job)
                self._is_computing.clear()

    def _answer_together(self, first: _Job) -> None:
        """Runs answers together until none is left."""
        self._scheduler = scheduler = self._engine.scheduler
        scheduler.before_pass = self._send_unsent
        self._next.appendleft(first)
        while True:
            self._answer_lookups()
            while scheduler.n_answers < self._engine.n_slots and (job := self._next_answer()) is not None:
                scheduler.start(partial(self._do, job))
            if not scheduler.n_answers:
                return
            scheduler.run_round()
            self._send_unsent()

    def _answer_lookups(self) -> None:
        """Answers lookups first, because they need no pass."""
        self._take_requests()
        for job in [job for job in self._next if job is not None and _is_lookup(job.request)]:
            self._next.remove(job)
            self._do(job)

    def _take_requests(self) -> None:
        while not self._to_do.empty():
            self._next.append(self._to_do.get())

    def _next_answer(self) -> _Job | None:
        self._take_requests()
        if self._next and self._next[0] is not None and isinstance(self._next[0].request, wire.Generate):
            return self._next.popleft()
        return None

    def _do(self, job: _Job) -> None:
        try:
            reply: wire.Reply = wire.Done(self._result(job))
        except (UserError, Cancelled) as error:
            reply = wire.to_failure(error)
        except MemoryError:
            _end_for_want_of_memory()
        except Exception as cause:  # noqa: BLE001 - reported to the client
            failure = self._error_for(cause)
            failure.__cause__ = cause
            reply = wire.to_failure(failure)
        self._jobs.pop(job.number, None)
        self._reply(wire.Numbered(job.number, reply))

    def _reply(self, reply: wire.Numbered) -> None:
        """Sends a reply, together with those of other answers if there are any."""
        if self._scheduler is not None and self._scheduler.is_shared:
            with self._writing:
                self._unsent.append(reply)
        else:
            self.send_reply(reply)

    def send_reply(self, reply: wire.Reply | wire.Numbered) -> None:
        """Sends a reply; can be called from any thread."""
        with self._writing:
            self._unsent.append(reply)
            self._write_unsent()

    def _send_unsent(self) -> None:
        with self._writing:
            if self._unsent:
                self._write_unsent()

    def _write_unsent(self) -> None:
        self._replied = time.monotonic()
        wire.write(self._replies, *self._unsent)
        self._unsent.clear()

    def _read(self) -> None:
        try:
            while True:
                match wire.read(self._requests):
                    case wire.Numbered(number, wire.Cancel(closing)):
                        if (job := self._jobs.get(number)) is not None:
                            job.cancel.closing |= closing
                            job.cancel.cancel()
                    case wire.Numbered(number, request):
                        self._jobs[number] = job = _Job(number, request)
                        if isinstance(request, wire.Generate) and request.is_cancelled:
                            job.cancel.cancel()
                        self._to_do.put(job)
        except (EOFError, OSError):
            for job in list(self._jobs.values()):
                job.cancel.cancel()
            self._to_do.put(None)
        except BaseException:  # noqa: BLE001 - no request could be read any more
            _end_for_want_of_memory()

    def _tell_of_passes(self) -> None:
        n_reported = BatchRunner.n_passes
        while self._is_computing.wait():
            time.sleep(_ALIVE_S)
            made = BatchRunner.n_passes
            is_alive = made != n_reported or is_first_load_pending()
            if is_alive and time.monotonic() - self._replied > _ALIVE_S / 2:
                self.send_reply(wire.Alive())
            n_reported = made

    def _result(self, job: _Job) -> object:
        engine, cancel = self._engine, job.cancel

        def tell(reply: wire.Reply) -> None:
            self._reply(wire.Numbered(job.number, reply))

        match job.request:
            case wire.Load(choice):
                self.send_reply(wire.DeviceList(tuple(devices.available())))
                pair = self._load(choice, cancel, lambda stage, done: tell(wire.LoadingUpdate(stage, done)))
                self.send_reply(wire.DeviceList(tuple(devices.available())))
                return pair
            case wire.Generate(task):
                self._send_steps(engine.generate(task, cancel), tell)
                return None
            case wire.Count(task):
                return engine.count(task)
            case wire.Bench(plan):
                return engine.bench(plan, lambda progress: tell(wire.BenchUpdate(progress)), cancel)
        raise BugError(f"{job.request} is no request")

    def _load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        choice, reason = with_usual_slots(choice)
        pair = self._engine.load(choice, cancel, progress)
        return replace(pair, slots_reason=pair.slots_reason or reason)

    def _send_steps(self, events: Iterable[EngineEvent], tell: Callable[[wire.Reply], None]) -> None:
        """Sends whole steps, and short ones together, because the client uses a core that the next pass needs."""
        steps: list[EngineEvent] = []
        sent = 0.0
        try:
            for event in events:
                steps.append(event)
                if isinstance(event, TokenEvent) and (event.step is None or time.monotonic() - sent < _TOGETHER_S):
                    continue
                tell(wire.Events(tuple(steps)))
                if not isinstance(event, QueryAnswered):
                    self._make_way()
                steps, sent = [], time.monotonic() if isinstance(event, TokenEvent) else 0.0
        finally:
            if steps:  # the reason for the end follows them
                tell(wire.Events(tuple(steps)))

    def _make_way(self) -> None:
        self._answer_lookups()
        if self._next:
            self._engine.scheduler.pause()


def _is_lookup(request: wire.Request) -> bool:
    """Whether it needs no pass."""
    return isinstance(request, wire.Count) or (isinstance(request, wire.Generate) and isinstance(request.task, Lookup))


def _end_for_want_of_memory() -> NoReturn:
    """Ends this process, because half-finished work can't be trusted, and a new process may get memory."""
    os.write(2, b"MemoryError\n")
    os._exit(1)


class LogForwarder(logging.Handler):
    """Forwards the log of the engine's process to its client."""

    def __init__(self, host: EngineHost) -> None:
        super().__init__(logging.INFO)
        self._host = host

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):  # the client is gone
            self._host.send_reply(wire.LogLine(record.levelno, record.name, self.format(record)))

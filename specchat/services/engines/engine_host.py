"""Serves requests inside an engine's process, using an in-process engine."""

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from queue import SimpleQueue
from typing import IO, NoReturn

from specchat.backends import devices
from specchat.backends.llama_context import LlamaContext
from specchat.backends.preflight import is_first_load_pending
from specchat.domain.benchmark import BenchProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import Engine, EngineEvent
from specchat.domain.errors import BugError, Cancelled, UserError
from specchat.domain.loading import LoadStage
from specchat.domain.types import TokenEvent
from specchat.services.engines import wire

_ALIVE_S = 2.0
"""So often who asked hears that passes are made, where nothing else is said."""
_TOGETHER_S = 0.008
"""Steps that follow each other within it are sent together."""


class EngineHost:
    """Computes in the thread that calls `run`; another one reads, so that what computes can be cancelled."""

    def __init__(self, engine: Engine, requests: IO[bytes], replies: IO[bytes]) -> None:
        self._engine = engine
        self._requests = requests
        self._replies = replies
        self._writing = threading.Lock()
        self._to_do = SimpleQueue[wire.Request | None]()
        self._token = CancelToken()
        self._replied = time.monotonic()
        self._is_computing = threading.Event()

    def run(self, error_for: Callable[[Exception], UserError]) -> None:
        """Answers requests until the other side is gone. `error_for`: what to say of a mistake of our own."""
        threading.Thread(target=self._read, name="engine-requests", daemon=True).start()
        threading.Thread(target=self._tell_of_passes, name="engine-alive", daemon=True).start()
        with closing(self._engine):
            while (request := self._to_do.get()) is not None:
                self._is_computing.set()
                try:
                    reply: wire.Reply = wire.Done(self._result(request, self._token))
                except (UserError, Cancelled) as error:
                    reply = wire.to_failure(error)
                except MemoryError:
                    _end_for_want_of_memory()
                except Exception as cause:  # noqa: BLE001 - told where it was asked for
                    failure = error_for(cause)
                    failure.__cause__ = cause
                    reply = wire.to_failure(failure)
                self._is_computing.clear()
                self.send_reply(reply)

    def send_reply(self, reply: wire.Reply) -> None:
        """From any thread."""
        with self._writing:
            self._replied = time.monotonic()
            wire.write(self._replies, reply)

    def _read(self) -> None:
        try:
            while True:
                match wire.read(self._requests):
                    case wire.Cancel(closing):
                        self._token.closing |= closing
                        self._token.cancel()
                    case request:
                        self._token = CancelToken()
                        self._to_do.put(request)
        except (EOFError, OSError):
            self._token.cancel()
            self._to_do.put(None)
        except BaseException:  # noqa: BLE001 - nobody could ask any more
            _end_for_want_of_memory()

    def _tell_of_passes(self) -> None:
        n_reported = LlamaContext.n_passes
        while self._is_computing.wait():
            time.sleep(_ALIVE_S)
            made = LlamaContext.n_passes
            is_alive = made != n_reported or is_first_load_pending()
            if is_alive and time.monotonic() - self._replied > _ALIVE_S / 2:
                self.send_reply(wire.Alive())
            n_reported = made

    def _result(self, request: wire.Request, cancel: CancelToken) -> object:
        engine = self._engine
        match request:
            case wire.Load(choice):
                self.send_reply(wire.DeviceList(tuple(devices.available())))
                pair = engine.load(choice, cancel, self._show_loading)
                self.send_reply(wire.DeviceList(tuple(devices.available())))
                return pair
            case wire.Generate(task):
                self._send_steps(engine.generate(task, cancel))
                return None
            case wire.Count(task):
                return engine.count(task)
            case wire.Bench(plan):
                return engine.bench(plan, self._show_progress, cancel)
        raise BugError(f"{request} is no request")

    def _show_loading(self, stage: LoadStage, done: float) -> None:
        self.send_reply(wire.LoadingUpdate(stage, done))

    def _show_progress(self, progress: BenchProgress) -> None:
        self.send_reply(wire.BenchUpdate(progress))

    def _send_steps(self, events: Iterable[EngineEvent]) -> None:
        """Whole steps, and several of them where they are short: whoever reads takes a core from the next pass."""
        steps: list[EngineEvent] = []
        sent = 0.0
        try:
            for event in events:
                steps.append(event)
                if isinstance(event, TokenEvent) and (event.step is None or time.monotonic() - sent < _TOGETHER_S):
                    continue
                self.send_reply(wire.Events(tuple(steps)))
                steps, sent = [], time.monotonic() if isinstance(event, TokenEvent) else 0.0
        finally:
            if steps:  # what ended the answer comes after them
                self.send_reply(wire.Events(tuple(steps)))


def _end_for_want_of_memory() -> NoReturn:
    """What is half done then is not to be trusted, and another process may find some."""
    os.write(2, b"MemoryError\n")
    os._exit(1)


class LogForwarder(logging.Handler):
    """What is logged in the engine's process goes into the log of who asked."""

    def __init__(self, host: EngineHost) -> None:
        super().__init__(logging.INFO)
        self._host = host

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(OSError):  # nobody is there any more
            self._host.send_reply(wire.LogLine(record.levelno, record.name, self.format(record)))

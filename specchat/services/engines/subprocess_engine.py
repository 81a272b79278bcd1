"""Engine that runs the models in a separate process, which may crash without harm."""

import logging
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from subprocess import TimeoutExpired
from typing import Self, TypeVar

from specchat.backends.child import LAST_BREATH_S, child_command, child_environment
from specchat.backends.child_process import Process, RunningChild, is_stopped, kill_tree, spawn
from specchat.backends.crash_errors import describe_exit
from specchat.backends.rpc_loss import lost_machine_error, was_machine_lost
from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.embeddings import EmbeddingQuery, RankingQuery
from specchat.domain.engine import EngineEvent, EngineTask
from specchat.domain.errors import NO_MODEL, EngineStoppedError, SettingError
from specchat.domain.loading import OnLoading
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device, PairChoice
from specchat.services.engines import wire
from specchat.services.engines.reply_router import ReplyRouter
from specchat.services.memory.device_memory import set_known_devices
from specchat.services.program.run_ending import RunEnding
from specchat.store.paths import Paths

log = logging.getLogger(__name__)

T = TypeVar("T")

NAME = "engine"
_CLOSING_S = 3.0
_LOOK_S = 1.0
_USES_GPU = "using device"
"""A part of llama.cpp's log lines while it loads on a GPU."""


@dataclass(frozen=True, slots=True)
class EngineTimeouts:
    """Time limits for the process without any progress: no pass ends, and nothing is loaded."""

    loading_s: float = 900.0
    counting_s: float = 60.0
    """Also applies until the prompt is built, which needs no pass except those of other answers."""
    measuring_s: float = 3600.0
    """For a benchmark, which loads models and may wait for llama-server."""
    pass_s: float = 180.0
    """The minimum limit for a pass, or for compiling a grammar."""
    slower: float = 10.0
    """A pass may take this times its usual time."""
    stopped_s: float = 10.0
    """How long the process may be suspended from outside."""
    ending_s: float = 30.0
    """For ending a canceled job."""

    def answering_s(self, plain_s: float) -> float:
        """Returns the limit for one pass. A batch takes at most as long as the same number of plain passes."""
        return max(self.pass_s, self.slower * BATCH * plain_s) if plain_s else self.loading_s


class SubprocessEngine:
    def __init__(
        self,
        places: Paths,
        patience: EngineTimeouts = EngineTimeouts(),
        *,
        recalls: bool = False,
        embeds: bool = False,
    ) -> None:
        """`recalls`: guess from answers in other chats, too. `embeds`: allow loading embedding models and rerankers."""
        folders = places.data, places.config, places.cache, places.logs
        self._start = wire.Start(recalls, embeds, *folders, places.moves_with)
        self._patience = patience
        self._running: _EngineProcess | None = None
        self._jobs = count(1)
        self._last_death: EngineStoppedError | None = None
        """The latest stop since a pair was loaded."""
        self._plain_s = 0.0
        self._rpc: tuple[str, ...] = ()
        """The addresses of other machines in use."""
        self._devices_at_rest: tuple[Device, ...] = ()
        """The devices with their free memory before anything was loaded."""

    @property
    def is_loaded(self) -> bool:
        return self._running is not None and self._running.is_loaded and self._running.process.poll() is None

    @property
    def pid(self) -> int | None:
        return self._running.process.pid if self._running else None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        """Loads in a new process, so that the previous pair's memory is free."""
        self.unload()

        def hear(reply: wire.Reply) -> None:
            if isinstance(reply, wire.LoadingUpdate):
                progress(reply.stage, reply.done)
            elif isinstance(reply, wire.DeviceList):
                self._devices_at_rest = self._devices_at_rest or reply.devices
                set_known_devices(reply.devices)

        self._rpc = choice.target_settings.rpc
        with self._unloaded_unless_done():
            running = self._start_process()
            pair = self._result(running, wire.Load(choice), PairInfo, self._patience.loading_s, cancel, hear)
            cancel.check()  # the process may have finished before it read this
        self._last_death, self._plain_s = None, pair.pass_s
        running.is_loaded = True
        return pair

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        running = self._require_loaded()
        asked = CancelToken()  # closing the iterator ends the answer without setting the caller's token
        with cancel.listening(lambda: _pass_on(cancel, asked)):
            answering_s = self._patience.answering_s(self._plain_s)
            needs_pass = isinstance(task, EmbeddingQuery | RankingQuery) or running.replies.is_awaited
            first_s = answering_s if needs_pass else self._patience.counting_s
            replies = self._ask(running, wire.Generate(task, asked.cancelled), first_s, asked, then_s=answering_s)
            try:
                for reply in replies:
                    if isinstance(reply, wire.Events):
                        yield from reply.events
            except GeneratorExit:
                asked.cancel()
                for _ in replies:
                    pass
                raise

    def count(self, task: CountTask) -> ContextCount:
        running = self._require_loaded()
        patience_s = self._patience.counting_s
        if running.replies.is_awaited:  # it waits for the end of a pass
            patience_s = self._patience.answering_s(self._plain_s)
        return self._result(running, wire.Count(task), ContextCount, patience_s, CancelToken())

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self.unload()
        self._rpc = plan.target_settings.rpc

        def hear(reply: wire.Reply) -> None:
            if isinstance(reply, wire.BenchUpdate):
                on_progress(reply.progress)

        with self._unloaded_unless_done():
            running = self._start_process()
            report = self._result(running, wire.Bench(plan), BenchReport, self._patience.measuring_s, cancel, hear)
        self.unload()
        return report

    def unload(self) -> None:
        running = self._running
        if running is None:
            return
        if running.process.poll() is not None:  # answers may still have to be told
            self._death(running, None)
            return
        self._forget_process()
        with suppress(OSError):
            running.stdin.close()
        with suppress(TimeoutExpired):
            running.process.wait(_CLOSING_S)
        running.stop()

    def close(self) -> None:
        self.unload()

    # Implementation

    @contextmanager
    def _unloaded_unless_done(self) -> Iterator[None]:
        """Unloads after an error, because the process would otherwise continue and take memory."""
        try:
            yield
        except BaseException:
            self.unload()
            raise

    def _forget_process(self) -> None:
        self._running = None
        if self._devices_at_rest:
            set_known_devices(self._devices_at_rest)

    def _require_loaded(self) -> "_EngineProcess":
        running = self._running
        if running is None or not running.is_loaded:  # another answer may have noticed its end a moment ago
            raise self._last_death or SettingError(NO_MODEL, "Choose a pair first.")
        return running

    def _result(
        self,
        running: "_EngineProcess",
        request: wire.Request,
        kind: type[T],
        patience_s: float,
        cancel: CancelToken,
        hear: Callable[[wire.Reply], None] = lambda _: None,
    ) -> T:
        replies = self._ask(running, request, patience_s, cancel)
        while True:
            try:
                hear(next(replies))
            except StopIteration as end:
                if not isinstance(end.value, kind):
                    raise self._death(running, TranslatableText("it sent an invalid reply")) from None
                return end.value

    def _ask(
        self,
        running: "_EngineProcess",
        request: wire.Request,
        patience_s: float,
        cancel: CancelToken,
        *,
        then_s: float | None = None,
    ) -> Generator[wire.Reply, None, object]:
        """Sends a request, yields the replies, and returns the result. `then_s`: the limit after the first event."""
        replies, job = running.replies, next(self._jobs)
        replies.begin(job)
        try:
            with _Watch(running, self._patience, patience_s) as watch:
                # If the process has ended, reading fails as well, or another answer has noticed it.
                with suppress(OSError, ValueError):
                    wire.write(running.stdin, wire.Numbered(job, request))
                takes_no_pass = not isinstance(request, wire.Generate)
                with cancel.listening(lambda: _cancel(running, job, watch if takes_no_pass else None, cancel)):
                    while True:
                        match reply := self._next_reply(running, job, watch, cancel if takes_no_pass else None):
                            case wire.LogLine(level, logger, text):
                                running.uses_gpu |= _USES_GPU in text
                                logging.getLogger(logger).log(level, "%s", text)
                            case wire.Done(result):
                                return result
                            case wire.RequestFailed():
                                raise wire.to_error(reply)
                            case _:
                                if then_s is not None and isinstance(reply, wire.Events):
                                    watch.patience_s = then_s
                                yield reply
        finally:
            replies.finish(job)

    def _next_reply(
        self, running: "_EngineProcess", job: int, watch: "_Watch", cancel: CancelToken | None
    ) -> wire.Reply:
        """`cancel`: where that may end the process."""
        try:
            with watch.waiting():
                return running.replies.next_reply(job)
        except ValueError as error:
            raise self._death(running, TranslatableText("it sent an invalid reply")) from error
        except (EOFError, OSError) as error:
            death = self._death(running, running.verdict)
            if cancel is not None:
                cancel.check()
            raise death from error

    def _start_process(self) -> "_EngineProcess":
        """Starts a new process; there must be none."""
        try:
            self._running = running = _EngineProcess(spawn(child_command(NAME), child_environment()))
        except OSError as error:
            raise EngineStoppedError(
                "llama.cpp couldn't be started: {reason}", "Try again.", reason=error.strerror
            ) from error
        with suppress(OSError):
            wire.write(running.stdin, self._start)
        return running

    def _death(self, running: "_EngineProcess", verdict: TranslatableText | None) -> EngineStoppedError:
        """Returns the same error for all answers that the process was writing."""
        with running.ending:
            if running.death is None:
                if self._running is running:
                    self._forget_process()
                with suppress(TimeoutExpired):  # to get its own exit status, not that of the kill
                    running.process.wait(LAST_BREATH_S)
                last = running.stop()
                reason = verdict or describe_exit(running.process.returncode, last)
                log.info("llama.cpp stopped: %s\n%s", reason, last)
                running.death = self._last_death = self._error_after(running, reason, last)
            return running.death

    def _error_after(self, running: "_EngineProcess", reason: TranslatableText | str, last: str) -> EngineStoppedError:
        if was_machine_lost(last):
            return lost_machine_error(self._rpc)
        error = EngineStoppedError("llama.cpp stopped: {reason}.", "Continue the answer, or ask again.", reason=reason)
        error.used_gpu = RunEnding(f"{_USES_GPU}\n{last}" if running.uses_gpu else last).used_gpu
        return error


class _EngineProcess(RunningChild):
    def __init__(self, process: Process) -> None:
        super().__init__(process)
        self.replies = ReplyRouter(self.stdout)
        self.is_loaded = False
        self.uses_gpu = False
        self.verdict: TranslatableText | None = None
        """Why it was killed from here."""
        self.ending = threading.Lock()
        self.death: EngineStoppedError | None = None


def _pass_on(cancel: CancelToken, asked: CancelToken) -> None:
    asked.closing = cancel.closing
    asked.cancel()


def _cancel(running: RunningChild, job: int, watch: "_Watch | None", cancel: CancelToken) -> None:
    """Cancels a job. `watch`: given for jobs that end soon; others may have to wait for the end of a pass."""
    if watch is not None:
        watch.shorten_timeout()
    with suppress(OSError, ValueError):
        wire.write(running.stdin, wire.Numbered(job, wire.Cancel(cancel.closing)))


class _Watch:
    """Kills the process if it makes no progress for too long, which ends reading."""

    def __init__(self, running: _EngineProcess, patience: EngineTimeouts, patience_s: float) -> None:
        self._running = running
        self._patience = patience
        self.patience_s = patience_s
        self._heard = self._looked = time.monotonic()
        self._stopped_s = 0.0
        self._is_waiting = False
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, name="engine-watch", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Marks the time in which this side waits for the process."""
        self._heard, self._is_waiting = time.monotonic(), True
        yield
        self._is_waiting = False

    def shorten_timeout(self) -> None:
        """Shortens the limit, because the job was canceled."""
        self.patience_s = min(self.patience_s, self._patience.ending_s)
        self._heard = time.monotonic()

    def _run(self) -> None:
        while not self._done.wait(_LOOK_S):
            verdict = self._judge()
            if verdict is not None:
                self._running.verdict = verdict  # for all answers, because the watch of each may be the first to notice
                kill_tree(self._running.process)
                return

    def _judge(self) -> TranslatableText | None:
        now, before = time.monotonic(), self._looked
        self._looked = now
        if now - before > 5 * _LOOK_S:  # the computer was asleep, or this process was suspended
            self._heard, self._stopped_s = now, 0.0
            return None
        is_suspended = is_stopped(self._running.process.pid)
        self._stopped_s = self._stopped_s + now - before if is_suspended else 0.0
        if self._stopped_s > self._patience.stopped_s:
            return TranslatableText("its process was suspended")
        heard = max(self._heard, self._running.replies.heard)
        if self._is_waiting and now - heard > self.patience_s:
            return TranslatableText("no progress for {n} seconds", n=round(now - heard))
        return None

"""Starts, watches and kills child processes through the operating system."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from enum import Enum, auto
from functools import cache, partial
from queue import SimpleQueue
from typing import IO

import psutil

if sys.platform == "win32":
    from specchat.backends.job_object import put_into_job

POLL_S = 0.05
START_BYTES, TAIL_BYTES = 2048, 8192
MAX_REPLY = 64 << 20

_STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)

SPAWNER = "child-spawner"

Process = subprocess.Popen[bytes]
_Queue = SimpleQueue[tuple["Future[Process]", Callable[[], Process]]]


def spawn(command: Sequence[str], environment: Mapping[str, str]) -> Process:
    """Starts a child process. It ends with this process if it calls `end_with_parent`."""
    if sys.is_finalizing():  # other threads no longer run
        return _spawn(command, environment)
    started: Future[Process] = Future()
    _to_start().put((started, partial(_spawn, command, environment)))
    return started.result()


def _spawn(command: Sequence[str], environment: Mapping[str, str]) -> Process:
    # In its own session, it doesn't get Ctrl-C from the terminal, and its whole group can be killed.
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NO_WINDOW
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(environment),
        start_new_session=True,
        creationflags=flags,
    )
    if sys.platform == "win32":
        put_into_job(process.pid)
    return process


@cache
def _to_start() -> _Queue:
    """Starts children in a thread that never ends, because on Linux the end of that thread counts as the parent's."""
    queue = _Queue()
    threading.Thread(target=_start_each, args=[queue], name=SPAWNER, daemon=True).start()
    return queue


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_to_start.cache_clear)


def _start_each(queue: _Queue) -> None:
    while True:
        started, start = queue.get()
        try:
            started.set_result(start())
        except BaseException as error:  # noqa: BLE001 - raised where it was asked for
            started.set_exception(error)


def kill_tree(process: Process) -> None:
    if process.returncode is not None:  # already waited for: another process may have the number by now
        return
    if sys.platform == "win32":
        for member in _family(process.pid):
            with suppress(psutil.Error):
                member.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def resident_memory(pid: int) -> int:
    total = 0
    for member in _family(pid):
        with suppress(psutil.Error):
            total += int(member.memory_info().rss)
    return total


def _family(pid: int) -> list[psutil.Process]:
    """Includes child processes, because the interpreter of a virtual environment on Windows is only a launcher."""
    with suppress(psutil.Error):
        parent = psutil.Process(pid)
        return [*parent.children(recursive=True), parent]
    return []


class StderrTail:
    """Reads the child's error output, so that it never blocks, and keeps its beginning and end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.start = b""
        self._bytes = b""
        self._thread = threading.Thread(target=self._drain, name="child-stderr", daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        with self._stream:
            descriptor = self._stream.fileno()
            while chunk := os.read(descriptor, 4096):
                self.start = (self.start + chunk)[:START_BYTES]
                self._bytes = (self._bytes + chunk)[-TAIL_BYTES:]

    def text_at_end(self) -> str:
        """Waits for the rest of the output. Call it only when the child has ended."""
        self._thread.join()
        return self._bytes.decode("utf-8", "replace").strip()


class RunningChild:
    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.process = process
        self.stdin: IO[bytes] = process.stdin
        self.stdout: IO[bytes] = process.stdout
        self.tail = StderrTail(process.stderr)
        self.greeted = False
        self.memory_limit: int | None = None
        """In bytes, set if the child couldn't limit itself."""

    def exchange(self, line: bytes) -> bytes:
        with suppress(OSError):  # a broken pipe means that it has died; reading will notice it
            self.stdin.write(line)
            self.stdin.flush()
        return self.stdout.readline(MAX_REPLY)

    def stop(self) -> str:
        """Kills the child and returns the end of its error output."""
        kill_tree(self.process)
        self.process.wait()
        with suppress(OSError):
            self.stdin.close()
        self.stdout.close()
        return self.tail.text_at_end()


def seconds_computed(pid: int) -> float:
    total = 0.0
    for member in _computing(pid):
        with suppress(psutil.Error):
            times = member.cpu_times()
            total += times.user + times.system
    return total


def is_stopped(pid: int) -> bool:
    with suppress(psutil.Error):
        return any(member.status() in _STOPPED for member in _computing(pid))
    return False


def _computing(pid: int) -> list[psutil.Process]:
    """The processes that compute: with child processes on Windows only, because finding them takes time."""
    if sys.platform == "win32":
        return _family(pid)
    with suppress(psutil.Error):
        return [psutil.Process(pid)]
    return []


class KillReason(Enum):
    TOO_SLOW = auto()
    HELD_UP = auto()
    TOO_BIG = auto()


class Watchdog:
    """Kills the child when its time or memory is used up, so that blocked reads and writes return.

    While other programs keep it from computing, it has `patience` times as long.
    """

    def __init__(self, process: Process, seconds: float, memory: int | None, patience: float = 1.0) -> None:
        self.verdict: KillReason | None = None
        self._process = process
        self._seconds = seconds
        self._computed = seconds_computed(process.pid)
        self._deadline = time.monotonic() + seconds
        self._last = self._deadline + (patience - 1.0) * seconds
        self._memory = memory
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="child-watchdog", daemon=True)

    def __enter__(self) -> "Watchdog":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._done.wait(self._pause()):
            self.verdict = self._judge()
            if self.verdict is not None:
                kill_tree(self._process)
                return

    def _pause(self) -> float:
        left = self._deadline - time.monotonic()
        return max(left, POLL_S) if self._memory is None else POLL_S

    def _judge(self) -> KillReason | None:
        now = time.monotonic()
        if now >= self._deadline:
            if seconds_computed(self._process.pid) - self._computed >= self._seconds / 2:
                return KillReason.TOO_SLOW
            if now >= self._last or is_stopped(self._process.pid):
                return KillReason.HELD_UP
        if self._memory is not None and resident_memory(self._process.pid) > self._memory:
            return KillReason.TOO_BIG
        return None

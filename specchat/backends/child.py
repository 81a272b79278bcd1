"""Runs a copy of this program for risky work: it can be killed and has no access to secrets."""

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from specchat.backends.child_process import KillReason, RunningChild, Watchdog, kill_tree, resident_memory, spawn
from specchat.domain.errors import SpecchatError
from specchat.domain.translatable_text import TranslatableText

DEFAULT_MEMORY = 256 << 20
START_SECONDS = 30.0
LAST_BREATH_S = 1.0

_KEPT = {
    "PATH",
    "HOME",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "LANG",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "LLAMA_CPP_LIB_PATH",
    "XDG_CACHE_HOME",
    "HF_HOME",
    "HF_HUB_CACHE",
    "HUGGINGFACE_HUB_CACHE",
    "SPECCHAT_HOME",
    "SPECCHAT_LOG",
}
_KEPT_PREFIXES = (
    "PYTHON",
    "LC_",
    "GGML_",
    "CUDA_",
    "HIP_",
    "VK_",
    "HSA_",
    "ROCR_",
    "SYCL_",
    "ONEAPI_",
    "ZES_",
    "OMP_",
    "GOMP_",
    "KMP_",
)


class ChildError(SpecchatError):
    """The child process didn't reply. The next request starts a new one."""

    def __init__(self, message: str, /, **values: object) -> None:
        self.message = TranslatableText(message, **values)
        super().__init__(self.message)


class ChildTimedOut(ChildError):
    pass


class ChildStalled(ChildTimedOut):
    """The child timed out although it hardly computed, or before it was ready, so its task is not the cause."""


class ChildOutOfMemory(ChildError):
    pass


class ChildTooLarge(ChildOutOfMemory):
    """The child was ended by the watchdog, not by its own memory limit."""


class ChildDied(ChildError):
    def __init__(self, message: str, /, *, returncode: int | None = None, stderr: str = "", **values: object) -> None:
        super().__init__(message, **values)
        self.returncode = returncode
        self.stderr = stderr
        """The end of its error output."""


def child_command(name: str) -> list[str]:
    if getattr(sys, "frozen", False):
        return [_packaged_program(), "--child", name]
    return [sys.executable, "-m", "specchat", "--child", name]


def _packaged_program() -> str:
    """Returns the program. On Windows, the one with a console, because the other shows errors in a dialog and waits."""
    if sys.platform == "win32":
        return str(Path(sys.executable).with_name("specchat-cli.exe"))
    return sys.executable


def child_environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if name.upper() in _KEPT or name.upper().startswith(_KEPT_PREFIXES)
    }
    # Python would look for modules in the current folder first, which may be full of downloads.
    return kept | {"PYTHONSAFEPATH": "1"}


class Child:
    """A child process that answers requests, one line of JSON each. It starts when needed, also after it was killed."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: int | None = DEFAULT_MEMORY,
        start_seconds: float = START_SECONDS,
    ) -> None:
        """`memory`: bytes that it may use in addition to its memory when ready. None: no limit."""
        self._command = command
        self._memory = memory
        self._start_seconds = start_seconds
        self._lock = threading.Lock()
        self._running: RunningChild | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        running = self._running
        return running.process.pid if running else None

    def start(self) -> None:
        """Starts the child without waiting until it is ready."""
        with self._lock:
            self._started()

    def request(
        self, payload: Mapping[str, object], *, seconds: float, patience: float = 1.0, memory: int | None = None
    ) -> dict[str, Any]:
        """`patience`: the factor for the time limit while other programs keep the child from computing.
        `memory`: bytes that it may use in addition to its current memory, for this request only.
        """
        with self._lock, ExitStack() as on_failure:
            running = self._started()
            on_failure.callback(self._stop)  # otherwise the next request could get a late reply
            if not running.greeted:
                self._greet(running)
            limit = running.memory_limit if memory is None else resident_memory(running.process.pid) + memory
            message = {"seconds": patience * seconds, "request": payload}
            answer = self._exchange(running, message, seconds, limit, patience)
            reply = _reply_in(answer)
            on_failure.pop_all()
        return reply

    def close(self) -> None:
        """Ends the child for good. A request in another thread fails."""
        self._closed = True
        if running := self._running:
            kill_tree(running.process)
        with self._lock:
            self._stop()

    def _started(self) -> RunningChild:
        if self._closed:
            raise ChildDied("The helper process has exited.")
        if self._running and self._running.process.poll() is not None:
            self._stop()
        if self._running is None:
            try:
                self._running = RunningChild(spawn(self._command, child_environment()))
            except OSError as error:
                raise ChildDied("The helper process failed to start: {reason}.", reason=error.strerror) from error
            atexit.register(self.close)
        return self._running

    def _stop(self) -> str:
        running, self._running = self._running, None
        atexit.unregister(self.close)
        return running.stop() if running else ""

    def _greet(self, running: RunningChild) -> None:
        try:
            answer = self._exchange(running, {"memory": self._memory}, self._start_seconds)
        except (ChildTimedOut, ChildOutOfMemory) as error:
            raise ChildStalled("The helper process failed to start: {reason}", reason=error.message) from error
        if self._memory is not None and not answer.get("limited"):
            running.memory_limit = resident_memory(running.process.pid) + self._memory
        running.greeted = True

    def _exchange(
        self,
        running: RunningChild,
        message: Mapping[str, object],
        seconds: float,
        memory: int | None = None,
        patience: float = 1.0,
    ) -> dict[str, Any]:
        line = json.dumps(message).encode() + b"\n"
        with Watchdog(running.process, seconds, memory, patience) as watchdog:
            answer = running.exchange(line)
        if watchdog.verdict is KillReason.HELD_UP:
            raise ChildStalled("The helper process was suspended, or this computer is too busy.")
        if watchdog.verdict is KillReason.TOO_SLOW:
            raise ChildTimedOut("The helper process took longer than {n} seconds.", n=f"{seconds:g}")
        if watchdog.verdict is KillReason.TOO_BIG:
            raise ChildTooLarge("The helper process used too much memory.")
        if not answer.endswith(b"\n"):
            raise self._death(running)
        return _parsed(answer)

    def _death(self, running: RunningChild) -> ChildError:
        with suppress(subprocess.TimeoutExpired):  # to get its own exit status, not that of the kill
            running.process.wait(LAST_BREATH_S)
        stderr = self._stop()
        if "MemoryError" in stderr:
            return ChildOutOfMemory("The helper process ran out of memory.")
        last_words = stderr.rpartition("\n")[2]
        return ChildDied(
            "The helper process crashed: {words}" if last_words else "The helper process crashed.",
            returncode=running.process.returncode,
            stderr=stderr,
            words=last_words,
        )


def _parsed(answer: bytes) -> dict[str, Any]:
    try:
        parsed = json.loads(answer)
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise ChildDied("The helper process sent an invalid reply.")
    return parsed


def _reply_in(answer: Mapping[str, Any]) -> dict[str, Any]:
    if answer.get("out_of_memory"):
        raise ChildOutOfMemory("The helper process ran out of memory.")
    reply = answer.get("reply")
    if not isinstance(reply, dict):
        raise ChildDied("The helper process sent an invalid reply.")
    return reply

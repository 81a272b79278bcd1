"""A file that is there while the window is: one that outlives its process tells how that ended.

It takes what the run notes, what llama.cpp says of GPUs and before it gives up, Python's trace of a native crash, and
stderr where nobody would see it. Its lock ends with the process, whatever ends that.
"""

import faulthandler
import logging
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from specchat import __version__

log = logging.getLogger(__name__)

LAST_CRASH = "last-crash.txt"
WINDOW, LOADING, AT_REST = "window", "loading", "at rest"
"""What is noted: that there is one, what is being loaded, with its name, and that nothing is."""
_BEYOND = 1 << 30
"""Windows locks bytes: one that is never written."""
_MOST_READ = 1 << 20
_STDERR = 2


class RunRecord:
    """Notes nothing where there is no file."""

    def __init__(self, file: IO[bytes] | None) -> None:
        self._file = file
        self._last = ""

    def note(self, what: str) -> None:
        if what != self._last:
            self._last = what
            self.write(f"- {' '.join(what.split())}")

    def write(self, line: str) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.write(f"{line}\n".encode(errors="backslashreplace"))


@dataclass(frozen=True, slots=True)
class LeftRecord:
    """Of a run that did not get to its end."""

    path: Path
    text: str
    older: tuple[Path, ...] = ()

    def take(self) -> bool:
        """False: another start was faster."""
        try:
            self.path.replace(self.path.with_name(LAST_CRASH))
            for path in self.older:
                path.unlink(missing_ok=True)
        except OSError as error:
            log.info("%s stays: %s", self.path, error)
            return False
        return True


def left_record(folder: Path) -> LeftRecord | None:
    try:
        left = [path for path in folder.glob("running-*.txt") if not _is_alive(path)]
        if not left:
            return None
        *older, newest = sorted(left, key=os.path.getmtime)
        with newest.open("rb") as file:
            return LeftRecord(newest, file.read(_MOST_READ).decode("utf-8", "replace"), tuple(older))
    except OSError as error:
        log.info("How the last run ended is not known: %s", error)
        return None


@contextmanager
def recorded_run(folder: Path) -> Iterator[RunRecord]:
    path = folder / f"running-{os.getpid()}.txt"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if path.exists():  # of a process that had the same number
            path.replace(folder / LAST_CRASH)
        file = path.open("ab", buffering=0)
    except OSError as error:
        log.info("This run is not recorded: %s", error)
        yield RunRecord(None)
        return
    with file:
        _lock(file)
        record = RunRecord(file)
        record.write(f"specchat {__version__}, process {os.getpid()}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}")
        with _log_kept(record), _crashes_traced(file), _stderr_kept(path):
            yield record
    with suppress(OSError):
        path.unlink()


class _Keeper(logging.Handler):
    def __init__(self, record: RunRecord) -> None:
        super().__init__()
        self._record = record

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.CRITICAL or (
            record.name == "specchat.llama" and "using device" in record.getMessage()
        ):
            self._record.write(record.getMessage())


@contextmanager
def _log_kept(record: RunRecord) -> Iterator[None]:
    keeper = _Keeper(record)
    logging.getLogger().addHandler(keeper)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(keeper)
        keeper.close()


@contextmanager
def _crashes_traced(file: IO[bytes]) -> Iterator[None]:
    faulthandler.enable(file)
    try:
        yield
    finally:
        faulthandler.disable()


@contextmanager
def _stderr_kept(path: Path) -> Iterator[None]:
    """What Python, C++ and drivers say there before they end the process.

    Opened anew: programs that are started get it, and would hold the lock when this one has ended.
    """
    if not _is_stderr_lost():
        yield
        return
    before = os.dup(_STDERR)
    with path.open("ab", buffering=0) as file:
        os.dup2(file.fileno(), _STDERR)
    try:
        yield
    finally:
        os.dup2(before, _STDERR)
        os.close(before)


def _is_stderr_lost() -> bool:
    """A socket is the desktop's journal, where nobody looks."""
    try:
        mode = os.fstat(_STDERR).st_mode
    except OSError:
        return False
    return stat.S_ISSOCK(mode) or (stat.S_ISCHR(mode) and not os.isatty(_STDERR))


def _is_alive(path: Path) -> bool:
    with path.open("r+b") as file:
        return not _lock(file)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> bool:
        file.seek(_BEYOND)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            file.seek(0)
        return True
else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        """Without another's: file systems without locks have none."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError as error:
            log.info("There are no locks: %s", error)
        return True

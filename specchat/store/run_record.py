"""Records a run of the window or a server; a record left behind tells how the run ended.

It takes what the run notes, what llama.cpp says of GPUs and before it gives up, Python's trace of a native crash, and
stderr where nobody would see it. Its lock ends with the process, whatever ends that.
"""

import faulthandler
import logging
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import IO

from specchat import __version__
from specchat.store.file_lock import lock, lock_at_once
from specchat.store.private_files import make_private_folder, open_private
from specchat.store.stderr_capture import capture_stderr

log = logging.getLogger(__name__)

LAST_CRASH = "last-crash.txt"
WINDOW, LOADING, AT_REST = "window", "loading", "at rest"
"""The records of a run: its start, the model that is being loaded, and the end of loading."""
IMPORTING, IMPORTED = "importing chats", "imported chats"
"""Not which: a crash report contains the records."""


class RunKind(StrEnum):
    """How the names of their files begin."""

    WINDOW = "running"
    SERVER = "serving"


_HEAD, _TAIL = 1 << 16, 1 << 20
_MOST_READ = _HEAD + _TAIL


class RunRecord:
    """Notes nothing where there is no file."""

    def __init__(self, file: IO[bytes] | None, path: Path | None = None) -> None:
        self.path = path
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
class UnfinishedRecord:
    """Of a run that did not get to its end."""

    path: Path
    text: str
    ended: float

    def claim(self) -> bool:
        """False: another start was faster."""
        kept = self.path.with_name(LAST_CRASH)
        try:
            self.path.replace(kept)
            if kept.stat().st_size > _MOST_READ:
                with open_private(kept, encoding="utf-8") as file:
                    file.write(self.text)
        except FileNotFoundError:
            return False
        except OSError as error:
            log.info("%s stays: %s", self.path, error)
        return True


def unfinished_records(folder: Path, own: Path | None, kind: RunKind = RunKind.WINDOW) -> list[UnfinishedRecord]:
    """The newest first. Without `own`, which seems to be left where file systems have no locks."""
    found = (_left(path) for path in folder.glob(f"{kind}-*.txt") if path != own)
    return sorted((left for left in found if left is not None), key=lambda left: left.ended, reverse=True)


def read_unfinished_record(path: Path) -> str | None:
    """None: the run got to its end."""
    try:
        with path.open("rb") as file:
            return _text(file, os.fstat(file.fileno()).st_size)
    except OSError:
        return None


def delete_records(left: Sequence[UnfinishedRecord]) -> None:
    for record in left:
        try:
            record.path.unlink(missing_ok=True)
        except OSError as error:
            log.info("%s stays: %s", record.path, error)


@contextmanager
def record_run(folder: Path, kind: RunKind = RunKind.WINDOW) -> Iterator[RunRecord]:
    """A server's stderr is left as it is: a journal is where people look for it."""
    path = folder / f"{kind}-{time.time_ns()}-{os.getpid()}.txt"  # numbers of processes are used again
    try:
        make_private_folder(folder)
        file = open_private(path, "ab", buffering=0)
    except OSError as error:
        log.info("Couldn't record this run: %s", error)
        yield RunRecord(None)
        return
    try:
        with file:
            lock(file.fileno())  # another start may just be looking at it
            record = RunRecord(file, path)
            record.write(f"specchat {__version__}, process {os.getpid()}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}")
            stderr = capture_stderr(path) if kind is RunKind.WINDOW else nullcontext()
            with _log_kept(record), _crashes_traced(file), stderr:
                yield record
    finally:
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


def _left(path: Path) -> UnfinishedRecord | None:
    try:
        with path.open("r+b") as file:
            status = os.fstat(file.fileno())
            if status.st_size == 0 or not lock_at_once(file.fileno()):  # it begins only now, or goes on
                return None
            return UnfinishedRecord(path, _text(file, status.st_size), status.st_mtime)
    except OSError as error:
        log.info("The contents of %s are unknown: %s", path, error)
        return None


def _text(file: IO[bytes], size: int) -> str:
    """How it began and how it ended."""
    text = file.read(_HEAD)
    file.seek(max(_HEAD, size - _TAIL))
    return (text + file.read(_TAIL)).decode("utf-8", "replace")

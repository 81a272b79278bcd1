"""The processes of one run of the program, told by the home that they were given."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

PATIENCE_S = 30.0
_TICK_S = 0.02
_BEGAN = psutil.Process().create_time()
"""Of the tests: what is older belongs to somebody else."""


def processes_at(home: Path) -> list[psutil.Process]:
    """Whoever their parent is by now."""
    return [process for process in psutil.process_iter() if _is_ours(process) and _home(process) == str(home)]


def children_at(home: Path, name: str) -> list[psutil.Process]:
    return [process for process in processes_at(home) if _command(process)[-2:] == ["--child", name]]


def with_file_open(home: Path, child: str, file: Path) -> psutil.Process:
    """Waits until that child has opened it."""
    for _ in _ticks():
        for process in children_at(home, child):
            if str(file) in _files(process):
                return process
    raise AssertionError(f"{child} did not open {file}")


def with_words(home: Path, words: str) -> psutil.Process:
    """Waits until there is one with these in its command."""
    for _ in _ticks():
        for process in processes_at(home):
            if words in " ".join(_command(process)):
                return process
    raise AssertionError(f"no process with {words}")


def none_is_left(home: Path) -> bool:
    return any(not processes_at(home) for _ in _ticks())


def has_ended(pid: int) -> bool:
    return any(not _runs(pid) for _ in _ticks())


def _ticks() -> Iterator[None]:
    pause = threading.Event()
    for _ in range(round(PATIENCE_S / _TICK_S)):
        yield
        pause.wait(_TICK_S)


def _runs(pid: int) -> bool:
    """Not one that only waits to be waited for."""
    with suppress(psutil.NoSuchProcess):
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    return False


def _is_ours(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.create_time() >= _BEGAN)
    return False


def _home(process: psutil.Process) -> str:
    """Nobody's, of one that has ended but is not waited for."""
    with suppress(psutil.Error, OSError):
        return str(process.environ().get("SPECCHAT_HOME", ""))
    return ""


def _command(process: psutil.Process) -> Sequence[str]:
    with suppress(psutil.Error):
        command: list[str] = process.cmdline()
        return command
    return []


def _files(process: psutil.Process) -> Sequence[str]:
    with suppress(psutil.Error):
        return [opened.path for opened in process.open_files()]
    return []

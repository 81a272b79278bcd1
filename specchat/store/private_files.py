"""Creates files and folders that only their user may read.

On Windows the folders of a user are so already. Elsewhere others must not read a file at any moment, so its mode is
given when it is made; what an earlier version left readable is mended at the start.
"""

import logging
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

log = logging.getLogger(__name__)

_FOLDER, _FILE = 0o700, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(folder: Path) -> None:
    """With those above it that are missing. What was there before keeps its mode."""
    try:
        folder.mkdir(mode=_FOLDER)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_private_folder(folder.parent)
        folder.mkdir(mode=_FOLDER, exist_ok=True)  # which some folders refuse in the same words, such as /proc
    except FileExistsError:
        if not folder.is_dir():
            raise


def open_private(path: Path, mode: str = "w", **how: Any) -> IO[Any]:
    """Like `open`, also for a file that was there before, which keeps no mode of its own."""
    return open(path, mode, opener=_opened, **how)


def make_private_file(path: Path) -> None:
    """For a library that opens it by its name, and tells why where that cannot be.

    One that is there is left alone: closing it would end SQLite's locks.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE))


def restrict_permissions(folders: Iterable[Path], untouched: Path | None = None) -> None:
    """What is there already. Folders that are missing are made. `untouched`: whose modes somebody else judges."""
    if sys.platform == "win32":
        return
    refused: list[OSError] = []
    for folder in folders:
        try:
            make_private_folder(folder)
            for path, status in _found(folder, str(untouched)):
                _close_to_others(path, status, refused)
        except OSError as error:
            refused.append(error)
    if refused:
        log.info("Other users may be able to read saved files: %s", refused[0])


def _opened(path: str, flags: int) -> int:
    file = os.open(path, flags, _FILE)
    if sys.platform != "win32" and flags & (os.O_WRONLY | os.O_RDWR):
        with suppress(OSError):  # disks without modes
            if os.fstat(file).st_mode & _OTHERS and stat.S_ISREG(os.fstat(file).st_mode):
                os.fchmod(file, _FILE)
    return file


def _found(folder: Path, untouched: str) -> Iterator[tuple[str, os.stat_result]]:
    """Links lead to what is not ours, but the folder itself may be on another disk."""
    yield str(folder), folder.stat()
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_symlink() or entry.path == untouched:
                    continue
                with suppress(FileNotFoundError):  # gone meanwhile
                    yield entry.path, entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)


def _close_to_others(path: str, status: os.stat_result, refused: list[OSError]) -> None:
    if not status.st_mode & _OTHERS or not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode)):
        return
    try:
        os.chmod(path, stat.S_IMODE(status.st_mode) & ~_OTHERS)
    except FileNotFoundError:
        pass
    except OSError as error:
        refused.append(error)

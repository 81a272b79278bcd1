"""Explains disk errors and replaces files so that they survive a loss of power."""

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil
from pathlib import Path

from specchat.domain.errors import StorageError, StorageFullError
from specchat.domain.translatable_text import with_decimals

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SHOWN = 10**8
"""Down to tenths of a gigabyte, rounded so that less room is never shown as enough."""


@contextmanager
def explain_disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in NO_ROOM:
            raise StorageFullError(
                "No space left for {path}: {reason}.",
                "Free up some space, then resume the download. The partial download is kept.",
                path=path,
                reason=error.strerror,
            ) from error
        raise StorageError(
            "Can't write {path}: {reason}.",
            "Check the disk and the folder's permissions, or set HF_HOME to another folder.",
            path=path,
            reason=error.strerror or error,
        ) from error


def require_free_space(folder: Path, needed: int) -> None:
    free = free_space(folder)
    if free is not None and needed > free:
        raise StorageFullError(
            "The download needs {needed} GB more, but the disk with {folder} has only {free} GB free.",
            "Free up some space, or set HF_HOME to a folder on another disk.",
            needed=with_decimals(ceil(needed / _SHOWN) / 10, 1),
            folder=folder,
            free=with_decimals(free // _SHOWN / 10, 1),
        )


def free_space(folder: Path) -> int | None:
    """None: whoever writes there will hear why that cannot be."""
    try:
        return shutil.disk_usage(_existing(folder)).free
    except OSError:
        return None


def replace_file_text(path: Path, text: str) -> None:
    """Old or new, whatever happens: never half of it. One writer at a time."""
    temporary_path(path).write_text(text, encoding="utf-8")
    os.replace(temporary_path(path), path)


def temporary_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def sync_folder(folder: Path) -> None:
    """So that a new name is kept too; Windows keeps it by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _existing(folder: Path) -> Path:
    return next((each for each in (folder, *folder.parents) if os.path.exists(each)), folder)

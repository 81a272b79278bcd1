"""Redirects stderr to a file when nobody would see it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from specchat.store.private_files import open_private

_STDERR = 2
_before: list[int] = []


@contextmanager
def capture_stderr(path: Path) -> Iterator[None]:
    """What Python, C++ and drivers say there before they end the process.

    Opened anew: programs that are started get it, and would hold the lock when this one has ended.
    """
    if not _is_stderr_lost():
        yield
        return
    _before.append(os.dup(_STDERR))
    try:
        with open_private(path, "ab", buffering=0) as file:
            os.dup2(file.fileno(), _STDERR)
        yield
    finally:
        before = _before.pop()
        os.dup2(before, _STDERR)
        os.close(before)


@contextmanager
def original_stderr() -> Iterator[None]:
    """To programs that are started meanwhile: theirs are not our last words, and they may talk for days."""
    if not _before:
        yield
        return
    kept = os.dup(_STDERR)
    os.dup2(_before[-1], _STDERR)
    try:
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def _is_stderr_lost() -> bool:
    """A socket is the desktop's journal, where nobody looks."""
    try:
        mode = os.fstat(_STDERR).st_mode
    except OSError:
        return False
    return stat.S_ISSOCK(mode) or (stat.S_ISCHR(mode) and not os.isatty(_STDERR))

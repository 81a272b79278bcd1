"""Renames a damaged file, so that a new one can take its place."""

from contextlib import ExitStack
from itertools import count
from pathlib import Path

from specchat.domain.errors import UserError

_LOG_FILES = ("-wal", "-shm")
"""Recent messages may be in there only."""


def set_aside(path: Path) -> Path:
    """Where the file is now."""
    free = next(name for number in count(1) if not (name := _aside(path, number)).exists())
    try:
        with ExitStack() as undo:
            for suffix in ("", *_LOG_FILES):
                old, new = path.with_name(path.name + suffix), free.with_name(free.name + suffix)
                if old.exists():
                    old.replace(new)
                    undo.callback(new.replace, old)
            undo.pop_all()
    except OSError as error:
        raise UserError(
            "Can't move {path}: {reason}.",
            "Close other programs that use it, or move it yourself.",
            path=path,
            reason=error.strerror,
        ) from error
    return free


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}-damaged-{number}{path.suffix}")

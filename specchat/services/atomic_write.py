"""Writes user-named files atomically and with private permissions."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryFile

from specchat.domain.errors import SettingError, UserError
from specchat.store.private_files import open_private

_MOST_OF_NAME = 50
"""Characters in a temporary name."""


def require_writable_path(path: Path) -> None:
    """Checks that a file can be written there later."""
    if os.path.isdir(path):  # Path.is_dir raises where a name is too long
        raise SettingError("{path} is a folder.", "Specify a file inside it.", path=path)
    try:
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise _cannot_write(path, error) from error


def require_new_path(path: Path) -> None:
    """Checks that a file can be written there later without replacing one."""
    require_writable_path(path)
    try:
        path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:  # the name is too long
        raise _cannot_write(path, error) from error
    raise SettingError("{path} exists already.", "Choose another name.", path=path)


def _cannot_write(path: Path, error: OSError) -> SettingError:
    return SettingError("Can't write {path}: {reason}.", "Choose another folder.", path=path, reason=error.strerror)


def write_text(path: Path, pieces: Iterable[str]) -> None:
    with atomic_path(path) as part, open_private(part, encoding="utf-8", errors="replace", newline="") as file:
        file.writelines(pieces)


def write_bytes(path: Path, content: bytes) -> None:
    with atomic_path(path) as part, open_private(part, "wb") as file:
        file.write(content)


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yields a temporary file that replaces `path` once it is complete."""
    part = path.with_name(f"{path.name[:_MOST_OF_NAME]}.{token_hex(4)}.part")  # which nobody's file is called
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise UserError(
            "Can't write {path}: {reason}.",
            "Choose another folder, or free up some space.",
            path=path,
            reason=error.strerror,
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)

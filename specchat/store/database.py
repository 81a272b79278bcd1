"""A connection to a SQLite file whose errors become user errors."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from typing import Any

from specchat.domain.errors import DamagedChatsError, StorageBusyError, StorageError, StorageFullError, UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.store.private_files import make_private_file, make_private_folder

Row = tuple[Any, ...]
Parameter = str | int | float | bytes | None

_WAIT_MS = 5000
"""How long to wait for another thread's or program's transaction."""
_LONGEST_PATH = 504
"""SQLite's longest path in bytes; it needs the rest for the names of its other files."""
_INDEX_OF_LOG = 1 << 15
_OF_DAMAGED_SCHEMAS = ("unsupported file format", "no such", "vtable constructor failed", "malformed", "error in")
"""The start of SQLite's errors about hidden damage, which have no error code."""
_CANNOT_BE_WRITTEN = TranslatableText("Can't write {path}: {reason}.")
_WHERE_INSTEAD = TranslatableText(
    "Free up some space, check the folder's permissions, or set SPECCHAT_HOME to another folder."
)


class Database:
    """Each statement is a transaction of its own, except inside `transaction`."""

    def __init__(self, path: Path, *, any_thread: bool = False, in_memory: bool = False) -> None:
        """`any_thread`: the caller lets only one at a time in. `in_memory`: of what was in the file `path`."""
        self.path = path
        with _error_for(path):
            if not in_memory:
                make_private_folder(path.parent)
                make_private_file(path)
            name = ":memory:" if in_memory else path
            self._connection = sqlite3.connect(name, isolation_level=None, check_same_thread=not any_thread)
        try:
            self._set_up()
        except UserError:
            self.close()
            raise

    def _set_up(self) -> None:
        self.execute(f"PRAGMA busy_timeout = {_WAIT_MS}")
        self.execute("PRAGMA journal_mode = WAL")
        self.execute("PRAGMA synchronous = NORMAL")
        self.execute("PRAGMA foreign_keys = ON")

    def rows(self, sql: str, *parameters: Parameter) -> list[Row]:
        with _error_for(self.path):
            return self._connection.execute(sql, _storable(parameters)).fetchall()

    def row(self, sql: str, *parameters: Parameter) -> Row | None:
        found = self.rows(sql, *parameters)
        return found[0] if found else None

    def execute(self, sql: str, *parameters: Parameter) -> int:
        """The id of the row, if one was inserted."""
        with _error_for(self.path):
            return self._connection.execute(sql, _storable(parameters)).lastrowid or 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. It takes the right to write at once, so that it cannot fail for want of it later."""
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.rollback()

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """What is read is of one moment, whatever others write meanwhile."""
        self.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.rollback()

    def backup(self, copy: Path) -> None:
        """Written under another name first: a half-written copy never looks like a whole one."""
        part = copy.with_name(copy.name + ".part")
        with _error_for(copy):
            part.unlink(missing_ok=True)
            make_private_file(part)
            with closing(sqlite3.connect(part)) as target:
                self._connection.backup(target)
            part.replace(copy)

    def close(self) -> None:
        self._connection.close()


def _storable(parameters: Sequence[Parameter]) -> tuple[Parameter, ...]:
    return tuple(_whole_characters(value) if isinstance(value, str) else value for value in parameters)


def _whole_characters(text: str) -> str:
    """Halves of characters, which windows can hand over, joined where they belong together."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


@contextmanager
def _error_for(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        error_for = _in_words(path, error)
        if error_for is None:
            raise
        raise error_for from error
    except OSError as error:
        raise UserError(_CANNOT_BE_WRITTEN, _WHERE_INSTEAD, path=path, reason=error.strerror) from error


def _in_words(path: Path, error: sqlite3.Error) -> UserError | None:
    """None: a mistake of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:  # only text that is none fails without a code
        return damaged_chats_error(path) if isinstance(error, sqlite3.OperationalError) else None
    if code == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
        return UserError("This message was deleted.", "Send it again.")
    if code == sqlite3.SQLITE_ERROR and str(error).startswith(_OF_DAMAGED_SCHEMAS):
        return damaged_chats_error(path)
    match code & 0xFF:
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_FORMAT | sqlite3.SQLITE_MISMATCH:
            return damaged_chats_error(path)
        case sqlite3.SQLITE_FULL:
            return _no_room(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return StorageError(
                "Can't write {path}.",
                "Check the permissions of this file and its folder, or set SPECCHAT_HOME to another folder.",
                path=path,
            )
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return StorageBusyError("Another program is using {path}.", "Close it and try again.", path=path)
        case sqlite3.SQLITE_CANTOPEN:
            return _why_not_opened(path)
        case sqlite3.SQLITE_IOERR:
            if _is_full(path):
                return _no_room(path)
            return StorageError("Can't read or write {path}.", "Check the disk's free space and connection.", path=path)
        case sqlite3.SQLITE_TOOBIG:
            return UserError("This text is too long to save.", "Shorten it.")
    return None


def _no_room(path: Path) -> StorageFullError:
    return StorageFullError(
        "The disk is full: can't write {name}.", "Free up some space and try again.", name=path.name
    )


def _is_full(path: Path) -> bool:
    """SQLite tells a disk without room for the index of its log from a broken one by nothing."""
    try:
        return disk_usage(path.parent).free < _INDEX_OF_LOG
    except OSError:
        return False


def _why_not_opened(path: Path) -> StorageError:
    """SQLite itself does not tell."""
    if path.is_dir():
        return StorageError(
            "{path} is a folder.", "Rename it: specchat keeps its chats in a file with that name.", path=path
        )
    if len(os.fsencode(path.absolute())) > _LONGEST_PATH:
        return StorageError(
            "The path to {name} is too long.",
            "Set SPECCHAT_HOME to a folder with a shorter path.",
            name=path.name,
        )
    try:
        with TemporaryFile(dir=path.parent):
            return StorageError(
                "Can't open {path}.", "Check that you have permission to read and write this file.", path=path
            )
    except OSError as error:
        return StorageError(_CANNOT_BE_WRITTEN, _WHERE_INSTEAD, path=path.parent, reason=error.strerror)


def damaged_chats_error(path: Path) -> DamagedChatsError:
    return DamagedChatsError(
        "{path} is damaged.",
        "Recover the readable chats with: specchat chats salvage. The damaged file stays in its folder.",
        path=path,
    )

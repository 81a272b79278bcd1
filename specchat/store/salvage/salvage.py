"""Builds a fresh database from the readable rows and sets the damaged one aside."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from specchat.domain.conversations import DamagedChat
from specchat.domain.errors import UserError
from specchat.store.database import Database, damaged_chats_error
from specchat.store.migrations import migrate
from specchat.store.salvage.salvaged_chats import SalvagedChats
from specchat.store.salvage.tables import read_tables
from specchat.store.schema import MIGRATIONS
from specchat.store.set_aside import set_aside

_WHOLE = [("ok",)]
_SEARCHED = ("message_index", "title_index", "attachment_index")


@dataclass(frozen=True, slots=True)
class SalvagedDatabase:
    database: Database
    """In memory."""
    damaged: Sequence[DamagedChat]
    copies: Sequence[Path]
    """That had what is lost elsewhere."""


def check_integrity(database: Database) -> None:
    """It reads everything once."""
    if database.rows("PRAGMA integrity_check(1)") != _WHOLE:
        raise damaged_chats_error(database.path)


def check_search_index(database: Database) -> None:
    """It has to be allowed to write, though it does not."""
    with database.transaction():
        for index in _SEARCHED:
            database.execute(f"INSERT INTO {index} ({index}) VALUES ('integrity-check')")


def salvage(path: Path) -> SalvagedDatabase:
    if not path.is_file():
        raise UserError("File not found: {path}.", "Check SPECCHAT_HOME.", path=path)
    try:
        chats = SalvagedChats(read_tables(path))
        chats.fill_from(
            SalvagedChats(read_tables(path, with_log=False))
        )  # where the log is damaged, this is older but whole
        copies = [copy for copy in _copies(path) if chats.fill_from(SalvagedChats(read_tables(copy)))]
    except OSError as error:
        raise UserError(
            "Can't read {path}: {reason}.", "Check its permissions.", path=path, reason=error.strerror
        ) from error
    database = Database(path, in_memory=True)
    migrate(database, MIGRATIONS)
    return SalvagedDatabase(database, chats.write_to(database), copies)


def replace_damaged(path: Path, salvaged: SalvagedDatabase) -> Path:
    """Where the damaged file is now."""
    new = path.with_name(f"{path.stem}-salvaged{path.suffix}")
    salvaged.database.backup(new)
    aside = set_aside(path)
    try:
        new.replace(path)
    except OSError as error:
        raise UserError(
            "Can't write {path}: {reason}.",
            "The chats are in {new}. Rename that file to {name}.",
            path=path,
            reason=error.strerror,
            new=new,
            name=path.name,
        ) from error
    return aside


def _copies(path: Path) -> list[Path]:
    """The newest first."""
    kinds = ("version", "damaged")
    found = [copy for kind in kinds for copy in path.parent.glob(f"{path.stem}-{kind}-*{path.suffix}")]
    return sorted(found, key=lambda copy: -copy.stat().st_mtime)

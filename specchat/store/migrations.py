"""Migrates a database from any earlier schema version to the current one."""

from collections.abc import Sequence
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.store.database import Database, damaged_chats_error
from specchat.store.schema import APPLICATION_ID, MIGRATIONS, Migration


def migrate(database: Database, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """However many steps there are, one copy is kept: from before the first."""
    version = _version(database, len(migrations))
    if 0 < version < len(migrations):
        database.backup(backup_path(database.path, version))
    while version < len(migrations):
        _take_step(database, migrations)
        version = _version(database, len(migrations))


def backup_path(path: Path, version: int) -> Path:
    return path.with_name(f"{path.stem}-version-{version}{path.suffix}")


def _take_step(database: Database, migrations: Sequence[Migration]) -> None:
    with database.transaction():
        version = _version(database, len(migrations))  # another program may have been faster
        if version < len(migrations):
            for statement in migrations[version]:
                database.execute(statement)
            database.execute(f"PRAGMA user_version = {version + 1}")


def _version(database: Database, newest: int) -> int:
    version = _number(database, "PRAGMA user_version")
    ours = _number(database, "PRAGMA application_id") == APPLICATION_ID
    is_empty = version == 0 and _number(database, "SELECT count(*) FROM sqlite_master") == 0
    if not ours and not is_empty:
        raise damaged_chats_error(database.path)
    if version > newest:
        raise UserError(
            "{path} was written by a newer version of specchat.",
            "Update specchat, or set SPECCHAT_HOME to another folder.",
            path=database.path,
        )
    return version


def _number(database: Database, sql: str) -> int:
    ((value,),) = database.rows(sql)
    return int(value)

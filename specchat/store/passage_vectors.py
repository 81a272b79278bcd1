"""Caches vectors of passages in a database of its own."""

import time
from contextlib import suppress
from pathlib import Path

from specchat.domain.errors import DamagedChatsError, UserError
from specchat.store.database import Database

_MOST = 512 << 20
"""Bytes. The least recently used vectors are deleted first."""
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, used REAL NOT NULL, content BLOB NOT NULL)"
_OLDEST = """
    DELETE FROM vectors WHERE key IN (
        SELECT key FROM (SELECT key, sum(length(content)) OVER (ORDER BY used DESC, key) AS total FROM vectors)
        WHERE total > ?
    )
"""


class PassageVectors:
    """Errors are ignored, because vectors can be computed again."""

    def __init__(self, path: Path, most: int = _MOST) -> None:
        self._most = most
        try:
            self._database = _open(path)
        except DamagedChatsError:
            _delete(path)
            self._database = _open(path)

    def find(self, key: str) -> bytes | None:
        row = None
        with suppress(UserError):
            row = self._database.row("SELECT content FROM vectors WHERE key = ?", key)
            self._database.execute("UPDATE vectors SET used = ? WHERE key = ?", time.time(), key)
        return row[0] if row is not None and isinstance(row[0], bytes) else None

    def add(self, key: str, content: bytes) -> None:
        with suppress(UserError):
            self._database.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", key, time.time(), content)

    def close(self) -> None:
        with suppress(UserError):
            self._database.execute(_OLDEST, self._most)
        self._database.close()


def _open(path: Path) -> Database:
    database = Database(path)
    try:
        database.execute(_TABLE)
    except UserError:
        database.close()
        raise
    return database


def _delete(path: Path) -> None:
    with suppress(OSError):
        for suffix in ("", "-wal", "-shm"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)

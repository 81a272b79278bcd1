"""Keeps vectors of passages in a database of its own, which can be computed again at any time."""

import time
from pathlib import Path

from specchat.store.database import Database

_MOST = 512 << 20
"""Bytes; those that were used longest ago go."""
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key TEXT PRIMARY KEY, used REAL NOT NULL, content BLOB NOT NULL)"
_OLDEST = """
    DELETE FROM vectors WHERE key IN (
        SELECT key FROM (SELECT key, sum(length(content)) OVER (ORDER BY used DESC, key) AS total FROM vectors)
        WHERE total > ?
    )
"""


class PassageVectors:
    def __init__(self, path: Path, most: int = _MOST) -> None:
        self._database, self._most = Database(path), most
        self._database.execute(_TABLE)

    def find(self, key: str) -> bytes | None:
        row = self._database.row("SELECT content FROM vectors WHERE key = ?", key)
        if row is None:
            return None
        self._database.execute("UPDATE vectors SET used = ? WHERE key = ?", time.time(), key)
        return bytes(row[0])

    def add(self, key: str, content: bytes) -> None:
        self._database.execute("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", key, time.time(), content)

    def close(self) -> None:
        self._database.execute(_OLDEST, self._most)
        self._database.close()

"""The tables, as a list of steps that only ever grows: what has been released is never changed.

Messages know what they were trashed with (`trash_root`), so that undoing one deletion leaves earlier ones alone.
Parents are older than what is below them, thus have smaller ids, and ids are never used again.
"""

from collections.abc import Sequence

APPLICATION_ID = 0x53504348

Migration = Sequence[str]

_FIRST: Migration = (
    f"PRAGMA application_id = {APPLICATION_ID}",
    """
    CREATE TABLE conversation (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        title TEXT NOT NULL,
        created REAL NOT NULL,
        updated REAL NOT NULL,
        titled_by_user INTEGER NOT NULL,
        pinned INTEGER NOT NULL,
        trashed REAL,
        leaf INTEGER,
        draft TEXT NOT NULL,
        settings TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE message (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
        parent INTEGER REFERENCES message,
        role TEXT NOT NULL,
        text TEXT NOT NULL,
        created REAL NOT NULL,
        state TEXT NOT NULL,
        attachments TEXT,
        trashed REAL,
        trash_root INTEGER
    )
    """,
    "CREATE INDEX message_parent ON message (parent)",
    "CREATE INDEX message_sibling ON message (conversation, parent) WHERE trashed IS NULL",
    "CREATE INDEX message_trash ON message (trash_root) WHERE trashed IS NOT NULL",
    "CREATE INDEX message_streaming ON message (id) WHERE state = 'streaming'",
    """
    CREATE TABLE answer (
        message INTEGER PRIMARY KEY REFERENCES message ON DELETE CASCADE,
        facts TEXT NOT NULL,
        marks BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE chunk (
        id INTEGER PRIMARY KEY,
        message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
        text TEXT NOT NULL,
        marks BLOB NOT NULL
    )
    """,
    "CREATE INDEX chunk_message ON chunk (message)",
    "CREATE TABLE preset (name TEXT PRIMARY KEY COLLATE NOCASE, settings TEXT NOT NULL)",
)


def _search(table: str, column: str, index: str) -> Migration:
    add = f"INSERT INTO {index} (rowid, {column}) VALUES (new.id, new.{column});"
    remove = f"INSERT INTO {index} ({index}, rowid, {column}) VALUES ('delete', old.id, old.{column});"
    return (
        f"CREATE VIRTUAL TABLE {index} USING fts5 ({column}, content = '{table}', content_rowid = 'id', "
        "tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3')",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE OF {column} ON {table} "
        f"WHEN old.{column} IS NOT new.{column} BEGIN {remove} {add} END",
    )


MIGRATIONS: Sequence[Migration] = (
    (*_FIRST, *_search("message", "text", "message_index"), *_search("conversation", "title", "title_index")),
)

"""The tables as a list of migrations; a released migration never changes.

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


def _search(table: str, index: str, *columns: str, prefixes: str = "1 2 3") -> Migration:
    """`prefixes`: lengths of beginnings of words that have an index of their own, which takes most of the time."""
    names, new, old = (", ".join(prefix + column for column in columns) for prefix in ("", "new.", "old."))
    differs = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
    beginnings = f", prefix = '{prefixes}'" if prefixes else ""
    add = f"INSERT INTO {index} (rowid, {names}) VALUES (new.id, {new});"
    remove = f"INSERT INTO {index} ({index}, rowid, {names}) VALUES ('delete', old.id, {old});"
    return (
        f"CREATE VIRTUAL TABLE {index} USING fts5 ({names}, content = '{table}', content_rowid = 'id', "
        f"tokenize = 'unicode61 remove_diacritics 2'{beginnings})",
        f"CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN {add} END",
        f"CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN {remove} END",
        f"CREATE TRIGGER {index}_update AFTER UPDATE OF {names} ON {table} WHEN {differs} BEGIN {remove} {add} END",
    )


_ATTACHMENTS: Migration = (
    """
    CREATE TABLE attachment (
        id INTEGER PRIMARY KEY,
        message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
        name TEXT NOT NULL,
        text TEXT NOT NULL
    )
    """,
    "CREATE INDEX attachment_message ON attachment (message)",
    *_search("attachment", "attachment_index", "name", "text"),
    """
    INSERT INTO attachment (message, name, text)
    SELECT message.id, json_extract(file.value, '$.name'), json_extract(file.value, '$.text')
    FROM message, json_each(CASE WHEN json_valid(attachments) THEN attachments END) AS file
    ORDER BY message.id, file.key
    """,
    "ALTER TABLE message DROP COLUMN attachments",
)

_UNSENT: Migration = (
    """
    CREATE TABLE unsent (
        id INTEGER PRIMARY KEY,
        conversation INTEGER NOT NULL REFERENCES conversation ON DELETE CASCADE,
        name TEXT NOT NULL,
        text TEXT NOT NULL
    )
    """,
    "CREATE INDEX unsent_conversation ON unsent (conversation)",
)

_PICTURES: Migration = (
    """
    CREATE TABLE picture (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        size INTEGER NOT NULL,
        content BLOB NOT NULL
    )
    """,
    """
    CREATE TABLE picture_use (
        id INTEGER PRIMARY KEY,
        picture INTEGER NOT NULL REFERENCES picture,
        name TEXT NOT NULL,
        message INTEGER REFERENCES message ON DELETE CASCADE,
        unsent INTEGER REFERENCES conversation ON DELETE CASCADE
    )
    """,
    "CREATE INDEX picture_use_picture ON picture_use (picture)",
    "CREATE INDEX picture_use_message ON picture_use (message) WHERE message IS NOT NULL",
    "CREATE INDEX picture_use_unsent ON picture_use (unsent) WHERE unsent IS NOT NULL",
    """
    CREATE TRIGGER picture_use_delete AFTER DELETE ON picture_use
    WHEN NOT EXISTS (SELECT 1 FROM picture_use WHERE picture = old.picture)
    BEGIN DELETE FROM picture WHERE id = old.picture; END
    """,
)
"""Each picture once; it goes with its last use: in a message, or in what a conversation has not sent yet.

By `size`, salvaging tells its rows from those of `answer`.
"""

_QUICK_ATTACHMENTS: Migration = (
    *(f"DROP TRIGGER attachment_index_{event}" for event in ("insert", "delete", "update")),
    "DROP TABLE attachment_index",
    *_search("attachment", "attachment_index", "name", "text", prefixes=""),
    "INSERT INTO attachment_index (attachment_index) VALUES ('rebuild')",
)
"""The window waits while a book is sent."""

_PROJECTS_AND_PROMPTS: Migration = (
    """
    CREATE TABLE project (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        created REAL NOT NULL,
        trashed REAL,
        folded INTEGER NOT NULL,
        settings TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE project_file (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        text TEXT NOT NULL,
        project INTEGER NOT NULL REFERENCES project ON DELETE CASCADE
    )
    """,
    "CREATE INDEX project_file_project ON project_file (project)",
    "ALTER TABLE conversation ADD COLUMN project INTEGER REFERENCES project ON DELETE SET NULL",
    "CREATE INDEX conversation_project ON conversation (project) WHERE project IS NOT NULL",
    "CREATE TABLE prompt (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, text TEXT NOT NULL)",
)
"""The chats of a project in the trash stay in it, and count as being in none.

The order of columns tells the rows of `project_file` from those of `attachment` when they are salvaged.
"""

_TOOL_CALLS: Migration = (
    "CREATE TABLE tool_call (message INTEGER PRIMARY KEY REFERENCES message ON DELETE CASCADE, called TEXT NOT NULL)",
)
"""Of the messages with the role "tool", whose text is the result."""

_QUICK_DELETION: Migration = ("CREATE INDEX message_conversation ON message (conversation)",)
"""Each conversation that is deleted looks for its messages, those in the trash included."""

MIGRATIONS: Sequence[Migration] = (
    (*_FIRST, *_search("message", "message_index", "text"), *_search("conversation", "title_index", "title")),
    _ATTACHMENTS,
    _UNSENT,
    _PICTURES,
    _QUICK_ATTACHMENTS,
    _PROJECTS_AND_PROMPTS,
    _TOOL_CALLS,
    _QUICK_DELETION,
)

"""Stores the files attached to messages that are not sent yet."""

from collections.abc import Sequence
from itertools import takewhile

from specchat.domain.conversations import Attachment
from specchat.store.database import Database


def read_unsent_files(database: Database, conversation: int) -> tuple[Attachment, ...]:
    rows = database.rows("SELECT name, text FROM unsent WHERE conversation = ? ORDER BY id", conversation)
    return tuple(Attachment(name, text) for name, text in rows)


def save_unsent_files(database: Database, conversation: int, files: Sequence[Attachment]) -> None:
    """They may be large: those before the first that is another stay as they are."""
    with database.transaction():
        rows = database.rows("SELECT id, name, text FROM unsent WHERE conversation = ? ORDER BY id", conversation)
        pairs = zip(rows, files, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0][1:] == (pair[1].name, pair[1].text), pairs))
        for id_, *_ in rows[same:]:
            database.execute("DELETE FROM unsent WHERE id = ?", id_)
        for file in files[same:]:
            database.execute(
                "INSERT INTO unsent (conversation, name, text) VALUES (?, ?, ?)", conversation, file.name, file.text
            )

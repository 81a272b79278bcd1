"""Stores the files attached to messages that are not sent yet."""

from collections.abc import Sequence
from itertools import takewhile

from specchat.domain.conversations import Attached, Attachment
from specchat.store.database import Database
from specchat.store.media import read_unsent_media, save_unsent_media


def read_unsent_files(database: Database, conversation: int) -> tuple[Attached, ...]:
    rows = database.rows("SELECT name, text FROM unsent WHERE conversation = ? ORDER BY id", conversation)
    return (*read_unsent_media(database, conversation), *(Attachment(name, text) for name, text in rows))


def save_unsent_files(database: Database, conversation: int, files: Sequence[Attached]) -> None:
    with database.transaction():
        save_unsent_media(database, conversation, [file for file in files if not isinstance(file, Attachment)])
        _save_texts(database, conversation, [file for file in files if isinstance(file, Attachment)])


def _save_texts(database: Database, conversation: int, files: Sequence[Attachment]) -> None:
    """They may be large: those before the first that is another stay as they are."""
    rows = database.rows("SELECT id, name, text FROM unsent WHERE conversation = ? ORDER BY id", conversation)
    pairs = zip(rows, files, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][1:] == (pair[1].name, pair[1].text), pairs))
    for id_, *_ in rows[same:]:
        database.execute("DELETE FROM unsent WHERE id = ?", id_)
    for file in files[same:]:
        database.execute(
            "INSERT INTO unsent (conversation, name, text) VALUES (?, ?, ?)", conversation, file.name, file.text
        )

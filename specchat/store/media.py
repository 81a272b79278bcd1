"""Stores pictures and recordings, each of them once, and where they are used. Their first bytes tell which it is."""

from collections.abc import Sequence
from itertools import takewhile
from weakref import WeakValueDictionary

from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording, media_of
from specchat.store.database import Database
from specchat.store.encoding import require_types

_Media = Picture | Recording

_in_use: WeakValueDictionary[tuple[str, str], _Media] = WeakValueDictionary()
"""They are large, and read again with each look at their messages."""


def read_media(database: Database, conversation: int, first: int, last: int) -> dict[int, list[_Media]]:
    """By message, from the first to the last."""
    rows = database.rows(
        "SELECT picture_use.message, picture.id, picture.digest, picture_use.name "
        "FROM picture_use CROSS JOIN message ON message.id = picture_use.message "
        "JOIN picture ON picture.id = picture_use.picture "
        "WHERE picture_use.message BETWEEN ? AND ? AND message.conversation = ? ORDER BY picture_use.id",
        *(first, last, conversation),
    )
    found: dict[int, list[_Media]] = {}
    for message, id_, digest, name in rows:
        found.setdefault(message, []).append(_media(database, id_, digest, name))
    return found


def add_media(database: Database, message: int, media: Sequence[_Media]) -> None:
    for each in media:
        database.execute(
            "INSERT INTO picture_use (picture, name, message) VALUES (?, ?, ?)",
            *(_stored(database, each), each.name, message),
        )


def read_unsent_media(database: Database, conversation: int) -> list[_Media]:
    rows = database.rows(
        "SELECT picture.id, picture.digest, picture_use.name FROM picture_use "
        "JOIN picture ON picture.id = picture_use.picture WHERE unsent = ? ORDER BY picture_use.id",
        conversation,
    )
    return [_media(database, *row) for row in rows]


def save_unsent_media(database: Database, conversation: int, media: Sequence[_Media]) -> None:
    """Those before the first that is another stay as they are, and so does the content of the others."""
    rows = database.rows(
        "SELECT picture_use.id, picture.digest, picture_use.name FROM picture_use "
        "JOIN picture ON picture.id = picture_use.picture WHERE unsent = ? ORDER BY picture_use.id",
        conversation,
    )
    pairs = zip(rows, media, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0][1:] == (pair[1].digest, pair[1].name), pairs))
    for each in media[same:]:
        database.execute(
            "INSERT INTO picture_use (picture, name, unsent) VALUES (?, ?, ?)",
            *(_stored(database, each), each.name, conversation),
        )
    for id_, *_ in rows[same:]:
        database.execute("DELETE FROM picture_use WHERE id = ?", id_)


def _stored(database: Database, media: _Media) -> int:
    _in_use.setdefault((media.digest, media.name), media)
    known = database.row("SELECT id FROM picture WHERE digest = ?", media.digest)
    if known is not None:
        return int(known[0])
    return database.execute(
        "INSERT INTO picture (digest, size, content) VALUES (?, ?, ?)",
        *(media.digest, len(media.content), media.content),
    )


def _media(database: Database, id_: int, digest: str, name: str) -> _Media:
    require_types(str, digest, name)
    known = _in_use.get((digest, name))
    if known is None:
        ((content,),) = database.rows("SELECT content FROM picture WHERE id = ?", id_)
        require_types(bytes, content)
        known = _in_use[digest, name] = media_of(content, name)
    return known

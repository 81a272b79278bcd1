"""Reads and writes messages, whose rows refer to their parents."""

from dataclasses import replace

from specchat.domain.conversations import Answer, Attachment, Deletion, MessageState, StoredMessage
from specchat.domain.errors import UserError
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Role
from specchat.store.database import Database, Row
from specchat.store.encoding import (
    decode,
    decode_marks,
    decoding_errors,
    encode,
    encode_answer,
    encode_marks,
    require_times,
    require_types,
)
from specchat.store.media import add_media, read_media

COLUMNS = ", ".join(f"message.{name}" for name in ("id", "conversation", "parent", "role", "text", "created", "state"))
_ROLES = {role.value: role for role in Role}  # quicker than asking the enumeration, ten thousand times
_STATES = {state.value: state for state in MessageState}
_BELOW = """
    WITH RECURSIVE below (id) AS (
        SELECT id FROM message WHERE {top}
        UNION
        SELECT message.id FROM below JOIN message ON message.parent = below.id WHERE {which}
    )
"""
_ABOVE = """
    WITH RECURSIVE above (id, parent) AS (
        SELECT id, parent FROM message WHERE id = ?
        UNION ALL
        SELECT message.id, message.parent FROM above JOIN message ON message.id = above.parent
    )
"""
_LONGEST_BEGINNING = 10_000
_DELETIONS = """
    SELECT message.trash_root, message.conversation, conversation.title, substr(message.text, 1, ?), count(*),
        message.trashed, above.trash_root, min(message.id)
    FROM message JOIN conversation ON conversation.id = message.conversation
    LEFT JOIN message AS above ON above.id = message.parent
    WHERE message.trashed IS NOT NULL AND conversation.trashed IS NULL
    GROUP BY message.trash_root ORDER BY message.trashed DESC, message.trash_root DESC
"""
"""With min(), SQLite takes the other columns from the row with the lowest id: the first one deleted."""
_DELETED_BELOW = """
    SELECT 1 FROM message JOIN message AS above ON above.id = message.parent
    WHERE above.trash_root = ?1 AND message.trash_root IS NOT ?1
"""
"""Another time."""
_AWAITING_CONSENT = """
    WITH RECURSIVE ending (conversation, message, called) AS (
        SELECT conversation.id, leaf, called
        FROM conversation JOIN tool_call ON tool_call.message = conversation.leaf WHERE conversation.trashed IS NULL
        UNION ALL
        SELECT ending.conversation, above.message, above.called FROM ending
        JOIN message ON message.id = ending.message JOIN tool_call AS above ON above.message = message.parent
    )
    SELECT DISTINCT conversation FROM ending
    WHERE CASE WHEN json_valid(called) THEN json_extract(called, '$.state') = ? END
"""
_LIVE_BELOW = _BELOW.format(top="id = ?", which="message.trashed IS NULL")


def path(database: Database, leaf: int, *, with_pictures: bool = True) -> list[StoredMessage]:
    rows = database.rows(f"{_ABOVE} SELECT {COLUMNS} FROM above CROSS JOIN message ON message.id = above.id", leaf)
    rows.sort(key=_id)
    return _with_versions(database, _found(rows), with_pictures=with_pictures)


def message(database: Database, wanted: int) -> StoredMessage:
    rows = database.rows(f"SELECT {COLUMNS} FROM message WHERE id = ?", wanted)
    return _with_versions(database, _found(rows))[0]


def conversation_messages(database: Database, conversation: int) -> list[StoredMessage]:
    """All versions that are not in the trash."""
    rows = database.rows(
        f"SELECT {COLUMNS} FROM message WHERE conversation = ? AND trashed IS NULL ORDER BY id", conversation
    )
    return _with_versions(database, rows)


def _found(rows: list[Row]) -> list[Row]:
    if not rows:
        raise UserError("This message was deleted.", "Choose another message.")
    return rows


def _id(row: Row) -> int:
    return int(row[0])


def _with_versions(database: Database, rows: list[Row], *, with_pictures: bool = True) -> list[StoredMessage]:
    if not rows:
        return []
    conversation = rows[0][1]
    branches = _branches(database, conversation)
    ends = _id(rows[0]), _id(rows[-1])
    attachments = _attachments(database, conversation, *ends)
    calls = _calls(database, conversation, *ends)
    with decoding_errors(database.path):
        media = read_media(database, conversation, *ends) if with_pictures else {}
        return [
            _message(
                *(database, row, branches.get(row[2], [])),
                tuple(attachments.get(_id(row), ())),
                media.get(_id(row), []),
                calls.get(_id(row)),
            )
            for row in rows
        ]


def _branches(database: Database, conversation: int) -> dict[int | None, list[int]]:
    """The parents of several versions; most messages have but one."""
    rows = database.rows(
        "SELECT parent, group_concat(id) FROM message WHERE conversation = ? AND trashed IS NULL "
        "GROUP BY parent HAVING count(*) > 1",
        conversation,
    )
    return {parent: sorted(map(int, ids.split(","))) for parent, ids in rows}


def _attachments(database: Database, conversation: int, first: int, last: int) -> dict[int, list[Attachment]]:
    """What is attached to the messages from the first to the last."""
    rows = database.rows(
        "SELECT attachment.message, attachment.name, attachment.text "
        "FROM attachment CROSS JOIN message ON message.id = attachment.message "
        "WHERE attachment.message BETWEEN ? AND ? AND message.conversation = ? ORDER BY attachment.id",
        *(first, last, conversation),
    )
    found: dict[int, list[Attachment]] = {}
    for message_id, name, text in rows:
        found.setdefault(message_id, []).append(Attachment(name, text))
    return found


def _calls(database: Database, conversation: int, first: int, last: int) -> dict[int, CalledTool]:
    rows = database.rows(
        "SELECT tool_call.message, called FROM tool_call JOIN message ON message.id = tool_call.message "
        "WHERE tool_call.message BETWEEN ? AND ? AND message.conversation = ?",
        *(first, last, conversation),
    )
    with decoding_errors(database.path):
        return {message_id: decode(CalledTool, called) for message_id, called in rows}


def _message(
    database: Database,
    row: Row,
    siblings: list[int],
    attachments: tuple[Attachment, ...],
    media: list[Picture | Recording],
    called: CalledTool | None,
) -> StoredMessage:
    id_, conversation, parent, role, text, created, state = row
    require_types(str, text, *(each for file in attachments for each in (file.name, file.text)))
    require_times(created)
    return StoredMessage(
        id=id_,
        conversation=conversation,
        parent=parent,
        role=_ROLES[role],
        text=text if state != MessageState.STREAMING else text + _journalled(database, id_),
        created=created,
        state=_STATES[state],
        attachments=attachments,
        pictures=tuple(each for each in media if isinstance(each, Picture)),
        recordings=tuple(each for each in media if isinstance(each, Recording)),
        version=siblings.index(id_) + 1 if id_ in siblings else 1,
        versions=max(len(siblings), 1),
        called=called,
    )


def _journalled(database: Database, wanted: int) -> str:
    return "".join(text for (text,) in database.rows("SELECT text FROM chunk WHERE message = ? ORDER BY id", wanted))


def versions(database: Database, wanted: int) -> list[int]:
    rows = database.rows(
        "SELECT sibling.id FROM message JOIN message AS sibling "
        "ON sibling.conversation = message.conversation AND sibling.parent IS message.parent "
        "WHERE message.id = ? AND sibling.trashed IS NULL ORDER BY sibling.id",
        wanted,
    )
    return [id_ for (id_,) in rows]


def newest_leaf(database: Database, wanted: int) -> int:
    """The newest of all below it: nothing can be below that one."""
    ((newest,),) = database.rows(f"{_LIVE_BELOW} SELECT max(id) FROM below", wanted)
    return wanted if newest is None else int(newest)


def answer(database: Database, wanted: int) -> Answer | None:
    row = database.row("SELECT facts, marks FROM answer WHERE message = ?", wanted)
    if row is None:
        return None
    facts, marks = row
    with decoding_errors(database.path):
        return replace(decode(Answer, facts), marks=decode_marks(marks))


def require_parent(database: Database, parent: int | None) -> None:
    if parent is not None and not database.row("SELECT 1 FROM message WHERE id = ? AND trashed IS NULL", parent):
        raise UserError("This message was deleted.", "Restore it, or continue from another message.")


def insert(database: Database, new: StoredMessage) -> int:
    added = database.execute(
        "INSERT INTO message (conversation, parent, role, text, created, state) VALUES (?, ?, ?, ?, ?, ?)",
        *(new.conversation, new.parent, new.role, new.text, new.created, new.state),
    )
    for attached in new.attachments:
        database.execute(
            "INSERT INTO attachment (message, name, text) VALUES (?, ?, ?)", added, attached.name, attached.text
        )
    add_media(database, added, (*new.pictures, *new.recordings))
    if new.called is not None:
        save_call(database, added, new.called)
    return added


def save_call(database: Database, wanted: int, called: CalledTool) -> None:
    database.execute("INSERT OR REPLACE INTO tool_call (message, called) VALUES (?, ?)", wanted, encode(called))


def save_result(database: Database, wanted: int, called: CalledTool, result: str) -> None:
    with database.transaction():
        database.execute("UPDATE message SET text = ? WHERE id = ?", result, wanted)
        save_call(database, wanted, called)


def awaiting_consent(database: Database) -> list[int]:
    """The conversations that end with calls of tools of which one waits, or runs."""
    return [id_ for (id_,) in database.rows(_AWAITING_CONSENT, CallState.WAITING)]


def save_answer(database: Database, wanted: int, new: Answer) -> None:
    save_packed_answer(database, wanted, pack_answer(new))


def pack_answer(new: Answer) -> tuple[str, bytes]:
    """What takes most of the time of saving it, and needs no transaction."""
    return encode_answer(new), encode_marks(new.marks)


def save_packed_answer(database: Database, wanted: int, new: tuple[str, bytes]) -> None:
    database.execute("INSERT OR REPLACE INTO answer (message, facts, marks) VALUES (?, ?, ?)", wanted, *new)


def trash(database: Database, wanted: int, now: float) -> None:
    """What was shown below it gives way to the newest of what is left."""
    with database.transaction():
        _put_into_trash(database, wanted, now)


def retract(database: Database, wanted: int, now: float) -> None:
    """What was deleted below it could not be restored without it."""
    with database.transaction():
        _put_into_trash(database, wanted, now)
        if not database.row(_DELETED_BELOW, wanted):
            database.execute("DELETE FROM message WHERE trash_root = ?", wanted)


def _put_into_trash(database: Database, wanted: int, now: float) -> None:
    database.execute(
        f"{_LIVE_BELOW} UPDATE message SET trashed = ?, trash_root = ? WHERE id IN below", wanted, now, wanted
    )
    trashed = message(database, wanted)
    database.execute(
        "UPDATE conversation SET leaf = ? WHERE id = ? AND leaf IN (SELECT id FROM message WHERE trash_root = ?)",
        *(_newest_left(database, trashed), trashed.conversation, wanted),
    )


def deletions(database: Database) -> list[Deletion]:
    return [Deletion(*row) for *row, _ in database.rows(_DELETIONS, _LONGEST_BEGINNING)]


def _newest_left(database: Database, trashed: StoredMessage) -> int | None:
    if trashed.parent is not None:
        return newest_leaf(database, trashed.parent)
    ((newest,),) = database.rows(
        "SELECT max(id) FROM message WHERE conversation = ? AND trashed IS NULL", trashed.conversation
    )
    return None if newest is None else int(newest)


def restore(database: Database, wanted: int, leaf: int | None) -> None:
    """With those above it, without which it could not be shown."""
    with database.transaction():
        database.execute("UPDATE message SET trashed = NULL, trash_root = NULL WHERE trash_root = ?", wanted)
        database.execute(
            f"{_ABOVE} UPDATE message SET trashed = NULL, trash_root = NULL WHERE id IN (SELECT id FROM above)", wanted
        )
        database.execute(
            "UPDATE conversation SET leaf = ? WHERE id = (SELECT conversation FROM message WHERE id = ?)", leaf, wanted
        )


def purge(database: Database, before: float) -> None:
    below = _BELOW.format(top="trashed < ?", which="TRUE")
    database.execute(f"{below} DELETE FROM message WHERE id IN below", before)


def purge_deletion(database: Database, wanted: int) -> None:
    below = _BELOW.format(top="trash_root = ?", which="TRUE")
    database.execute(f"{below} DELETE FROM message WHERE id IN below", wanted)

"""Whole conversations, out and in."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

from specchat.domain.conversations import Answer, Conversation, ConversationTree
from specchat.domain.errors import UserError
from specchat.store import messages
from specchat.store.database import Database
from specchat.store.encoding import decode, decode_marks, decoding, encode, marks_as_json
from specchat.store.unsent import save_unsent, unsent

_AT_ONCE = 50
"""Messages in one transaction: whoever else wants to write waits no longer than for these."""
NOT_WHOLE = 0.0
"""When it was put into the trash, of a conversation that is being added: it shows nowhere."""
_OF_ANSWERS = """
    SELECT {columns} FROM answer JOIN message ON message.id = answer.message
    WHERE conversation = ? AND trashed IS NULL
"""


def insert_conversation(database: Database, new: Conversation) -> int:
    return database.execute(
        "INSERT INTO conversation (title, created, updated, titled_by_user, pinned, trashed, draft, settings) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        *(new.title, new.created, new.updated, new.titled_by_user, new.pinned, new.trashed, new.draft),
        encode(new.settings),
    )


def tree(database: Database, conversation: Conversation, *, with_marks: bool) -> ConversationTree:
    with decoding(database.path):
        answers = dict(_answers(database, conversation.id, with_marks))
    found = tuple(messages.of_conversation(database, conversation.id))
    return ConversationTree(conversation, found, answers, unsent(database, conversation.id))


def _answers(database: Database, conversation: int, with_marks: bool) -> Iterator[tuple[int, Answer]]:
    columns = "answer.message, facts, marks" if with_marks else "answer.message, facts"
    for message, facts, *packed in database.rows(_OF_ANSWERS.format(columns=columns), conversation):
        answer = decode(Answer, facts)
        yield message, replace(answer, marks=decode_marks(*packed)) if packed else answer


def marks(database: Database, conversation: int) -> dict[int, str]:
    rows = database.rows(_OF_ANSWERS.format(columns="answer.message, marks"), conversation)
    with decoding(database.path):
        return {message: marks_as_json(packed) for message, packed in rows}


def add(database: Database, new: Iterable[ConversationTree]) -> list[int]:
    """None of them shows until all are there."""
    added: list[int] = []
    with ExitStack() as undo:
        undo.callback(_remove, database, added)
        for one in new:
            added.append(insert_conversation(database, replace(one.conversation, trashed=NOT_WHOLE)))
            _add_messages(database, added[-1], one)
            save_unsent(database, added[-1], one.unsent_files)
        with database.transaction():
            for conversation in added:
                database.execute("UPDATE conversation SET trashed = NULL WHERE id = ?", conversation)
        undo.pop_all()
    return added


def _add_messages(database: Database, conversation: int, new: ConversationTree) -> None:
    ids: dict[int | None, int | None] = {None: None}
    for begin in range(0, len(new.messages), _AT_ONCE):
        some = new.messages[begin : begin + _AT_ONCE]
        packed = {m.id: messages.packed(new.answers[m.id]) for m in some if m.id in new.answers}
        with database.transaction():
            for message in some:
                own = replace(message, conversation=conversation, parent=ids[message.parent])
                ids[message.id] = added = messages.insert(database, own)
                if message.id in packed:
                    messages.save_packed(database, added, packed[message.id])
    database.execute("UPDATE conversation SET leaf = ? WHERE id = ?", ids[new.conversation.leaf], conversation)


def _remove(database: Database, added: list[int]) -> None:
    """What cannot be removed now is when the window opens the next time."""
    with suppress(UserError):
        for conversation in added:
            database.execute("DELETE FROM conversation WHERE id = ?", conversation)


def remove_what_is_not_whole(database: Database) -> None:
    database.execute("DELETE FROM conversation WHERE trashed = ?", NOT_WHOLE)

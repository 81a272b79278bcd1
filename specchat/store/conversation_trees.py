"""Reads and inserts whole conversations."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace

from specchat.domain.conversations import Answer, Conversation, ConversationTree
from specchat.domain.errors import UserError
from specchat.store import messages
from specchat.store.database import Database
from specchat.store.encoding import decode, decode_marks, decoding_errors, encode, marks_as_json
from specchat.store.projects import project_name, require_project
from specchat.store.unsent_files import read_unsent_files, save_unsent_files

_AT_ONCE = 50
"""Messages, or deleted chats, in one transaction: whoever else wants to write waits no longer than for these."""
INCOMPLETE = 0.0
"""The trash time of a conversation that is being added, which hides it everywhere."""
_OF_ANSWERS = """
    SELECT {columns} FROM answer JOIN message ON message.id = answer.message
    WHERE conversation = ? AND trashed IS NULL
"""


def insert_conversation(database: Database, new: Conversation) -> int:
    return database.execute(
        "INSERT INTO conversation (title, created, updated, titled_by_user, pinned, trashed, draft, settings, project) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        *(new.title, new.created, new.updated, new.titled_by_user, new.pinned, new.trashed, new.unsent_text),
        *(encode(new.settings), new.project),
    )


def read_tree(database: Database, conversation: Conversation, *, with_marks: bool) -> ConversationTree:
    with decoding_errors(database.path):
        answers = dict(_answers(database, conversation.id, with_marks))
    found = tuple(messages.conversation_messages(database, conversation.id))
    files, project = read_unsent_files(database, conversation.id), project_name(database, conversation.project)
    return ConversationTree(conversation, found, answers, files, project)


def _answers(database: Database, conversation: int, with_marks: bool) -> Iterator[tuple[int, Answer]]:
    columns = "answer.message, facts, marks" if with_marks else "answer.message, facts"
    for message, facts, *packed in database.rows(_OF_ANSWERS.format(columns=columns), conversation):
        answer = decode(Answer, facts)
        yield message, replace(answer, marks=decode_marks(*packed)) if packed else answer


def read_marks_json(database: Database, conversation: int) -> dict[int, str]:
    rows = database.rows(_OF_ANSWERS.format(columns="answer.message, marks"), conversation)
    with decoding_errors(database.path):
        return {message: marks_as_json(packed) for message, packed in rows}


def add_trees(database: Database, new: Iterable[ConversationTree]) -> list[int]:
    """None of them shows until all are there."""
    added: list[int] = []
    projects: dict[int, tuple[str, float]] = {}
    """The name of each conversation's project, and when it was last used."""
    with ExitStack() as undo:
        undo.callback(_remove, database, added)
        for one in new:
            added.append(insert_conversation(database, replace(one.conversation, trashed=INCOMPLETE)))
            _add_messages(database, added[-1], one)
            save_unsent_files(database, added[-1], one.unsent_files)
            if one.project and one.conversation.project is None:
                projects[added[-1]] = one.project, one.conversation.updated
        with database.transaction():
            for conversation, (name, used) in projects.items():
                project = require_project(database, name, used)
                database.execute("UPDATE conversation SET project = ? WHERE id = ?", project, conversation)
            for conversation in added:
                database.execute("UPDATE conversation SET trashed = NULL WHERE id = ?", conversation)
        undo.pop_all()
    return added


def _add_messages(database: Database, conversation: int, new: ConversationTree) -> None:
    ids: dict[int | None, int | None] = {None: None}
    for begin in range(0, len(new.messages), _AT_ONCE):
        some = new.messages[begin : begin + _AT_ONCE]
        packed = {m.id: messages.pack_answer(new.answers[m.id]) for m in some if m.id in new.answers}
        with database.transaction():
            for message in some:
                own = replace(message, conversation=conversation, parent=ids[message.parent])
                ids[message.id] = added = messages.insert(database, own)
                if message.id in packed:
                    messages.save_packed_answer(database, added, packed[message.id])
    database.execute("UPDATE conversation SET leaf = ? WHERE id = ?", ids[new.conversation.leaf], conversation)


def _remove(database: Database, added: list[int]) -> None:
    """What cannot be removed now is when the window opens the next time."""
    with suppress(UserError):
        for begin in range(0, len(added), _AT_ONCE):
            with database.transaction():
                for conversation in added[begin : begin + _AT_ONCE]:
                    database.execute("DELETE FROM conversation WHERE id = ?", conversation)


def remove_incomplete_trees(database: Database) -> None:
    database.execute("DELETE FROM conversation WHERE trashed = ?", INCOMPLETE)

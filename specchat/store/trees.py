"""Whole conversations, out and in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from specchat.domain.conversations import Answer, Conversation, ConversationTree
from specchat.store import messages
from specchat.store.database import Database
from specchat.store.encoding import decode, decode_marks, decoding, encode


def insert_conversation(database: Database, new: Conversation) -> int:
    return database.execute(
        "INSERT INTO conversation (title, created, updated, titled_by_user, pinned, draft, settings) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        *(new.title, new.created, new.updated, new.titled_by_user, new.pinned, new.draft, encode(new.settings)),
    )


def tree(database: Database, conversation: Conversation) -> ConversationTree:
    with decoding(database.path):
        answers = dict(_answers(database, conversation.id))
    return ConversationTree(conversation, tuple(messages.of_conversation(database, conversation.id)), answers)


def _answers(database: Database, conversation: int) -> Iterator[tuple[int, Answer]]:
    rows = database.rows(
        "SELECT answer.message, facts, marks FROM answer JOIN message ON message.id = answer.message "
        "WHERE conversation = ? AND trashed IS NULL",
        conversation,
    )
    for message, facts, marks in rows:
        yield message, replace(decode(Answer, facts), marks=decode_marks(marks))


def add(database: Database, new: Sequence[ConversationTree]) -> list[int]:
    with database.transaction():
        return [_add(database, one) for one in new]


def _add(database: Database, new: ConversationTree) -> int:
    conversation = insert_conversation(database, new.conversation)
    ids: dict[int | None, int | None] = {None: None}
    for message in new.messages:
        own = replace(message, conversation=conversation, parent=ids[message.parent])
        ids[message.id] = added = messages.insert(database, own)
        if message.id in new.answers:
            messages.save_answer(database, added, new.answers[message.id])
    database.execute("UPDATE conversation SET leaf = ? WHERE id = ?", ids[new.conversation.leaf], conversation)
    return conversation

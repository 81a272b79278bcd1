from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import ANSWER_TEXT, add, add_answer

from specchat.domain.conversations import Attachment, Conversation, Deletion, StoredMessage
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.store.chat_store import SqliteChatStore, open_chat_store


def texts(chats: SqliteChatStore, conversation: Conversation) -> list[str]:
    return [message.text for message in chats.tree(conversation.id).messages]


def leaf(chats: SqliteChatStore, conversation: Conversation) -> int | None:
    return chats.conversation(conversation.id).leaf


def test_a_message_takes_all_below_it_along(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    answer = add_answer(chats, question, "answer")
    last = add(chats, conversation, "two", answer.id)
    chats.trash_message(answer.id, now=5.0)
    assert texts(chats, conversation) == ["one"]
    assert leaf(chats, conversation) == question.id
    chats.restore_message(answer.id, last.id)
    assert texts(chats, conversation) == ["one", "answer", "two"]
    assert leaf(chats, conversation) == last.id


def test_another_version_takes_its_place(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    first, second = add_answer(chats, question, "first"), add_answer(chats, question, "second")
    chats.trash_message(second.id, now=5.0)
    assert leaf(chats, conversation) == first.id
    assert (chats.message(first.id).version, chats.message(first.id).versions) == (1, 1)
    assert chats.versions(first.id) == [first.id]


def test_of_the_first_message_too(chats: SqliteChatStore, conversation: Conversation) -> None:
    first, second = add(chats, conversation, "first"), add(chats, conversation, "second")
    chats.trash_message(second.id, now=5.0)
    assert leaf(chats, conversation) == first.id
    chats.trash_message(first.id, now=5.0)
    assert leaf(chats, conversation) is None


def test_what_is_shown_stays_where_it_was_not_deleted(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    first, second = add_answer(chats, question), add_answer(chats, question)
    chats.trash_message(first.id, now=5.0)
    assert leaf(chats, conversation) == second.id


def test_undoing_one_deletion_leaves_an_earlier_one_alone(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    answer = add_answer(chats, question, "answer")
    chats.trash_message(answer.id, now=5.0)
    chats.trash_message(question.id, now=6.0)
    chats.restore_message(question.id, question.id)
    assert texts(chats, conversation) == ["one"]


def test_what_is_restored_brings_those_above_it_along(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    answer = add_answer(chats, question, "answer")
    chats.trash_message(answer.id, now=5.0)
    chats.trash_message(question.id, now=6.0)
    chats.restore_message(answer.id, answer.id)
    assert texts(chats, conversation) == ["one", "answer"]


def test_nothing_is_added_below_what_was_deleted(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    chats.trash_message(question.id, now=5.0)
    with pytest.raises(UserError, match="was deleted"):
        add_answer(chats, question)


def test_only_what_has_been_in_the_trash_for_long_is_purged(chats: SqliteChatStore, conversation: Conversation) -> None:
    old, new, kept = (add(chats, conversation, text) for text in ("old", "new", "kept"))
    below_old = add_answer(chats, old)
    chats.trash_message(old.id, now=5.0)
    chats.trash_message(new.id, now=7.0)
    chats.purge(before=6.0)
    ids = [id_ for (id_,) in chats.database.rows("SELECT id FROM message ORDER BY id")]
    assert ids == [new.id, kept.id]
    assert chats.answer(below_old.id) is None
    chats.restore_message(new.id, new.id)
    assert texts(chats, conversation) == ["new", "kept"]


def test_a_purged_conversation_leaves_nothing(chats: SqliteChatStore, conversation: Conversation) -> None:
    add_answer(chats, add(chats, conversation, "one"))
    chats.save_conversation(replace(chats.conversation(conversation.id), trashed=5.0))
    assert chats.search("one", 10) == []
    chats.purge(before=6.0)
    assert chats.trashed_conversations() == []
    for table in ("message", "answer", "chunk"):
        assert chats.database.rows(f"SELECT * FROM {table}") == []


def ask_with_file(chats: SqliteChatStore, conversation: Conversation, text: str) -> StoredMessage:
    file = Attachment(f"{text}.txt", "a file")
    return chats.add_message(StoredMessage(0, conversation.id, None, Role.USER, text, 1.0, attachments=(file,)))


def test_what_is_taken_back_leaves_nothing(chats: SqliteChatStore, conversation: Conversation) -> None:
    """And takes nothing else along."""
    kept = add_answer(chats, ask_with_file(chats, conversation, "kept"))
    deleted = add(chats, conversation, "deleted", kept.id)
    chats.trash_message(deleted.id, now=4.0)
    refused = ask_with_file(chats, conversation, "refused")
    empty = add_answer(chats, refused, "")
    chats.retract_message(refused.id, now=5.0)
    assert texts(chats, conversation) == ["kept", ANSWER_TEXT]
    assert leaf(chats, conversation) == kept.id
    assert [each.text for each in chats.deletions()] == ["deleted"]
    assert chats.database.rows("SELECT name FROM attachment") == [("kept.txt",)]
    assert chats.answer(empty.id) is None
    assert chats.search("refused", 10) == []
    assert len(chats.search("file", 10)) == 1


def test_what_was_deleted_below_it_can_still_come_back(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    first, second = add_answer(chats, question, "first"), add_answer(chats, question, "")
    chats.trash_message(first.id, now=4.0)
    chats.retract_message(question.id, now=5.0)
    assert texts(chats, conversation) == []
    assert leaf(chats, conversation) is None
    chats.restore_message(first.id, first.id)
    assert texts(chats, conversation) == ["one", "first"]
    assert [each.message for each in chats.deletions()] == [question.id]
    assert chats.message(second.id).text == ""


def test_ids_are_not_used_again(chats: SqliteChatStore, conversation: Conversation) -> None:
    message = add(chats, conversation, "one")
    chats.trash_message(message.id, now=5.0)
    chats.purge(before=6.0)
    assert add(chats, conversation, "two").id > message.id


def test_each_deletion_is_listed_also_after_a_restart(
    chats: SqliteChatStore, chats_path: Path, conversation: Conversation
) -> None:
    """With all versions counted, and by the message that was deleted."""
    question = add(chats, conversation, "one")
    for text in ("first", "second"):
        answer = add_answer(chats, question, text)
    other = add(chats, conversation, "other")
    last = add(chats, conversation, "last", other.id)
    chats.save_conversation(replace(chats.conversation(conversation.id), title="Tides"))
    for id_, now in ((answer.id, 5.0), (question.id, 6.0), (last.id, 7.0)):
        chats.trash_message(id_, now)
    chats.close()
    again = open_chat_store(chats_path)
    assert again.deletions() == [
        Deletion(last.id, conversation.id, "Tides", "last", 1, 7.0),
        Deletion(question.id, conversation.id, "Tides", "one", 2, 6.0),
        Deletion(answer.id, conversation.id, "Tides", "second", 1, 5.0, within=question.id),
    ]
    again.restore_message(question.id, question.id)
    assert [each.message for each in again.deletions()] == [last.id, answer.id]
    again.close()


def test_what_is_left_of_a_deletion_stays_listed(chats: SqliteChatStore, conversation: Conversation) -> None:
    """Its first message came back with another one."""
    question = add(chats, conversation, "one")
    first, second = add_answer(chats, question, "first"), add_answer(chats, question, "second")
    for id_, now in ((second.id, 5.0), (question.id, 6.0)):
        chats.trash_message(id_, now)
    chats.restore_message(second.id, second.id)
    (left,) = chats.deletions()
    assert (left.message, left.text, left.n_messages, left.within) == (question.id, "first", 1, None)
    chats.restore_message(question.id, first.id)
    assert texts(chats, conversation) == ["one", "first", "second"]
    assert chats.deletions() == []


def test_of_a_chat_in_the_trash_they_are_not_listed(chats: SqliteChatStore, conversation: Conversation) -> None:
    chats.trash_message(add(chats, conversation, "one").id, now=5.0)
    kept = chats.conversation(conversation.id)
    chats.save_conversation(replace(kept, trashed=6.0))
    assert chats.deletions() == []
    chats.save_conversation(kept)
    assert [each.text for each in chats.deletions()] == ["one"]


def test_one_deletion_is_purged_with_all_that_hangs_on_it(chats: SqliteChatStore, conversation: Conversation) -> None:
    question, kept = add(chats, conversation, "one"), add(chats, conversation, "kept")
    answer = add_answer(chats, question)
    other = add(chats, conversation, "other")
    for id_, now in ((answer.id, 5.0), (question.id, 6.0), (other.id, 7.0)):
        chats.trash_message(id_, now)
    for id_ in (question.id, kept.id):
        chats.purge_message(id_)
    assert [each.message for each in chats.deletions()] == [other.id]
    assert texts(chats, conversation) == ["kept"]
    assert chats.answer(answer.id) is None


def test_a_deletion_finds_what_goes_with_it_at_once(chats_path: Path) -> None:
    """Without an index, each chat of a large import in the trash took as long as reading all messages."""
    with closing(open_chat_store(chats_path)) as store:
        tables = [name for (name,) in store.database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        references = [
            (table, column)
            for table in tables
            for _, _, _, column, *_ in store.database.rows(f"PRAGMA foreign_key_list({table})")
        ]
        assert ("message", "conversation") in references
        for table, column in references:
            ((*_, plan),) = store.database.rows(f"EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE {column} = 1")
            assert plan.startswith("SEARCH"), (table, column)

from dataclasses import replace

import pytest
from support.chats import add, add_answer

from specchat.domain.conversations import Conversation
from specchat.domain.errors import UserError
from specchat.store.chat_store import SqliteChatStore


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


def test_ids_are_not_used_again(chats: SqliteChatStore, conversation: Conversation) -> None:
    message = add(chats, conversation, "one")
    chats.trash_message(message.id, now=5.0)
    chats.purge(before=6.0)
    assert add(chats, conversation, "two").id > message.id

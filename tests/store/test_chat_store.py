from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import ANSWER, SETTINGS, add, add_answer, varied_tree, without_ids

from specchat.domain.conversations import (
    Attachment,
    Conversation,
    ConversationSettings,
    ConversationTree,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.store.chat_store import SqliteChatStore, open_chat_store


def test_all_of_a_conversation_is_there_after_a_restart(chats_path: Path, chats: SqliteChatStore) -> None:
    new = chats.add_conversation(SETTINGS, now=5.0)
    question = add(chats, new, "Hello")
    changed = replace(chats.conversation(new.id), title="Title", titled_by_user=True, pinned=True, unsent_text="and")
    chats.save_conversation(changed)
    again = open_chat_store(chats_path)
    used = chats.conversation(new.id).updated
    assert again.conversations() == [replace(changed, leaf=question.id, updated=used, settings=SETTINGS)]
    assert again.path(question.id) == [question]
    again.close()


def test_pinned_conversations_come_first_then_the_newest(chats: SqliteChatStore) -> None:
    old, middle, new = (chats.add_conversation(ConversationSettings(), now=time) for time in (1.0, 2.0, 3.0))
    chats.save_conversation(replace(old, pinned=True))
    chats.save_conversation(replace(new, trashed=9.0))
    assert [c.id for c in chats.conversations()] == [old.id, middle.id]
    assert [c.id for c in chats.trashed_conversations()] == [new.id]


def test_a_path_leads_from_the_first_message_to_the_leaf(chats: SqliteChatStore, conversation: Conversation) -> None:
    first = add(chats, conversation, "one")
    add(chats, conversation, "another one")
    answer = add_answer(chats, first)
    add_answer(chats, first)
    last = add(chats, conversation, "two", answer.id)
    assert [m.text for m in chats.path(last.id)] == ["one", answer.text, "two"]
    assert [(m.version, m.versions) for m in chats.path(last.id)] == [(1, 2), (1, 2), (1, 1)]
    assert chats.conversation(conversation.id).leaf == last.id


def test_versions_are_siblings_and_the_newest_path_is_below(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    first, second = add_answer(chats, question), add_answer(chats, question)
    below = add(chats, conversation, "two", first.id)
    last = add_answer(chats, below)
    assert chats.versions(second.id) == [first.id, second.id]
    assert chats.versions(question.id) == [question.id]
    assert chats.newest_leaf(first.id) == last.id
    assert chats.newest_leaf(second.id) == second.id
    assert chats.newest_leaf(question.id) == last.id


def test_what_came_with_a_message_is_kept(chats: SqliteChatStore, conversation: Conversation) -> None:
    attachments = (Attachment("a.txt", "text"), Attachment("b.txt", ""))
    message = StoredMessage(0, conversation.id, None, Role.USER, "", 3.0, attachments=attachments)
    assert chats.message(chats.add_message(message).id).attachments == attachments


def test_answers_are_kept_apart_from_the_path(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    assert chats.answer(add_answer(chats, question).id) == ANSWER
    assert chats.answer(question.id) is None


def test_answers_of_earlier_versions_are_read(chats: SqliteChatStore, conversation: Conversation) -> None:
    answer = add_answer(chats, add(chats, conversation, "one"))
    chats.database.execute("UPDATE answer SET facts = json_remove(facts, '$.n_left_out')")
    assert chats.answer(answer.id) == replace(ANSWER, n_left_out=0)


@pytest.mark.parametrize("text", ["", "nul \0 inside", "🙂 é", "quote ' \" ; --", "\ufdd0"])
def test_any_text_is_kept(chats: SqliteChatStore, conversation: Conversation, text: str) -> None:
    assert chats.message(add(chats, conversation, text).id).text == text


def test_halves_of_characters_are_joined_or_replaced(chats: SqliteChatStore, conversation: Conversation) -> None:
    assert add(chats, conversation, "\ud83d\ude42 \ud83d").text == "🙂 \ufffd"
    chats.save_conversation(replace(conversation, unsent_text="\ud83d", settings=ConversationSettings("\ud83d")))
    assert chats.conversation(conversation.id).unsent_text == "\ufffd"


def test_what_does_not_exist_is_an_error_that_says_so(chats: SqliteChatStore, conversation: Conversation) -> None:
    with pytest.raises(UserError, match="chat was deleted"):
        chats.conversation(99)
    with pytest.raises(UserError, match="message was deleted"):
        chats.message(99)
    with pytest.raises(UserError, match="was deleted"):
        add(chats, conversation, "text", parent=99)
    with pytest.raises(UserError, match="was deleted"):
        add(chats, replace(conversation, id=99), "text")


def test_a_tree_comes_back_as_it_went_in(chats: SqliteChatStore) -> None:
    (added,) = chats.add_trees([varied_tree()])
    assert without_ids(chats.tree(added)) == without_ids(varied_tree())
    assert chats.tree(added).messages[2].versions == 2


def test_trees_are_added_together_or_not_at_all(chats: SqliteChatStore) -> None:
    orphan = StoredMessage(1, 1, 99, Role.USER, "text", 1.0)
    with pytest.raises(KeyError):
        chats.add_trees([varied_tree(), ConversationTree(varied_tree().conversation, (orphan,))])
    assert chats.conversations() == []


def test_ten_thousand_messages_in_a_row(chats: SqliteChatStore) -> None:
    length = 10_000
    messages = tuple(StoredMessage(i, 1, i - 1 or None, Role.USER, str(i), 1.0) for i in range(1, length + 1))
    conversation = Conversation(1, "Long", 1.0, 1.0, leaf=length)
    (added,) = chats.add_trees([ConversationTree(conversation, messages)])
    path = chats.path(chats.conversation(added).leaf or 0)
    assert [m.text for m in path] == [m.text for m in messages]
    chats.trash_message(path[1].id, now=2.0)
    assert chats.conversation(added).leaf == path[0].id
    chats.purge(before=3.0)
    assert [m.text for m in chats.tree(added).messages] == ["1"]
    chats.save_conversation(replace(chats.conversation(added), trashed=2.0))
    chats.purge(before=3.0)
    assert chats.database.rows("SELECT id FROM message") == []


def test_two_connections_see_what_the_other_wrote(chats_path: Path, chats: SqliteChatStore) -> None:
    other = open_chat_store(chats_path)
    conversation = other.add_conversation(ConversationSettings(), now=1.0)
    question = add(chats, conversation, "one")
    assert other.path(question.id) == [question]
    other.set_state(question.id, MessageState.STOPPED)
    assert chats.message(question.id).state is MessageState.STOPPED
    other.close()

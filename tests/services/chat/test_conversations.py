import pytest
from support.chats import ANSWER, SETTINGS, Clock

from specchat.domain.conversations import Attachment, ConversationSettings, MessageState
from specchat.domain.errors import UserError
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore

DAY_S = 86400.0
PLAIN = ConversationSettings()


def test_pinned_ones_first_then_the_last_used(conversations: ConversationService, messages: MessageService) -> None:
    ids = []
    for text in ("first", "second", "third"):
        ids.append(conversations.create(PLAIN).id)
        messages.add_question(ids[-1], text)
    messages.add_question(ids[0], "again")
    conversations.pin(ids[1])
    conversations.rename(ids[2], "Renamed")
    assert [c.id for c in conversations.list_all()] == [ids[1], ids[0], ids[2]]
    conversations.pin(ids[1], False)
    assert [c.id for c in conversations.list_all()] == [ids[0], ids[2], ids[1]]


def test_an_untouched_new_one_is_used_again(conversations: ConversationService) -> None:
    first = conversations.create(PLAIN)
    again = conversations.create(SETTINGS)
    assert (again.id, again.settings) == (first.id, SETTINGS)
    assert conversations.get(first.id) == again
    conversations.save_unsent_text(first.id, "Dear")
    second = conversations.create(PLAIN)
    assert second.id != first.id
    conversations.save_unsent_files(second.id, [Attachment("a.txt", "text")])
    assert conversations.create(PLAIN).id not in (first.id, second.id)


def test_where_nothing_was_cut_off_nothing_is_read(conversations: ConversationService, chats: SqliteChatStore) -> None:
    chats.close()
    assert conversations.find_interrupted() is None


def test_a_name_is_one_line(conversations: ConversationService) -> None:
    new = conversations.create(PLAIN)
    renamed = conversations.rename(new.id, "  On\n\ttides \x07 ")
    assert (renamed.title, renamed.titled_by_user) == ("On tides", True)
    assert conversations.get(new.id) == renamed
    assert len(conversations.rename(new.id, "x" * 1000).title) == 200


def test_without_a_name_the_next_first_question_gives_one(
    conversations: ConversationService, messages: MessageService
) -> None:
    new = conversations.create(PLAIN)
    conversations.rename(new.id, "Mine")
    question = messages.add_question(new.id, "What is a tide?")
    assert conversations.get(new.id).title == "Mine"
    conversations.rename(new.id, " ")
    messages.edit_question(question.id, "What is a moon?")
    assert conversations.get(new.id).title == "What is a moon?"


def test_settings_and_draft_are_kept(conversations: ConversationService) -> None:
    new = conversations.create(PLAIN)
    conversations.save_unsent_text(new.id, "half a quest")
    conversations.change_settings(new.id, SETTINGS)
    kept = conversations.get(new.id)
    assert (kept.unsent_text, kept.settings) == ("half a quest", SETTINGS)


def test_a_branch_begins_the_same_and_goes_its_own_way(
    conversations: ConversationService, messages: MessageService, chats: SqliteChatStore
) -> None:
    origin = conversations.create(SETTINGS)
    question = messages.add_question(origin.id, "What is a tide?")
    answer = messages.begin_answer(question.id, ANSWER)
    messages.regenerate(answer.id, ANSWER)
    messages.select_version(answer.id)
    messages.add_question(origin.id, "And a moon?")
    conversations.pin(origin.id)
    branch = conversations.branch(answer.id)
    copy = messages.shown_path(branch.id)
    assert [(m.text, m.state) for m in copy] == [("What is a tide?", MessageState.DONE), ("", MessageState.STOPPED)]
    assert messages.answer(copy[1].id) == messages.answer(answer.id)
    assert (branch.title, branch.settings, branch.pinned) == ("What is a tide? (2)", SETTINGS, False)
    assert conversations.branch(copy[1].id).title == "What is a tide? (3)"
    messages.add_question(branch.id, "And a sea?")
    assert [m.text for m in messages.shown_path(origin.id)] == ["What is a tide?", "", "And a moon?"]
    assert len(chats.tree(branch.id).messages) == 3


def test_deleting_can_be_undone(conversations: ConversationService, messages: MessageService) -> None:
    new = conversations.create(PLAIN)
    messages.add_question(new.id, "What is a tide?")
    before = conversations.get(new.id)
    conversations.delete(new.id)
    assert conversations.list_all() == []
    assert [c.id for c in conversations.list_trash()] == [new.id]
    assert conversations.search("tide") == []
    conversations.restore(new.id)
    assert conversations.get(new.id) == before
    assert conversations.list_all() == [before]
    assert [hit.conversation for hit in conversations.search("tide")] == [new.id, new.id]


def test_the_trash_is_kept_for_thirty_days(
    conversations: ConversationService, messages: MessageService, clock: Clock
) -> None:
    deleted = conversations.create(PLAIN)
    conversations.delete(deleted.id)
    kept = conversations.create(PLAIN)
    answerless = messages.add_question(kept.id, "What is a tide?")
    messages.delete(answerless.id)
    clock.now += 29 * DAY_S
    conversations.purge_old()
    assert conversations.get(deleted.id).trashed is not None
    clock.now += 2 * DAY_S
    conversations.purge_old()
    with pytest.raises(UserError, match="chat was deleted"):
        conversations.get(deleted.id)
    with pytest.raises(UserError, match="message was deleted"):
        messages.path_to(answerless.id)
    assert [c.id for c in conversations.list_all()] == [kept.id]


def test_one_chat_in_the_trash_can_be_deleted_permanently(
    conversations: ConversationService, messages: MessageService
) -> None:
    kept = conversations.create(PLAIN)
    messages.add_question(kept.id, "One")
    deleted = conversations.create(PLAIN)
    message = messages.add_question(deleted.id, "Two")
    other = conversations.create(PLAIN)
    for chat in (deleted, other):
        conversations.delete(chat.id)
    for chat in (kept, deleted):
        conversations.delete_permanently(chat.id)
    assert [chat.id for chat in conversations.list_trash()] == [other.id]
    assert [chat.id for chat in conversations.list_all()] == [kept.id]
    with pytest.raises(UserError, match="message was deleted"):
        messages.path_to(message.id)


def test_the_trash_can_be_emptied_at_once(conversations: ConversationService) -> None:
    deleted = conversations.create(PLAIN)
    conversations.delete(deleted.id)
    conversations.empty_trash()
    assert conversations.list_trash() == []


def test_a_chat_without_messages_is_found_by_its_unsent_text(
    conversations: ConversationService, messages: MessageService
) -> None:
    new = conversations.create(PLAIN)
    conversations.save_unsent_text(new.id, "Half a question. And more")
    asked = conversations.create(PLAIN)
    messages.add_question(asked.id, "A whole question")
    conversations.save_unsent_text(asked.id, "half another")
    assert [(hit.conversation, hit.title, hit.message) for hit in conversations.search("half")] == [
        (new.id, "Half a question", None)
    ]
    assert [hit.conversation for hit in conversations.search("question")] == [new.id, asked.id, asked.id]
    conversations.delete(new.id)
    assert conversations.search("half") == []

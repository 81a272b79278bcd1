from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import ANSWER, ANSWER_TEXT, MARKS

from specchat.domain.conversations import Answer, Attachment, Conversation, ConversationSettings, MessageState
from specchat.domain.types import FinishReason, Role
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.messages import Messages
from specchat.store.journal import SqliteJournal

KNOWN = Answer(target="target.gguf", draft="draft.gguf")


@pytest.fixture
def conversation(conversations: Conversations) -> Conversation:
    return conversations.new(ConversationSettings())


class Writer:
    """Writes answers as the inference thread does."""

    def __init__(self, path: Path, messages: Messages) -> None:
        self._path = path
        self._messages = messages

    def answer(self, question: int, text: str = ANSWER_TEXT) -> int:
        return self.write(self._messages.begin_answer(question, KNOWN).id, text)

    def write(self, answer: int, text: str, state: MessageState = MessageState.DONE) -> int:
        with closing(SqliteJournal(self._path, answer)) as journal:
            journal.add(text, MARKS)
            journal.finish(state, replace(ANSWER, marks=()))
        return answer


@pytest.fixture
def writer(tmp_path: Path, messages: Messages) -> Writer:
    return Writer(tmp_path / "chats.db", messages)


def shown(messages: Messages, conversation: Conversation) -> list[str]:
    return [message.text for message in messages.shown(conversation.id)]


def test_question_and_answer_follow_one_another(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    assert messages.shown(conversation.id) == []
    question = messages.ask(conversation.id, "one", [Attachment("a.txt", "text")])
    writer.answer(question.id)
    messages.ask(conversation.id, "two")
    path = messages.shown(conversation.id)
    assert [(m.role, m.text) for m in path] == [
        (Role.USER, "one"),
        (Role.ASSISTANT, ANSWER_TEXT),
        (Role.USER, "two"),
    ]
    assert path[0].attachments == (Attachment("a.txt", "text"),)
    assert messages.answer(path[1].id) == ANSWER


def test_an_answer_begins_as_one_that_was_cut_off(messages: Messages, conversation: Conversation) -> None:
    answer = messages.begin_answer(messages.ask(conversation.id, "one").id, replace(KNOWN, marks=MARKS))
    assert answer.state is MessageState.STREAMING
    assert messages.answer(answer.id) == replace(KNOWN, finish=FinishReason.CANCELLED)
    messages.leave(answer.id)
    assert messages.shown(conversation.id)[-1].state is MessageState.STOPPED


def test_asking_ends_the_draft_and_editing_does_not(
    messages: Messages, conversations: Conversations, conversation: Conversation
) -> None:
    files = (Attachment("a.txt", "text"),)
    conversations.save_draft(conversation.id, "one")
    conversations.save_unsent_files(conversation.id, files)
    question = messages.ask(conversation.id, "one", files)
    assert (conversations.get(conversation.id).draft, conversations.unsent_files(conversation.id)) == ("", ())
    conversations.save_draft(conversation.id, "next")
    conversations.save_unsent_files(conversation.id, files)
    messages.edit(question.id, "better")
    assert (conversations.get(conversation.id).draft, conversations.unsent_files(conversation.id)) == ("next", files)


def test_only_first_questions_give_titles(
    messages: Messages, conversations: Conversations, conversation: Conversation
) -> None:
    messages.ask(conversation.id, "", [Attachment("notes.txt", "text")])
    assert conversations.get(conversation.id).title == "notes.txt"
    messages.ask(conversation.id, "What is a tide?")
    assert conversations.get(conversation.id).title == "notes.txt"


def test_an_edited_question_is_another_version(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    question = messages.ask(conversation.id, "one")
    writer.answer(question.id)
    edited = messages.edit(question.id, "better")
    assert shown(messages, conversation) == ["better"]
    assert (edited.version, edited.versions) == (2, 2)
    assert messages.versions(edited.id) == [question.id, edited.id]
    assert [m.text for m in messages.show(question.id)] == ["one", ANSWER_TEXT] == shown(messages, conversation)


def test_a_regenerated_answer_is_another_version(
    messages: Messages, conversation: Conversation, writer: Writer
) -> None:
    question = messages.ask(conversation.id, "one")
    first = writer.answer(question.id, "first")
    messages.ask(conversation.id, "two")
    second = messages.regenerate(first, KNOWN)
    assert shown(messages, conversation) == ["one", ""]
    assert messages.versions(first) == [first, second.id]
    assert [m.text for m in messages.show(first)] == ["one", "first", "two"]


def test_a_stopped_answer_goes_on_in_place(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    answer = messages.begin_answer(messages.ask(conversation.id, "one").id, KNOWN)
    writer.write(answer.id, "Hello", MessageState.STOPPED)
    again = messages.continue_answer(answer.id)
    assert (again.text, again.state) == ("Hello", MessageState.STREAMING)
    writer.write(answer.id, ", world")
    assert shown(messages, conversation) == ["one", "Hello, world"]


def test_deleting_a_message_can_be_undone(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    question = messages.ask(conversation.id, "one")
    answer = writer.answer(question.id)
    messages.ask(conversation.id, "two")
    deleted = messages.delete(answer)
    assert shown(messages, conversation) == ["one"]
    messages.undo(deleted)
    assert shown(messages, conversation) == ["one", ANSWER_TEXT, "two"]


def test_undoing_after_going_on_loses_neither(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    question = messages.ask(conversation.id, "one")
    deleted = messages.delete(writer.answer(question.id, "old"))
    new = writer.answer(question.id, "new")
    messages.undo(deleted)
    assert shown(messages, conversation) == ["one", "old"]
    assert [m.text for m in messages.show(new)] == ["one", "new"]


def test_what_was_deleted_is_found_in_the_trash(messages: Messages, conversation: Conversation, writer: Writer) -> None:
    """And comes back, though the chat went on without it, or goes for good."""
    question = messages.ask(conversation.id, "one")
    answer = writer.answer(question.id)
    messages.ask(conversation.id, "two")
    messages.delete(answer)
    writer.answer(question.id, "new")
    (deletion,) = messages.trash()
    assert (deletion.title, deletion.text, deletion.n_messages) == ("one", ANSWER_TEXT, 2)
    path = [message.text for message in messages.restore(deletion)]
    assert path == shown(messages, conversation) == ["one", ANSWER_TEXT, "two"]
    assert messages.trash() == []
    messages.delete(answer)
    (deletion,) = messages.trash()
    messages.delete_for_good(deletion)
    assert messages.trash() == []
    assert shown(messages, conversation) == ["one", "new"]

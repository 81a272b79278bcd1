from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support.chats import ANSWER, ANSWER_TEXT, MARKS
from support.pictures import picture

from specchat.domain.conversations import Answer, Attachment, Conversation, ConversationSettings, Mark, MessageState
from specchat.domain.types import USER, FinishReason, Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.store.journal import SqliteJournal

KNOWN = Answer(target="target.gguf", draft="draft.gguf")


@pytest.fixture
def conversation(conversations: ConversationService) -> Conversation:
    return conversations.create(ConversationSettings())


class Writer:
    """Writes answers as the inference thread does."""

    def __init__(self, path: Path, messages: MessageService) -> None:
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
def writer(tmp_path: Path, messages: MessageService) -> Writer:
    return Writer(tmp_path / "chats.db", messages)


def shown(messages: MessageService, conversation: Conversation) -> list[str]:
    return [message.text for message in messages.shown_path(conversation.id)]


def test_question_and_answer_follow_one_another(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    assert messages.shown_path(conversation.id) == []
    question = messages.add_question(conversation.id, "one", [Attachment("a.txt", "text")])
    writer.answer(question.id)
    messages.add_question(conversation.id, "two")
    path = messages.shown_path(conversation.id)
    assert [(m.role, m.text) for m in path] == [
        (Role.USER, "one"),
        (Role.ASSISTANT, ANSWER_TEXT),
        (Role.USER, "two"),
    ]
    assert path[0].attachments == (Attachment("a.txt", "text"),)
    assert messages.answer(path[1].id) == ANSWER


def test_an_answer_begins_as_one_that_was_cut_off(messages: MessageService, conversation: Conversation) -> None:
    answer = messages.begin_answer(messages.add_question(conversation.id, "one").id, replace(KNOWN, marks=MARKS))
    assert answer.state is MessageState.STREAMING
    assert messages.answer(answer.id) == replace(KNOWN, finish=FinishReason.CANCELLED)
    messages.mark_stopped(answer.id)
    assert messages.shown_path(conversation.id)[-1].state is MessageState.STOPPED


def test_asking_ends_the_draft_and_editing_does_not(
    messages: MessageService, conversations: ConversationService, conversation: Conversation
) -> None:
    files = (Attachment("a.txt", "text"),)
    conversations.save_unsent_text(conversation.id, "one")
    conversations.save_unsent_files(conversation.id, files)
    question = messages.add_question(conversation.id, "one", files)
    assert (conversations.get(conversation.id).unsent_text, conversations.unsent_files(conversation.id)) == ("", ())
    conversations.save_unsent_text(conversation.id, "next")
    conversations.save_unsent_files(conversation.id, files)
    messages.edit_question(question.id, "better")
    assert (conversations.get(conversation.id).unsent_text, conversations.unsent_files(conversation.id)) == (
        "next",
        files,
    )


def test_only_first_questions_give_titles(
    messages: MessageService, conversations: ConversationService, conversation: Conversation
) -> None:
    messages.add_question(conversation.id, "", [picture(name=""), Attachment("notes.txt", "text")])
    assert conversations.get(conversation.id).title == "notes.txt"
    messages.add_question(conversation.id, "What is a tide?")
    assert conversations.get(conversation.id).title == "notes.txt"


def test_an_edited_question_is_another_version(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    question = messages.add_question(conversation.id, "one")
    writer.answer(question.id)
    edited = messages.edit_question(question.id, "better")
    assert shown(messages, conversation) == ["better"]
    assert (edited.version, edited.versions) == (2, 2)
    assert messages.versions(edited.id) == [question.id, edited.id]
    assert (
        [m.text for m in messages.select_version(question.id)] == ["one", ANSWER_TEXT] == shown(messages, conversation)
    )


def test_a_regenerated_answer_is_another_version(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    question = messages.add_question(conversation.id, "one")
    first = writer.answer(question.id, "first")
    messages.add_question(conversation.id, "two")
    second = messages.regenerate(first, KNOWN)
    assert shown(messages, conversation) == ["one", ""]
    assert messages.versions(first) == [first, second.id]
    assert [m.text for m in messages.select_version(first)] == ["one", "first", "two"]


def test_a_stopped_answer_goes_on_in_place(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    answer = messages.begin_answer(messages.add_question(conversation.id, "one").id, KNOWN)
    writer.write(answer.id, "Hello", MessageState.STOPPED)
    again = messages.continue_answer(answer.id)
    assert (again.text, again.state) == ("Hello", MessageState.STREAMING)
    writer.write(answer.id, ", world")
    assert shown(messages, conversation) == ["one", "Hello, world"]


def test_an_edited_answer_is_another_version(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    first = writer.answer(messages.add_question(conversation.id, "one").id)
    edited = messages.edit_answer(first, f"So: {ANSWER_TEXT}")
    assert shown(messages, conversation) == ["one", f"So: {ANSWER_TEXT}"]
    assert messages.versions(first) == [first, edited.id]
    assert (edited.state, messages.path_to(first)[-1].text) == (MessageState.DONE, ANSWER_TEXT)
    known = messages.answer(edited.id)
    assert known is not None
    assert known.stats == ANSWER.stats
    assert known.marks[0] == Mark(4, USER)
    assert len(known.marks) == len(MARKS) + 1


def test_an_edited_answer_can_go_on(messages: MessageService, conversation: Conversation, writer: Writer) -> None:
    first = writer.answer(messages.add_question(conversation.id, "one").id)
    edited = messages.begin_edited_answer(first, "Mine", KNOWN)
    assert (edited.text, edited.state) == ("Mine", MessageState.STREAMING)
    writer.write(edited.id, ANSWER_TEXT)
    assert shown(messages, conversation) == ["one", f"Mine{ANSWER_TEXT}"]
    known = messages.answer(edited.id)
    assert known is not None
    assert known.marks == (Mark(4, USER), *MARKS)


def test_deleting_a_message_can_be_undone(messages: MessageService, conversation: Conversation, writer: Writer) -> None:
    question = messages.add_question(conversation.id, "one")
    answer = writer.answer(question.id)
    messages.add_question(conversation.id, "two")
    deleted = messages.delete(answer)
    assert shown(messages, conversation) == ["one"]
    messages.undo_delete(deleted)
    assert shown(messages, conversation) == ["one", ANSWER_TEXT, "two"]


def test_undoing_after_going_on_loses_neither(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    question = messages.add_question(conversation.id, "one")
    deleted = messages.delete(writer.answer(question.id, "old"))
    new = writer.answer(question.id, "new")
    messages.undo_delete(deleted)
    assert shown(messages, conversation) == ["one", "old"]
    assert [m.text for m in messages.select_version(new)] == ["one", "new"]


def test_what_was_deleted_is_found_in_the_trash(
    messages: MessageService, conversation: Conversation, writer: Writer
) -> None:
    """And comes back, though the chat went on without it, or goes for good."""
    question = messages.add_question(conversation.id, "one")
    answer = writer.answer(question.id)
    messages.add_question(conversation.id, "two")
    messages.delete(answer)
    writer.answer(question.id, "new")
    (deletion,) = messages.list_trash()
    assert (deletion.title, deletion.text, deletion.n_messages) == ("one", ANSWER_TEXT, 2)
    path = [message.text for message in messages.restore(deletion)]
    assert path == shown(messages, conversation) == ["one", ANSWER_TEXT, "two"]
    assert messages.list_trash() == []
    messages.delete(answer)
    (deletion,) = messages.list_trash()
    messages.delete_permanently(deletion)
    assert messages.list_trash() == []
    assert shown(messages, conversation) == ["one", "new"]

"""Editing questions and answers, and answers that start with given words."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QPlainTextEdit,
)
from support.desks import Person, quit_replying, store_of

from specchat.domain.types import USER


def test_regenerating_keeps_the_version_before(person: Person) -> None:
    person.keep_short()
    first = person.ask("Hello there")
    person.window.transcript.regenerate_requested.emit(first.id)
    second = person.wait_for_answer()
    assert (second.version, second.versions) == (2, 2)
    person.window.transcript.version_requested.emit(second.id, -1)
    assert person.path[-1].id == first.id


def test_editing_a_question_begins_another_path(person: Person) -> None:
    person.keep_short()
    person.ask("First words")
    person.window.transcript.edit_requested.emit(person.path[0].id)
    editor = person.find(QPlainTextEdit, "composer")
    assert editor.toPlainText() == "First words"
    editor.setPlainText("Other words")
    person.click("sendButton")
    person.wait_for_answer()
    assert person.path[0].text == "Other words"
    assert person.path[0].versions == 2


def test_an_edit_outlives_a_look_at_another_chat(person: Person) -> None:
    person.keep_short()
    answer, chat = person.ask("First words"), person.controller.session.conversation
    assert chat is not None
    editor = person.find(QPlainTextEdit, "composer")
    for message, text in ((person.path[0], "Other words"), (answer, "Well: it is")):
        person.window.transcript.edit_requested.emit(message.id)
        editor.setPlainText(text)
        person.controller.chat.new_chat()
        assert editor.toPlainText() == ""
        person.controller.chat.open(chat.id)
        assert editor.toPlainText() == text
    person.press(Qt.Key.Key_Return)
    assert person.path[-1].text == "Well: it is"
    assert editor.toPlainText() == ""


def test_closing_asks_before_an_edit_is_lost(person: Person) -> None:
    person.keep_short()
    person.ask("First words")
    chat = person.controller.session.conversation
    assert chat is not None
    editor = person.find(QPlainTextEdit, "composer")
    person.window.transcript.edit_requested.emit(person.path[0].id)
    assert not person.controller.edits.has_unfinished
    editor.setPlainText("Other words")
    question = ["You are still editing a message.", "If you quit now, your changes will be lost."]
    assert quit_replying(person) == question
    person.controller.chat.new_chat()
    assert quit_replying(person) == question
    assert person.window.isVisible()
    person.controller.services.conversations.delete(chat.id)
    assert quit_replying(person) == []


def test_an_answer_is_edited_and_the_old_one_kept(person: Person) -> None:
    person.keep_short()
    first = person.ask("First words")
    person.window.transcript.edit_requested.emit(first.id)
    editor = person.find(QPlainTextEdit, "composer")
    assert editor.toPlainText() == first.text
    editor.setPlainText(f"Well: {first.text}")
    person.press(Qt.Key.Key_Return)
    edited = person.path[-1]
    assert (edited.text, edited.version, edited.state) == (f"Well: {first.text}", 2, first.state)
    assert person.controller.services.messages.versions(first.id) == [first.id, edited.id]
    person.window.transcript.edit_requested.emit(edited.id)
    editor.setPlainText("Well: it is")
    person.click("continueAnswerButton")
    last = person.wait_for_answer()
    assert (last.text.startswith("Well: it is"), last.text != "Well: it is", last.version) == (True, True, 3)
    answer = person.controller.services.messages.answer(last.id)
    assert answer is not None
    assert answer.marks[0].origin == USER


def test_the_answer_starts_with_given_words(person: Person) -> None:
    person.keep_short()
    person.write("Is it so?")
    person.window.composer.open_prefill("Yes, because")
    person.click("sendButton")
    first = person.wait_for_answer()
    assert first.text.startswith("Yes, because")
    assert first.text != "Yes, because"
    assert person.window.composer.prefill == ""
    person.window.transcript.prefill_requested.emit(first.id)
    person.write("No")
    person.click("sendButton")
    second = person.wait_for_answer()
    assert (second.text[:2], second.version) == ("No", 2)
    answer = person.controller.services.messages.answer(second.id)
    assert answer is not None
    assert (answer.marks[0].end, answer.marks[0].origin) == (2, USER)


def test_given_words_stay_if_the_answer_cannot_begin(person: Person) -> None:
    person.keep_short()
    first = person.ask("Is it so?")
    person.window.transcript.prefill_requested.emit(first.id)
    person.write("Yes, because")
    database = store_of(person.controller).database
    database.execute("PRAGMA query_only = 1")
    person.click("sendButton")
    composer = person.window.composer
    assert (composer.text, composer.is_editing) == ("Yes, because", True)
    database.execute("PRAGMA query_only = 0")
    person.click("sendButton")
    second = person.wait_for_answer()
    assert (second.text.startswith("Yes, because"), second.version) == (True, 2)


def test_a_branch_is_a_conversation_of_its_own(person: Person) -> None:
    person.keep_short()
    answer = person.ask("Branch here")
    before = person.controller.session.conversation
    assert before is not None
    person.window.transcript.branch_requested.emit(answer.id)
    after = person.controller.session.conversation
    assert after is not None
    assert after.id != before.id
    assert [message.text for message in person.path] == ["Branch here", answer.text]
    assert (before.title, after.title) == ("Branch here", "Branch here (2)")


def test_a_deleted_message_comes_back(person: Person) -> None:
    person.keep_short()
    answer = person.ask("Delete me")
    person.window.transcript.delete_requested.emit(answer.id)
    assert len(person.path) == 1
    person.click("noticeAction")
    assert [message.id for message in person.path][-1] == answer.id

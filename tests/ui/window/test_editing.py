"""Editing questions and answers, and answers that start with given words."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QPlainTextEdit,
)
from support.desks import Person, store_of

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

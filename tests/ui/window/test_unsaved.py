"""The file of the chats cannot be written while an answer is: a full disk, another program that locks it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from threading import Event

import pytest
import shiboken6
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QTextEdit
from pytestqt.qtbot import QtBot
from support.desks import Person, quit_replying, store_of
from support.paced_engine import PacedEngine

from specchat.domain.conversations import MessageState
from specchat.domain.engine import ChatTask
from specchat.domain.ports import Journal
from specchat.domain.types import PairChoice
from specchat.store.journal import SqliteJournal
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services

BEFORE, AFTER = ["word "] * 20, ["more " * 4000] * 20
WHOLE = "".join(BEFORE + AFTER)
SECONDS = 60


class Disk:
    """Of the answers: it can be full, or busy."""

    def __init__(self, places: Paths) -> None:
        self.path = places.data / "chats.db"
        self.journals: list[SqliteJournal] = []

    def journal(self, message: int) -> Journal:
        self.journals.append(SqliteJournal(self.path, message))
        self.journals[-1]._database.execute("PRAGMA busy_timeout = 0")
        return self.journals[-1]

    def fill(self) -> None:
        self._limit(1)

    def empty(self) -> None:
        self._limit(1_000_000)

    def _limit(self, pages: int) -> None:
        with self.journals[-1]._writing:
            self.journals[-1]._database.execute(f"PRAGMA max_page_count = {pages}")

    def close(self) -> None:
        for journal in self.journals:
            if journal.problem is not None:
                self.empty()
            journal._thread.join()


@pytest.fixture
def disk(places: Paths) -> Iterator[Disk]:
    disk = Disk(places)
    yield disk
    disk.close()


@pytest.fixture
def going_on() -> Event:
    """The answer waits for it after its first words."""
    return Event()


@pytest.fixture
def person(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, disk: Disk, going_on: Event
) -> Iterator[Person]:
    def pieces(_: ChatTask) -> Iterator[str]:
        yield from BEFORE
        going_on.wait(SECONDS)
        yield from AFTER

    services = build_services(places)
    services.pair_settings.save(choice)
    made = replace(services, make_engine=lambda: PacedEngine(pieces), make_journal=disk.journal)
    controller = AppController(made, ThemeManager(qapp))
    MenuActions(controller)
    controller.window.first_painted.connect(controller.start)
    controller.window.show()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=SECONDS * 1000)
    yield Person(qtbot, controller)
    going_on.set()
    controller.window.close()
    controller.close()
    shiboken6.delete(controller.window)


def begin(person: Person) -> None:
    person.write("Go on")
    person.click("sendButton")
    person.wait_for_first_words()


def problem(person: Person) -> tuple[str, str]:
    return person.find(QTextEdit, "problemMessage").toPlainText(), person.find(QTextEdit, "problemHint").toPlainText()


def stored(person: Person) -> tuple[str, MessageState]:
    message = person.controller.services.messages.path_to(person.path[-1].id)[-1]
    return message.text, message.state


def shown(person: Person) -> str:
    row = person.window.transcript.message_layout.cached_row(person.path[-1].id)
    assert row is not None
    return row.text


def wait_until_written(person: Person) -> None:
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering, timeout=SECONDS * 1000)


def wait_until_kept(person: Person) -> None:
    person.qtbot.waitUntil(lambda: person.path[-1].state is MessageState.DONE, timeout=SECONDS * 1000)


def test_a_full_disk_is_told_while_the_answer_is_written(person: Person, disk: Disk, going_on: Event) -> None:
    told: list[object] = []
    person.controller.answers.save_failed.connect(told.append)
    begin(person)
    disk.fill()
    going_on.set()
    person.qtbot.waitUntil(person.window.problem.isVisible, timeout=SECONDS * 1000)
    assert problem(person) == (
        "Can't save the answer: the disk is full.",
        "Free up some space and keep the window open. specchat will then save the answer automatically.",
    )
    wait_until_written(person)
    assert shown(person) == WHOLE
    assert stored(person)[1] is MessageState.STREAMING
    disk.empty()
    wait_until_kept(person)
    assert stored(person) == (WHOLE, MessageState.DONE)
    assert shown(person) == WHOLE
    assert len(told) == 1
    assert not person.window.problem.isVisible()
    assert person.find(QLabel, "noticeText").text() == "Answers are being saved again."


def test_what_is_not_saved_yet_cannot_be_gone_on_from(person: Person, disk: Disk, going_on: Event) -> None:
    begin(person)
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        going_on.set()
        wait_until_written(person)
        person.qtbot.waitUntil(person.window.problem.isVisible)
        assert problem(person)[0] == "Can't save the answer: another program is using the chat database."
        person.window.problem.dismiss()
        person.window.transcript.regenerate_requested.emit(person.path[-1].id)
        assert person.window.problem.isVisible()
        assert shown(person) == WHOLE
    wait_until_kept(person)
    assert stored(person) == (WHOLE, MessageState.DONE)
    assert not person.window.problem.isVisible()


def test_looking_at_another_chat_loses_nothing(person: Person, disk: Disk, going_on: Event) -> None:
    begin(person)
    conversation = person.controller.session.conversation
    assert conversation is not None
    disk.fill()
    going_on.set()
    wait_until_written(person)
    person.controller.chat_list.new_chat()
    person.controller.chat.open(conversation.id)
    assert shown(person) == WHOLE
    disk.empty()
    wait_until_kept(person)
    assert stored(person) == (WHOLE, MessageState.DONE)


def fill_amid_an_answer(person: Person, disk: Disk, going_on: Event) -> None:
    begin(person)
    disk.fill()
    going_on.set()
    person.qtbot.waitUntil(person.window.problem.isVisible, timeout=SECONDS * 1000)
    wait_until_written(person)


def end_disk_trouble(person: Person, disk: Disk) -> None:
    """Its end is not told to a window that is gone."""
    disk.empty()
    person.qtbot.waitUntil(lambda: person.controller.answers.unsaved is None, timeout=SECONDS * 1000)


def test_closing_asks_before_an_answer_is_lost(person: Person, disk: Disk, going_on: Event) -> None:
    fill_amid_an_answer(person, disk, going_on)
    asked = quit_replying(person)
    assert asked == [
        "An answer isn't saved.",
        "Can't save the answer: the disk is full. If you quit now, what isn't saved will be lost.",
    ]
    assert person.window.isVisible()
    disk.empty()
    wait_until_kept(person)
    assert stored(person) == (WHOLE, MessageState.DONE)
    assert quit_replying(person) == []
    assert not person.window.isVisible()


def test_an_answer_that_is_not_saved_is_lost_if_the_user_says_so(person: Person, disk: Disk, going_on: Event) -> None:
    fill_amid_an_answer(person, disk, going_on)
    assert quit_replying(person, "Quit anyway")[0] == "An answer isn't saved."
    assert not person.window.isVisible()
    end_disk_trouble(person, disk)


def test_the_end_of_the_session_waits_for_no_reply(person: Person, disk: Disk, going_on: Event) -> None:
    fill_amid_an_answer(person, disk, going_on)
    person.controller.close_unasked()
    assert quit_replying(person) == []
    assert not person.window.isVisible()
    end_disk_trouble(person, disk)


def test_the_session_may_end_while_the_question_is_open(person: Person, disk: Disk, going_on: Event) -> None:
    fill_amid_an_answer(person, disk, going_on)

    def end_session() -> None:
        person.controller.close_unasked()
        person.find(QMessageBox, "quitQuestion").reject()

    QTimer.singleShot(0, person.window, end_session)
    person.window.close()
    assert not person.window.isVisible()
    end_disk_trouble(person, disk)


def test_a_draft_is_kept_and_the_notice_goes_once_there_is_room_again(person: Person) -> None:
    conversation = person.controller.session.conversation
    assert conversation is not None
    stored = person.controller.services.conversations
    draft = "a long draft " * 10_000
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    person.window.composer.flush()
    assert problem(person)[0] == "The disk is full: can't write chats.db."
    person.controller.chat.unsent._retry.timeout.emit()
    assert person.window.problem.isVisible()
    limit_chats(person, pages=1_000_000)
    person.qtbot.waitUntil(lambda: not person.window.problem.isVisible(), timeout=SECONDS * 1000)
    assert stored.get(conversation.id).unsent_text == draft
    assert not person.controller.chat.unsent._retry.isActive()


def test_closing_asks_before_an_unsent_message_is_lost(person: Person) -> None:
    draft = "a long draft " * 10_000
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    assert quit_replying(person) == [
        "The unsent message isn't saved.",
        "The disk is full: can't write chats.db. If you quit now, what isn't saved will be lost.",
    ]
    assert person.window.isVisible()
    limit_chats(person, pages=1_000_000)
    assert quit_replying(person) == []
    assert unsent_texts(person) == [draft]


def test_closing_saves_a_draft_that_could_not_be_saved_before(person: Person) -> None:
    draft = "a long draft " * 10_000
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    person.window.composer.flush()
    limit_chats(person, pages=1_000_000)
    assert quit_replying(person) == []
    assert unsent_texts(person) == [draft]


def test_no_draft_no_question(person: Person) -> None:
    person.window.composer._editor.setPlainText("a draft")
    person.window.composer.flush()
    limit_chats(person, pages=1)
    assert quit_replying(person) == []


def test_a_draft_outlives_a_look_at_another_chat(person: Person) -> None:
    first = person.controller.session.conversation
    assert first is not None
    person.write("Hello")
    person.controller.chat.new_chat()
    second = person.controller.session.conversation
    assert second is not None
    draft = "a long draft " * 10_000
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    person.controller.chat.open(first.id)
    assert person.window.composer.text == "Hello"
    assert quit_replying(person)[0] == "The unsent message isn't saved."
    person.controller.chat.open(second.id)
    assert person.window.composer.text == draft
    person.controller.chat.open(first.id)
    limit_chats(person, pages=1_000_000)
    assert quit_replying(person) == []
    assert sorted(unsent_texts(person)) == ["Hello", draft]
    assert not person.controller.chat.unsent._retry.isActive()


def test_the_draft_of_a_chat_that_was_left_is_kept_once_there_is_room_again(person: Person) -> None:
    draft = "a long draft " * 10_000
    person.write("Hello")
    first = person.controller.session.conversation
    assert first is not None
    person.controller.chat.new_chat()
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    person.controller.chat.open(first.id)
    limit_chats(person, pages=1_000_000)
    person.qtbot.waitUntil(lambda: draft in unsent_texts(person), timeout=SECONDS * 1000)


def leave_with_an_unsaved_draft(person: Person, draft: str) -> int:
    """Returns the chat that was left."""
    person.write("Hello")
    first = person.controller.session.conversation
    assert first is not None
    person.controller.chat.new_chat()
    left = person.controller.session.conversation
    assert left is not None
    limit_chats(person, pages=1)
    person.window.composer._editor.setPlainText(draft)
    person.controller.chat.open(first.id)
    return left.id


def delete_permanently(person: Person, conversation: int) -> None:
    person.controller.services.conversations.delete(conversation)
    person.controller.services.conversations.delete_permanently(conversation)


def test_the_draft_of_a_deleted_chat_asks_nothing(person: Person) -> None:
    left = leave_with_an_unsaved_draft(person, "a long draft " * 10_000)
    limit_chats(person, pages=1_000_000)
    delete_permanently(person, left)
    assert quit_replying(person) == []


def test_a_draft_is_kept_beside_that_of_a_deleted_chat(person: Person) -> None:
    left = leave_with_an_unsaved_draft(person, "a long draft " * 10_000)
    draft = "another long draft " * 10_000
    person.window.composer._editor.setPlainText(draft)
    person.window.composer.flush()
    limit_chats(person, pages=1_000_000)
    delete_permanently(person, left)
    person.qtbot.waitUntil(lambda: unsent_texts(person) == [draft], timeout=10_000)
    assert not person.controller.chat.unsent._retry.isActive()


def test_a_short_draft_does_not_end_the_attempts_for_a_chat_that_was_left(person: Person) -> None:
    draft = "a long draft " * 10_000
    leave_with_an_unsaved_draft(person, draft)
    person.window.composer._editor.setPlainText("Hi")
    person.window.composer.flush()
    person.controller.chat.unsent._retry.timeout.emit()
    assert "Hi" in unsent_texts(person)
    limit_chats(person, pages=1_000_000)
    person.qtbot.waitUntil(lambda: draft in unsent_texts(person), timeout=10_000)
    assert not person.window.problem.isVisible()


def unsent_texts(person: Person) -> list[str]:
    return [each.unsent_text for each in person.controller.services.conversations.list_all()]


def test_a_question_that_could_not_be_stored_is_sent_when_it_can(person: Person, going_on: Event) -> None:
    going_on.set()
    draft = "a long question " * 10_000
    limit_chats(person, pages=1)
    person.window.composer.set_text(draft)
    person.click("sendButton")
    assert problem(person)[0] == "The disk is full: can't write chats.db."
    assert person.path == []
    limit_chats(person, pages=1_000_000)
    person.click("sendButton")
    assert not person.window.problem.isVisible()
    wait_until_kept(person)


def limit_chats(person: Person, pages: int) -> None:
    store_of(person.controller).database.execute(f"PRAGMA max_page_count = {pages}")

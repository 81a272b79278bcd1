"""The list of chats beside the real window: search, branches, deleted chats and unsent messages."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
)
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.windows import opened

from specchat.domain.conversations import ConversationSettings
from specchat.domain.types import PairChoice
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services


def test_a_deleted_conversation_comes_back(person: Person) -> None:
    person.keep_short()
    person.ask("Delete this chat")
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.window.sidebar.list.delete_requested.emit([conversation.id])
    assert person.path == []
    person.click("noticeAction")
    assert person.controller.session.conversation is not None
    assert person.controller.session.conversation.id == conversation.id


def test_search_finds_what_was_said(person: Person) -> None:
    person.keep_short()
    person.ask("Where is the zebra?")
    asked = person.controller.session.conversation
    person.click("newChatButton")
    assert person.path == []
    field = person.find(QLineEdit, "searchBox")
    QTest.keyClicks(field, "zebra")
    shown: list[tuple[int, int]] = []
    person.window.sidebar.list.hit_open_requested.connect(lambda *hit: shown.append(hit))
    person.qtbot.waitUntil(lambda: bool(person.controller.services.conversations.search("zebra")))
    person.qtbot.wait(200)
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.qtbot.waitUntil(lambda: bool(shown))
    assert person.controller.session.conversation is not None
    assert asked is not None
    assert person.controller.session.conversation.id == asked.id
    person.qtbot.waitUntil(lambda: person.find(QLabel, "findPosition").text().startswith("1 of "))
    assert person.find(QLineEdit, "findField").text() == "zebra"


def test_what_is_typed_stays_with_its_conversation(person: Person) -> None:
    person.keep_short()
    person.ask("One")
    first = person.controller.session.conversation
    assert first is not None
    person.write("unsent message")
    person.click("newChatButton")
    assert person.find(QPlainTextEdit, "composer").toPlainText() == ""
    person.window.sidebar.list.open_requested.emit(first.id)
    assert person.find(QPlainTextEdit, "composer").toPlainText() == "unsent message"


def listed(person: Person) -> list[str]:
    """As screen readers hear it."""
    model = person.find(QListView, "conversationList").model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    return [row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows if row.flags()]


def test_unsent_messages_show_in_the_list(person: Person) -> None:
    """Once they are left behind, until they are sent or wiped out."""
    person.keep_short(4)
    person.ask("One")
    person.write("And two")
    person.click("newChatButton")
    person.write("What is a **draft**? Tell me")
    new = person.controller.session.conversation
    assert new is not None
    person.controller.chat_list.open_neighbour(1)
    assert listed(person) == ["What is a draft?, unsent message", "One, unsent message"]
    person.window.composer.set_text("")
    person.controller.chat.unsent.save()
    person.controller.chat.open(new.id)
    assert listed(person) == ["What is a draft?, unsent message", "One"]


def test_unfinished_edits_show_in_the_list(person: Person) -> None:
    """Like unsent messages, until the chat is opened again."""
    person.keep_short(4)
    person.ask("One")
    edited = person.controller.session.conversation
    assert edited is not None
    person.controller.edits.edit_last_message()
    person.write(" and a half")
    person.click("newChatButton")
    assert listed(person) == ["New chat", "One, unfinished edit"]
    person.controller.chat.open(edited.id)
    assert person.window.composer.text == "One and a half"
    assert listed(person)[-1] == "One"


def test_a_new_chat_ends_the_search(person: Person) -> None:
    person.keep_short(4)
    person.ask("Sky")
    field = person.find(QLineEdit, "searchBox")
    with person.qtbot.waitSignal(person.window.sidebar.search_changed):
        field.setText("Sky")
    assert set(listed(person)) == {"Sky: Sky"}
    person.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == ""
    assert listed(person) == ["New chat", "Sky"]


@pytest.mark.parametrize("by", ["key", "button"])
def test_a_branch_at_a_question_shows_in_the_list_and_is_answered(person: Person, by: str) -> None:
    """Also amid a search."""
    person.keep_short(4)
    person.ask("Sky")
    question = person.path[0]
    field = person.find(QLineEdit, "searchBox")
    with person.qtbot.waitSignal(person.window.sidebar.search_changed):
        field.setText("Sky")
    person.window.transcript.branch_requested.emit(question.id)
    assert field.text() == ""
    assert listed(person) == ["Sky (2)", "Sky"]
    (chosen,) = person.find(QListView, "conversationList").selectedIndexes()
    assert chosen.data(Qt.ItemDataRole.AccessibleTextRole) == "Sky (2)"
    assert [message.text for message in person.path] == ["Sky"]
    if by == "key":
        person.press(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    else:
        person.window.transcript.regenerate_requested.emit(person.path[-1].id)
    assert person.wait_for_answer().versions == 1


def test_a_start_with_an_unsent_text_goes_on_with_it(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice
) -> None:
    services = build_services(places)
    services.pair_settings.save(choice)
    chat = services.conversations.create(ConversationSettings())
    services.conversations.save_unsent_text(chat.id, "unsent message")
    with opened(services, ThemeManager(qapp)) as controller:
        editor = Person(qtbot, controller).find(QPlainTextEdit, "composer")
        qtbot.waitUntil(lambda: editor.toPlainText() == "unsent message")
        qtbot.waitUntil(lambda: controller.window.focusWidget() is editor)

"""What is deleted, and comes back."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QListView,
    QListWidget,
)
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.windows import opened, wait_for_pair

from specchat.domain.types import PairChoice
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.window_bootstrap import build_services

pytestmark = pytest.mark.usefixtures("engine_here")


def test_the_wrong_chat_is_deleted(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> None:
    """By key, and found out after the next start."""
    services = build_services(places)
    services.pair_settings.save(choice)
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.keep_short()
        answer = person.ask("Keep me")
        chats = person.find(QListView, "conversationList")
        chats.setFocus()
        person.press(Qt.Key.Key_Delete)
        assert person.find(QLabel, "noticeText").text() == "Chat moved to the trash"
        assert person.find(QAbstractButton, "noticeAction").text() == "Undo"
        assert person.path == []
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        next(each for each in controller.window.findChildren(QAction) if each.text() == "Trash…").trigger()
        deleted = person.find(QListWidget, "trashList")
        assert deleted.isVisible()
        assert deleted.item(0).text().startswith("Keep me · ")
        person.click("restoreButton")
        assert [each.text for each in person.path] == ["Keep me", answer.text]


def delete_open_chat(person: Person, title: str) -> None:
    person.ask(title)
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.controller.chat_list.delete(conversation.id)


def open_trash(person: Person) -> list[str]:
    """What is in it."""
    next(each for each in person.window.findChildren(QAction) if each.text() == "Trash…").trigger()
    return in_trash(person)


def in_trash(person: Person) -> list[str]:
    shown = person.find(QListWidget, "trashList")
    return [re.split(" · |\n", shown.item(row).text())[0] for row in range(shown.count())]


def undo(person: Person) -> None:
    (action,) = person.window.findChildren(QAction, "undoDelete")
    action.trigger()


def test_a_chat_is_deleted_for_good(person: Person) -> None:
    """The other one stays in the trash, and its deletion can be undone; the one that is gone cannot come back."""
    for title in ("One", "Two"):
        delete_open_chat(person, title)
    assert open_trash(person) == ["Two", "One"]
    for words, left in (("Cancel", ["Two", "One"]), ("Delete permanently", ["One"])):
        person.click("deleteForGoodButton")
        question = next(each for each in person.window.findChildren(ConfirmationDialog) if each.isVisible())
        assert question.text() == "Permanently delete “Two”?"
        next(button for button in question.buttons() if button.text().replace("&", "") == words).click()
        assert in_trash(person) == left
    assert [chat.title for chat in person.controller.services.conversations.list_trash()] == ["One"]
    assert not person.window.notice.isVisible()
    undo(person)
    assert person.path[0].text == "One"


def test_the_trash_follows_what_happens_in_the_window(person: Person) -> None:
    delete_open_chat(person, "One")
    assert open_trash(person) == ["One"]
    delete_open_chat(person, "Two")
    assert in_trash(person) == ["Two", "One"]
    undo(person)
    assert in_trash(person) == ["One"]


def test_a_chat_that_is_back_is_not_offered_to_come_back(person: Person) -> None:
    for title in ("One", "Two"):
        delete_open_chat(person, title)
    open_trash(person)
    person.click("restoreButton")
    assert person.path[0].text == "Two"
    assert not person.window.notice.isVisible()
    undo(person)
    assert person.path[0].text == "One"
    person.click("newChatButton")
    undo(person)
    assert person.path == []


def delete_message(person: Person, place: int) -> str:
    """What is said of it."""
    person.window.transcript.delete_requested.emit(person.path[place].id)
    return person.find(QLabel, "noticeText").text()


def test_the_wrong_message_is_deleted(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> None:
    """With all that follows, and found out after the next start."""
    services = build_services(places)
    services.pair_settings.save(choice)
    with opened(services, ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.keep_short()
        for question in ("Keep me", "Me too"):
            person.ask(question)
        everything = [each.text for each in person.path]
        assert delete_message(person, 3) == "Message moved to the trash"
        undo(person)
        assert delete_message(person, 2) == "Message and the one after it moved to the trash"
        person.window.notice.dismiss()
        undo(person)
        assert [each.text for each in person.path] == everything
        assert delete_message(person, 0) == "Message and the 3 after it moved to the trash"
        assert person.path == []
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        wait_for_pair(controller)
        person = Person(qtbot, controller)
        person.click("newChatButton")
        assert open_trash(person) == ["Keep me"]
        person.click("restoreButton")
        assert in_trash(person) == []
        assert [each.text for each in person.path] == everything


def test_deleted_messages_in_the_trash(person: Person) -> None:
    """Those that are gone for good, or back, are not offered to come back; those of a chat in the trash still are."""
    person.keep_short()
    for question in ("One", "Two", "Three"):
        person.ask(question)
    everything = [each.id for each in person.path]
    delete_message(person, 4)
    delete_message(person, 2)
    assert open_trash(person) == ["Two", "Three"]
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.controller.chat_list.delete(conversation.id)
    assert in_trash(person) == ["One"]
    undo(person)
    assert in_trash(person) == ["Two", "Three"]
    undo(person)
    assert [each.id for each in person.path] == everything[:4]
    person.click("restoreButton")
    assert [each.id for each in person.path] == everything
    assert not person.window.notice.isVisible()
    delete_message(person, 5)
    person.click("deleteForGoodButton")
    asked = next(each for each in person.window.findChildren(ConfirmationDialog) if each.isVisible())
    next(each for each in asked.buttons() if each.text() == "Delete permanently").click()
    assert in_trash(person) == []
    assert not person.window.notice.isVisible()
    undo(person)
    assert [each.id for each in person.path] == everything[:5]


def test_only_the_versions_that_were_seen_are_said_to_be_deleted(person: Person) -> None:
    person.keep_short()
    person.ask("One")
    person.controller.generation.regenerate_last()
    answer = person.wait_for_answer()
    assert answer.versions == 2
    assert delete_message(person, 0) == "Message and the one after it moved to the trash"
    undo(person)
    assert [each.versions for each in person.path] == [1, 2]


def listed(person: Person) -> list[str]:
    chats = person.find(QListView, "conversationList").model()
    return [chats.index(row, 0).data() for row in range(chats.rowCount())]


def test_a_chat_without_messages_is_about_nothing(person: Person) -> None:
    """What it was about is neither listed nor found, until it is undone."""
    person.keep_short()
    person.ask("How many moons?")
    conversations, title = person.controller.services.conversations, person.find(QLabel, "chatTitle")
    delete_message(person, 0)
    assert listed(person) == ["Today", "New chat"]
    assert (title.text(), person.window.windowTitle()) == ("", "New chat – specchat")
    assert conversations.search("moons") == []
    undo(person)
    assert listed(person) == ["Today", "How many moons?"]
    assert (title.text(), person.window.windowTitle()) == ("How many moons?", "How many moons? – specchat")
    assert len(conversations.search("moons")) == 2


def test_a_name_that_the_user_gave_stays(person: Person) -> None:
    person.keep_short()
    person.ask("How many moons?")
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.window.sidebar.list.renamed.emit(conversation.id, "Astronomy")
    delete_message(person, 0)
    assert listed(person) == ["Today", "Astronomy"]
    assert len(person.controller.services.conversations.search("astronomy")) == 1

"""Files attached to a message that is not sent yet: kept with its text, until it is sent or they are taken away."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot
from support.desks import Person, store_of
from support.windows import opened

from specchat.domain.conversations import Attached, Attachment, Conversation
from specchat.domain.types import PairChoice
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

pytestmark = pytest.mark.usefixtures("engine_here")

NOTES, MORE = Attachment("notes.txt", "Some notes"), Attachment("more.txt", "More of them")


def attach(person: Person, folder: Path, *files: Attachment) -> None:
    """As dropped on the message field."""
    paths = [folder / file.name for file in files]
    for path, file in zip(paths, files, strict=True):
        path.write_text(file.text)
    person.window.composer.attaching.load_files(paths)
    person.qtbot.waitUntil(lambda: set(files) <= set(person.window.composer.attachments))


def remove(person: Person, file: Attachment) -> None:
    chips = person.window.composer._chips
    (button,) = (chip.remove for chip in chips._chips if chip.attachment == file)
    button.click()


def shown(controller: AppController) -> tuple[Attached, ...]:
    return controller.window.composer.attachments


def current(person: Person) -> Conversation:
    conversation = person.controller.session.conversation
    assert conversation is not None
    return conversation


def kept(person: Person, conversation: Conversation) -> tuple[Attached, ...]:
    return person.controller.services.conversations.unsent_files(conversation.id)


def test_they_are_there_after_a_restart(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, tmp_path: Path
) -> None:
    services = build_services(places)
    services.pair_settings.save(choice)
    with opened(services, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        attach(person, tmp_path, NOTES, MORE)
        person.write("sum it up")
        as_after_a_kill = open_chat_store(places.data / "chats.db")
        assert as_after_a_kill.unsent_files(current(person).id) == (NOTES, MORE)
        as_after_a_kill.close()
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        qtbot.waitUntil(lambda: controller.window.composer.text == "sum it up")
        assert shown(controller) == (NOTES, MORE)
        qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=60_000)
        person.keep_short(4)
        person.click("sendButton")
        person.wait_for_answer()
        assert person.path[0].attachments == (NOTES, MORE)
        sent = current(person)
        assert kept(person, sent) == shown(controller) == ()
    with opened(build_services(places), ThemeManager(qapp), load_last=False) as controller:
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        controller.chat.open(sent.id)
        assert (controller.window.composer.text, shown(controller)) == ("", ())


def test_they_stay_with_their_chat(person: Person, tmp_path: Path) -> None:
    first = current(person)
    attach(person, tmp_path, NOTES)
    person.click("newChatButton")
    second = current(person)
    assert second.id != first.id
    assert shown(person.controller) == ()
    model = person.find(QListView, "conversationList").model()
    told = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert "New chat, unsent message" in told
    attach(person, tmp_path, MORE)
    person.controller.chat.open(first.id)
    assert shown(person.controller) == (NOTES,)
    person.controller.chat.open(second.id)
    assert shown(person.controller) == (MORE,)


def test_what_is_taken_away_is_kept_no_longer(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES, MORE)
    remove(person, NOTES)
    assert kept(person, current(person)) == (MORE,)
    remove(person, MORE)
    assert kept(person, current(person)) == ()


def test_a_deleted_chat_comes_back_with_them(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    deleted = current(person)
    person.controller.chat_list.delete(deleted.id)
    assert shown(person.controller) == ()
    person.controller.services.conversations.restore(deleted.id)
    person.controller.chat.open(deleted.id)
    assert shown(person.controller) == (NOTES,)
    person.controller.chat_list.delete(deleted.id)
    person.controller.services.conversations.delete_permanently(deleted.id)
    assert kept(person, deleted) == ()


def test_typing_does_not_write_them_again(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    statements: list[str] = []
    connection = store_of(person.controller).database._connection
    connection.set_trace_callback(statements.append)
    person.write("sum it up")
    person.window.composer.flush()
    connection.set_trace_callback(None)
    assert any("sum it up" in statement for statement in statements)
    assert not [
        statement for statement in statements if "INTO unsent" in statement or "FROM unsent WHERE id" in statement
    ]


def test_an_edit_and_a_suggestion_leave_them_alone(person: Person, tmp_path: Path) -> None:
    person.keep_short(4)
    attach(person, tmp_path, NOTES)
    person.ask("One")
    attach(person, tmp_path, MORE)
    person.controller.edits.edit_message(person.path[0].id)
    assert shown(person.controller) == (NOTES,)
    assert kept(person, current(person)) == (MORE,)
    person.click("sendButton")
    assert person.wait_for_answer().versions == 1
    assert kept(person, current(person)) == shown(person.controller) == (MORE,)
    person.controller.generation.send_suggestion("Two")
    person.wait_for_answer()
    assert kept(person, current(person)) == shown(person.controller) == (MORE,)


def test_what_is_taken_back_is_kept_again(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    person.write("One")
    person.occupy_the_models()
    person.click("sendButton")
    assert kept(person, current(person)) == ()
    person.controller.generation.stop()
    assert shown(person.controller) == (NOTES,)
    assert kept(person, current(person)) == (NOTES,)


def test_a_full_disk_loses_none(person: Person, tmp_path: Path) -> None:
    first = current(person)
    person.write("One")
    person.click("newChatButton")
    second = current(person)
    person.controller.chat.open(first.id)
    large = replace(NOTES, text="a line\n" * 50_000)
    store_of(person.controller).database.execute("PRAGMA max_page_count = 1")
    told = QSignalSpy(person.controller.notifications.error_reported)
    attach(person, tmp_path, large)
    assert told.count()
    person.controller.chat.open(second.id)
    assert shown(person.controller) == ()
    person.controller.chat.open(first.id)
    assert shown(person.controller) == (large,)
    store_of(person.controller).database.execute("PRAGMA max_page_count = 1000000")
    person.controller.chat.unsent.save()
    assert kept(person, first) == (large,)

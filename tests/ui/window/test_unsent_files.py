"""Files attached to a message that is not sent yet: kept with its text, until it is sent or they are taken away."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.windows import opened

from specchat.domain.conversations import Attachment, Conversation
from specchat.domain.types import PairChoice
from specchat.store.chat_store import SqliteChatStore, open_chats
from specchat.store.paths import Paths
from specchat.ui.desk import Desk
from specchat.ui.start.application import Look
from specchat.window_parts import services_at

NOTES, MORE = Attachment("notes.txt", "Some notes"), Attachment("more.txt", "More of them")


def attach(person: Person, folder: Path, *files: Attachment) -> None:
    """As dropped on the message field."""
    paths = [folder / file.name for file in files]
    for path, file in zip(paths, files, strict=True):
        path.write_text(file.text)
    person.window.composer.attach(paths)
    person.qtbot.waitUntil(lambda: set(files) <= set(person.window.composer.attachments))


def remove(person: Person, file: Attachment) -> None:
    chips = person.window.composer._chips
    (button,) = (chip.remove for chip in chips._chips if chip.attachment == file)
    button.click()


def shown(desk: Desk) -> tuple[Attachment, ...]:
    return desk.window.composer.attachments


def current(person: Person) -> Conversation:
    conversation = person.desk.chat.conversation
    assert conversation is not None
    return conversation


def kept(person: Person, conversation: Conversation) -> tuple[Attachment, ...]:
    return person.desk.services.conversations.unsent_files(conversation.id)


def store_of(desk: Desk) -> SqliteChatStore:
    store = desk.services.conversations._store
    assert isinstance(store, SqliteChatStore)
    return store


def test_they_are_there_after_a_restart(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, tmp_path: Path
) -> None:
    services = services_at(places)
    services.pair_settings.remember(choice)
    with opened(services, Look(qapp)) as desk:
        person = Person(qtbot, desk)
        qtbot.waitUntil(lambda: desk.chat.conversation is not None)
        attach(person, tmp_path, NOTES, MORE)
        person.write("sum it up")
        as_after_a_kill = open_chats(places.data / "chats.db")
        assert as_after_a_kill.unsent(current(person).id) == (NOTES, MORE)
        as_after_a_kill.close()
    with opened(services_at(places), Look(qapp)) as desk:
        person = Person(qtbot, desk)
        qtbot.waitUntil(lambda: desk.window.composer.text == "sum it up")
        assert shown(desk) == (NOTES, MORE)
        qtbot.waitUntil(lambda: desk.asking.pair is not None, timeout=60_000)
        person.keep_short(4)
        person.click("sendButton")
        person.wait_for_answer()
        assert person.path[0].attachments == (NOTES, MORE)
        sent = current(person)
        assert kept(person, sent) == shown(desk) == ()
    with opened(services_at(places), Look(qapp), load_last=False) as desk:
        qtbot.waitUntil(lambda: desk.chat.conversation is not None)
        desk.chat.open(sent.id)
        assert (desk.window.composer.text, shown(desk)) == ("", ())


def test_they_stay_with_their_chat(person: Person, tmp_path: Path) -> None:
    first = current(person)
    attach(person, tmp_path, NOTES)
    person.click("newChatButton")
    second = current(person)
    assert second.id != first.id
    assert shown(person.desk) == ()
    model = person.find(QListView, "conversationList").model()
    told = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert "New chat, not sent yet" in told
    attach(person, tmp_path, MORE)
    person.desk.chat.open(first.id)
    assert shown(person.desk) == (NOTES,)
    person.desk.chat.open(second.id)
    assert shown(person.desk) == (MORE,)


def test_what_is_taken_away_is_kept_no_longer(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES, MORE)
    remove(person, NOTES)
    assert kept(person, current(person)) == (MORE,)
    remove(person, MORE)
    assert kept(person, current(person)) == ()


def test_a_deleted_chat_comes_back_with_them(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    deleted = current(person)
    person.desk.list.delete(deleted.id)
    assert shown(person.desk) == ()
    person.desk.services.conversations.restore(deleted.id)
    person.desk.chat.open(deleted.id)
    assert shown(person.desk) == (NOTES,)
    person.desk.list.delete(deleted.id)
    person.desk.services.conversations.delete_for_good(deleted.id)
    assert kept(person, deleted) == ()


def test_typing_does_not_write_them_again(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    statements: list[str] = []
    connection = store_of(person.desk).database._connection
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
    person.desk.asking.edit(person.path[0].id)
    assert shown(person.desk) == (NOTES,)
    assert kept(person, current(person)) == (MORE,)
    person.click("sendButton")
    assert person.wait_for_answer().versions == 1
    assert kept(person, current(person)) == shown(person.desk) == (MORE,)
    person.desk.asking.suggest("Two")
    person.wait_for_answer()
    assert kept(person, current(person)) == shown(person.desk) == (MORE,)


def test_what_is_taken_back_is_kept_again(person: Person, tmp_path: Path) -> None:
    attach(person, tmp_path, NOTES)
    person.write("One")
    person.click("sendButton")
    assert kept(person, current(person)) == ()
    person.desk.asking.stop()
    assert shown(person.desk) == (NOTES,)
    assert kept(person, current(person)) == (NOTES,)


def test_a_full_disk_loses_none(person: Person, tmp_path: Path) -> None:
    first = current(person)
    person.write("One")
    person.click("newChatButton")
    second = current(person)
    person.desk.chat.open(first.id)
    large = replace(NOTES, text="a line\n" * 50_000)
    store_of(person.desk).database.execute("PRAGMA max_page_count = 1")
    told = QSignalSpy(person.desk.chat.failed)
    attach(person, tmp_path, large)
    assert told.count()
    person.desk.chat.open(second.id)
    assert shown(person.desk) == ()
    person.desk.chat.open(first.id)
    assert shown(person.desk) == (large,)
    store_of(person.desk).database.execute("PRAGMA max_page_count = 1000000")
    person.desk.chat.keep_draft()
    assert kept(person, first) == (large,)

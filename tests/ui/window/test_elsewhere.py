"""Another program changes the chats while the window is open."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.talks import long_talk

from specchat.domain.conversations import Conversation
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.export_markdown import markdown_chunks
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore, open_chat_store_without_recovery
from specchat.store.paths import Paths

PATIENT_MS = 60_000
IMPORTED = "Brought by a command"
TYPED = "What I was about to ask"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    talk = long_talk(1, 4)
    titled = replace(talk, conversation=replace(talk.conversation, title=IMPORTED))
    path = tmp_path / "talk.md"
    path.write_text("".join(markdown_chunks([titled])), encoding="utf-8")
    return path


def import_elsewhere(places: Paths, file: Path) -> None:
    """The command, in a process of its own."""
    home = os.environ | {"SPECCHAT_HOME": str(places.data.parent)}
    command = [sys.executable, "-m", "specchat", "chats", "import", str(file)]
    subprocess.run(command, env=home, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


@contextmanager
def elsewhere(places: Paths) -> Iterator[SqliteChatStore]:
    """Another connection, as another program has."""
    with closing(open_chat_store_without_recovery(places.chats)) as store:
        yield store


def titles(person: Person) -> list[str]:
    model = person.find(QListView, "conversationList").model()
    return [str(model.index(row, 0).data(Qt.ItemDataRole.DisplayRole)) for row in range(model.rowCount())]


def open_now(person: Person) -> Conversation:
    assert person.controller.session.conversation is not None
    return person.controller.session.conversation


def typed(person: Person) -> str:
    return person.find(QPlainTextEdit, "composer").toPlainText()


def test_what_a_command_imports_appears_by_itself(qtbot: QtBot, person: Person, places: Paths, file: Path) -> None:
    person.keep_short(4)
    person.ask("Hello there.")
    person.write(TYPED)
    before, path = open_now(person), person.path
    import_elsewhere(places, file)
    assert IMPORTED not in titles(person)
    qtbot.waitUntil(lambda: IMPORTED in titles(person), timeout=PATIENT_MS)
    assert (open_now(person).id, person.path, typed(person)) == (before.id, path, TYPED)
    chats = person.find(QListView, "conversationList")
    (selected,) = chats.selectionModel().selectedIndexes()
    assert selected.data(Qt.ItemDataRole.DisplayRole) == before.title


def test_a_title_that_is_being_edited_stays(person: Person, places: Paths, file: Path) -> None:
    person.keep_short(4)
    person.ask("Hello there.")
    person.press(Qt.Key.Key_F2)
    field = person.find(QLineEdit, "renameField")
    QTest.keyClicks(field, "Half a na")
    import_elsewhere(places, file)
    person.controller.store_watcher.check_for_changes()
    assert (field.isVisible(), field.text()) == (True, "Half a na")
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.qtbot.waitUntil(lambda: {IMPORTED, "Half a na"} <= set(titles(person)))


def test_an_answer_goes_on(person: Person, places: Paths, file: Path) -> None:
    person.keep_short(200)
    person.write("Tell me more.")
    person.click("sendButton")
    import_elsewhere(places, file)
    assert person.controller.answers.current() is not None
    person.controller.store_watcher.check_for_changes()
    assert IMPORTED in titles(person)
    answer = person.wait_for_answer()
    kept = person.controller.services.messages.answer(answer.id)
    assert kept is not None
    assert (kept.stats.n_generated, answer.text) == (200, person.path[-1].text)


@pytest.mark.parametrize("for_good", [False, True], ids=["trashed", "for good"])
def test_a_deleted_chat_is_left_and_what_is_typed_stays(person: Person, places: Paths, for_good: bool) -> None:
    person.keep_short(4)
    person.ask("Hello there.")
    person.write(TYPED)
    gone = open_now(person).id
    with elsewhere(places) as store:
        ConversationService(store).delete(gone)
        if for_good:
            ConversationService(store).delete_permanently(gone)
    person.controller.store_watcher.check_for_changes()
    assert (open_now(person).id != gone, person.path, typed(person)) == (True, [], TYPED)
    assert person.controller.services.conversations.get(open_now(person).id).unsent_text == TYPED
    assert "Another program deleted the open chat." in person.find(QWidget, "problem").accessibleName()


def test_the_open_chat_follows(person: Person, places: Paths) -> None:
    person.keep_short(4)
    answer = person.ask("Hello there.")
    person.write(TYPED)
    with elsewhere(places) as store:
        ConversationService(store).rename(open_now(person).id, "Renamed elsewhere")
        MessageService(store).delete(answer.id)
    person.controller.store_watcher.check_for_changes()
    assert [message.text for message in person.path] == ["Hello there."]
    assert "Renamed elsewhere" in titles(person)
    assert person.window.windowTitle().startswith("Renamed elsewhere")
    assert typed(person) == TYPED


def test_a_hidden_window_does_not_look(person: Person) -> None:
    window, looking = person.window, person.controller.store_watcher
    assert looking.is_active
    window.hide()
    assert not looking.is_active
    window.show()
    assert looking.is_active
    window.showMinimized()
    assert not looking.is_active

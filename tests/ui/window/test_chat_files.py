"""Chats go out to files and come in from them while the window is used."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QListView, QWidget
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.talks import long_talk, store
from support.windows import opened

from specchat.services.chat import export_json as exports_module
from specchat.services.chat.stored_chats import StoredChats
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.ui.widgets.documents_folder import documents_folder
from specchat.window_bootstrap import build_services

CHATS, MESSAGES = 6, 8
PATIENT_MS = 60_000


@pytest.fixture
def go_on() -> Iterator[Event]:
    """Until it is set, no file is written or read."""
    event = Event()
    event.set()
    yield event
    event.set()


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths, go_on: Event) -> Iterator[Person]:
    """Whose window has chats and no models."""
    store(places, [long_talk(number, MESSAGES) for number in range(CHATS)])
    services = build_services(places)

    @contextmanager
    def held() -> Iterator[StoredChats]:
        with services.kept_chats() as kept:
            go_on.wait()
            yield kept

    with opened(replace(services, kept_chats=held), ThemeManager(qapp), load_last=False) as controller:
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        assert controller.session.conversation is not None
        controller.chat_list.delete(controller.session.conversation.id)  # the new one, with nothing in it
        controller.window.notice.dismiss()
        yield Person(qtbot, controller)


@pytest.fixture
def dialogs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where each of the system's dialogs for files began; all are cancelled."""
    began: list[str] = []

    def cancelled(_parent: QWidget, _title: str, place: str, kinds: str, usual: str = "") -> tuple[str, str]:
        assert usual in kinds
        if usual:
            assert f"*{Path(place).suffix})" in usual
        began.append(place)
        return "", ""

    for kind in ("getSaveFileName", "getOpenFileNames"):
        monkeypatch.setattr(QFileDialog, kind, cancelled)
    return began


def said(person: Person) -> str:
    return person.window.notice.text if person.window.notice.isVisible() else ""


def done(person: Person) -> None:
    person.qtbot.waitUntil(lambda: not person.controller.chat_files.is_busy, timeout=PATIENT_MS)


def test_files_are_asked_for_among_the_documents(person: Person, dialogs: list[str]) -> None:
    person.controller.chat_files.export(None)
    person.controller.chat_files.export([person.controller.services.conversations.list_all()[0].id])
    person.controller.chat_files.import_file()
    assert dialogs[0] == str(documents_folder() / "specchat.json")
    assert Path(dialogs[1]).parent == Path(dialogs[2]) == documents_folder()
    assert documents_folder().is_absolute()


def test_a_chat_without_a_message_is_not_exported(person: Person, dialogs: list[str]) -> None:
    person.controller.chat_list.new_chat()
    person.press(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    assert said(person) == "This chat is empty"
    assert dialogs == []


def exported(person: Person, path: Path) -> Path:
    person.controller.chat_files.export_to(path, None)
    done(person)
    return path


def rename_all(person: Person) -> None:
    """What was exported before no longer exists."""
    conversations = person.controller.services.conversations
    for each in conversations.list_all():
        conversations.rename(each.id, f"{each.title} (2)")


def n_chats(person: Person) -> int:
    return len([each for each in person.controller.services.conversations.list_all() if each.leaf is not None])


@pytest.mark.parametrize("name", ["all.json", "all.md"])
def test_what_is_exported_can_be_imported(person: Person, tmp_path: Path, name: str) -> None:
    path = exported(person, tmp_path / name)
    assert said(person) == f"Saved as {name} in {tmp_path}"
    person.controller.chat_files.import_from(path)
    done(person)
    assert said(person) == f"0 chats imported, {CHATS} already existed"
    rename_all(person)
    person.controller.chat_files.import_from(path)
    done(person)
    assert said(person) == f"{CHATS} chats imported"
    assert n_chats(person) == 2 * CHATS
    assert len(person.path) == MESSAGES
    assert [file.name for file in tmp_path.glob("all*")] == [name]


def test_what_is_too_large_to_come_back_is_said(
    person: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports_module, "LARGEST_CHAT", 100)
    exported(person, tmp_path / "all.json")
    assert said(person) == f"Saved as all.json in {tmp_path}, but one of the chats is too large to be imported again."


def test_the_window_is_used_while_chats_are_exported(person: Person, tmp_path: Path, go_on: Event) -> None:
    go_on.clear()
    person.controller.chat_files.export_to(tmp_path / "all.json", None)
    person.qtbot.waitUntil(lambda: said(person) == "Exporting to all.json…")
    person.write("meanwhile")
    person.window.composer.flush()
    shown = person.controller.session.conversation
    assert shown is not None
    assert person.controller.services.conversations.get(shown.id).unsent_text == "meanwhile"
    person.window.sidebar.list.open_requested.emit(person.controller.services.conversations.list_all()[-1].id)
    assert len(person.path) == MESSAGES
    assert person.controller.chat_files.is_busy
    go_on.set()
    done(person)
    assert said(person) == f"Saved as all.json in {tmp_path}"
    assert (tmp_path / "all.json").is_file()


@pytest.mark.parametrize("before", [None, "old"])
def test_an_export_can_be_stopped(person: Person, tmp_path: Path, go_on: Event, before: str | None) -> None:
    path = tmp_path / "all.json"
    if before is not None:
        path.write_text(before)
    go_on.clear()
    person.controller.chat_files.export_to(path, None)
    person.qtbot.waitUntil(lambda: bool(said(person)))
    person.click("noticeAction")
    go_on.set()
    done(person)
    assert said(person) == ""
    assert not person.window.problem.isVisible()
    assert not list(tmp_path.glob("*.part"))
    assert (path.read_text() if path.exists() else None) == before


def test_closing_the_window_amid_an_export_leaves_no_file(person: Person, tmp_path: Path, go_on: Event) -> None:
    go_on.clear()
    person.controller.chat_files.export_to(tmp_path / "all.json", None)
    person.controller.chat_files.export_to(tmp_path / "all.md", None)
    with person.controller.chat_files._going[0].cancel.listening(go_on.set):
        person.window.close()
    assert list(tmp_path.glob("all*")) == []


def test_what_cannot_be_written_is_told(person: Person, tmp_path: Path, go_on: Event) -> None:
    exported(person, tmp_path / "all.md")
    assert said(person)
    go_on.clear()
    person.controller.chat_files.export_to(tmp_path / "nowhere" / "all.json", None)
    person.qtbot.waitUntil(lambda: bool(said(person)))
    go_on.set()
    done(person)
    assert said(person) == "", "also not what was saved before"
    assert "Can't write " in person.find(QWidget, "problem").accessibleName()


def test_what_a_command_imported_shows_when_the_window_is_used_again(
    person: Person, qapp: QApplication, tmp_path: Path
) -> None:
    path, chats = exported(person, tmp_path / "all.json"), person.find(QListView, "conversationList").model()

    def n_shown() -> int:
        return sum(bool(chats.index(row, 0).flags()) for row in range(chats.rowCount()))

    assert n_shown() == CHATS
    rename_all(person)
    with person.controller.services.kept_chats() as kept:
        kept.files.read(path)
    assert n_shown() == CHATS
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    assert n_shown() == 2 * CHATS


def test_dropped_exports_are_imported_and_other_files_attached(person: Person, tmp_path: Path) -> None:
    talk = [{"role": "user", "content": "Why tides?"}, {"role": "assistant", "content": "The moon."}]
    messages, circle = tmp_path / "talk.json", {"id": "a", "parent": "a", "message": None}
    messages.write_text(json.dumps([{"messages": talk, "title": "Tides"}, {"messages": []}]))
    other, notes = tmp_path / "settings.json", tmp_path / "notes.txt"
    other.write_text('{"port": 8080}')
    notes.write_text("Notes")
    composer = person.window.composer
    composer.files_dropped_beside.emit([messages, other, notes])
    person.qtbot.waitUntil(lambda: len(composer.attachments) == 2, timeout=PATIENT_MS)
    done(person)
    assert said(person) == "1 chat imported"
    assert len(composer.attachments) == 2
    problem = person.find(QWidget, "problem")
    assert "1 chat in talk.json couldn't be imported" in problem.accessibleName()
    person.click("noticeAction")
    assert [message.text for message in person.path] == ["Why tides?", "The moon."]
    (tmp_path / "circle.json").write_text(json.dumps({"title": "Circle", "mapping": {"a": circle}}))
    person.controller.chat_files.import_from(tmp_path / "circle.json", messages)
    done(person)
    assert said(person) == "0 chats imported, 1 already existed"
    assert "2 chats in circle.json, talk.json couldn't be imported" in problem.accessibleName()
    assert "Circle: Its messages form a loop." in problem.accessibleDescription()


def test_a_damaged_file_adds_nothing(person: Person, tmp_path: Path) -> None:
    path = exported(person, tmp_path / "all.json")
    path.write_bytes(path.read_bytes()[:-10])
    person.controller.chat_files.import_from(path)
    done(person)
    assert "all.json is damaged" in person.find(QWidget, "problem").accessibleName()
    assert n_chats(person) == CHATS


def test_what_was_wrong_with_a_file_goes_with_the_next_one(person: Person, tmp_path: Path) -> None:
    path, other = exported(person, tmp_path / "all.json"), tmp_path / "diary.md"
    other.write_text("Dear diary")
    person.controller.chat_files.import_from(other)
    done(person)
    assert "diary.md contains no chats that specchat can read" in person.find(QWidget, "problem").accessibleName()
    person.controller.chat_files.import_from(path)
    done(person)
    assert not person.window.problem.isVisible()
    assert said(person) == f"0 chats imported, {CHATS} already existed"


def test_who_waited_for_an_import_stays_where_they_are(person: Person, tmp_path: Path, go_on: Event) -> None:
    path = exported(person, tmp_path / "all.md")
    rename_all(person)
    go_on.clear()
    person.controller.chat_files.import_from(path)
    person.qtbot.waitUntil(lambda: said(person) == "Importing all.md…")
    shown = person.controller.session.conversation
    go_on.set()
    done(person)
    assert person.controller.session.conversation == shown
    assert said(person) == f"{CHATS} chats imported"
    person.click("noticeAction")
    assert person.controller.session.conversation != shown
    assert len(person.path) == MESSAGES


def test_one_waits_for_the_other(person: Person, tmp_path: Path, go_on: Event) -> None:
    go_on.clear()
    person.controller.chat_files.export_to(tmp_path / "all.json", None)
    person.controller.chat_files.import_from(tmp_path / "all.json")
    person.qtbot.waitUntil(lambda: person.find(QLabel, "noticeText").text() == "Exporting to all.json…")
    go_on.set()
    done(person)
    assert said(person) == f"0 chats imported, {CHATS} already existed"

"""Chats that belong together."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QListView
from pytestqt.qtbot import QtBot
from support.desks import Person

from specchat.domain.conversations import Attachment, Conversation
from specchat.domain.model_ref import ModelFile
from specchat.domain.projects import Project, ProjectSettings
from specchat.domain.types import PairChoice, Role
from specchat.services.chat.project_service import ProjectService
from specchat.ui.documents.document_links import document_link
from specchat.ui.projects.project_dialog import ProjectDialog
from specchat.ui.widgets.controls import ElidedLabel

NOTES = Attachment("notes.txt", "low tide")


def projects_of(person: Person) -> ProjectService:
    return person.controller.services.projects


def ask_in_new_chat(person: Person, question: str) -> int:
    person.controller.chat_list.new_chat()
    person.keep_short(2)
    person.ask(question)
    conversation = person.controller.session.conversation
    assert conversation is not None
    return conversation.id


def project_with(person: Person, *chats: int) -> Project:
    person.controller.projects.new_project(chats)
    QTest.keyClick(person.find(QLineEdit, "renameField"), Qt.Key.Key_Escape)
    return projects_of(person).list_all()[-1]


def lines(person: Person) -> list[str]:
    model = person.find(QListView, "conversationList").model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def undo(person: Person, words: str) -> None:
    assert person.find(QLabel, "noticeText").text() == words
    person.find(QAbstractButton, "noticeAction").click()


def test_a_project_begins_with_a_name_to_type(person: Person) -> None:
    chat = ask_in_new_chat(person, "One")
    person.controller.projects.new_project([chat])
    field = person.find(QLineEdit, "renameField")
    assert (field.text(), field.hasFocus()) == ("New project", True)
    field.setText("Garden")
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.qtbot.waitUntil(lambda: lines(person)[:3] == ["Projects", "Garden", "One"])
    assert person.find(ElidedLabel, "chatTitle").text() == "Garden / One"
    person.controller.chat_list.new_chat()
    assert person.controller.session.project is None


def test_moving_and_deleting_can_be_undone(person: Person, qtbot: QtBot) -> None:
    one, two = ask_in_new_chat(person, "One"), ask_in_new_chat(person, "Two")
    garden = project_with(person, one)
    person.controller.projects.move([one, two], garden.id)
    undo(person, "Chat moved to New project")
    assert projects_of(person).chats(garden.id) == [one]
    person.controller.projects.move([one, two], garden.id)
    person.controller.projects.delete(garden.id)
    person.find(QAbstractButton, "keepChatsButton").click()
    assert lines(person) == ["Today", "Two", "One"]
    undo(person, "Project moved to the trash")
    assert lines(person) == ["Projects", "New project", "Two", "One"]
    qtbot.waitUntil(lambda: person.window.findChild(QAbstractButton, "deleteChatsButton") is None)
    person.controller.projects.delete(garden.id)
    person.find(QAbstractButton, "deleteChatsButton").click()
    assert not {"One", "Two"} & set(lines(person))
    undo(person, "Project and its chats moved to the trash")
    assert lines(person)[:4] == ["Projects", "New project", "Two", "One"]


def test_a_project_comes_back_from_the_trash_with_the_chats_that_went_with_it(person: Person) -> None:
    one, two, three = (ask_in_new_chat(person, name) for name in ("One", "Two", "Three"))
    garden = project_with(person, one)
    person.controller.projects.move([one, two, three], garden.id)
    person.controller.chat_list.delete(three)
    person.controller.projects.delete(garden.id)
    person.find(QAbstractButton, "deleteChatsButton").click()
    (kept,) = (each for each in person.controller.trash.contents() if isinstance(each, Project))
    assert kept.n_deleted_chats == 2
    person.controller.trash.restore(kept)
    assert sorted(projects_of(person).chats(garden.id)) == [one, two]
    assert lines(person)[:4] == ["Projects", "New project", "Two", "One"]
    assert [each.id for each in person.controller.trash.contents() if isinstance(each, Conversation)] == [three]


def test_an_empty_project_goes_without_a_question_and_stays_in_the_trash(person: Person) -> None:
    garden = project_with(person)
    person.controller.projects.delete(garden.id)
    (kept,) = person.controller.trash.contents()
    assert isinstance(kept, Project)
    person.controller.trash.restore(kept)
    assert lines(person)[:2] == ["Projects", "New project"]
    person.controller.projects.delete(garden.id)
    person.controller.trash.delete_permanently(kept)
    assert person.controller.trash.contents() == []


def test_several_chats_are_deleted_exported_and_brought_back(person: Person, tmp_path: Path, qtbot: QtBot) -> None:
    chats = [ask_in_new_chat(person, "One"), ask_in_new_chat(person, "Two")]
    file = tmp_path / "two.json"
    person.controller.chat_files.export_to(file, chats)
    qtbot.waitUntil(lambda: not person.controller.chat_files.is_busy)
    assert file.read_text(encoding="utf-8").count('"messages"') == 2
    person.controller.chat_list.delete(*chats)
    assert not set(chats) & {chat.id for chat in person.controller.services.conversations.list_used()}
    undo(person, "2 chats moved to the trash")
    assert {chat.id for chat in person.controller.services.conversations.list_used()} == set(chats)


def test_answers_in_a_project_read_its_prompt_and_files(person: Person) -> None:
    garden = project_with(person)
    projects_of(person).change_settings(garden.id, ProjectSettings("Be exact."))
    projects_of(person).save_files(garden.id, [NOTES])
    person.window.sidebar.list.project_chat_requested.emit(garden.id)
    assert person.controller.session.project_context.files == (NOTES,)
    welcome = {label.text() for label in person.window.welcome.findChildren(QLabel)}
    added = f"System prompt of the project: Be exact.\nFiles of the project: {NOTES.name}"
    assert {f"New chat in {garden.name}", added} <= welcome
    person.keep_short(2)
    person.write("When?")
    person.click("sendButton")
    running = person.controller.answers.current()
    assert running is not None
    system = running.streamed.task.messages[0]
    assert (system.role, system.content.split("\n")[0], "low tide" in system.content) == (
        *(Role.SYSTEM, "Be exact."),
        True,
    )
    person.wait_for_answer()
    person.controller.documents.open_link(document_link(NOTES.name))
    viewer = person.controller.documents.viewer.created_value
    assert viewer is not None
    viewer.close()


def test_pairs_that_were_loaded_before_can_be_chosen(person: Person, tmp_path: Path) -> None:
    controller, garden = person.controller, project_with(person)
    loaded = controller.pair.current_choice
    assert loaded is not None
    known = controller.services.pair_settings
    known.save(replace(loaded, draft=None, draft_type="ngram"))
    known.save(PairChoice(ModelFile(tmp_path / "gone.gguf")))
    person.window.sidebar.list.project_settings_requested.emit(garden.id)
    dialog = person.window.findChild(ProjectDialog)
    assert dialog is not None
    field = dialog.findChild(QComboBox, "projectPairField")
    assert field is not None
    shown = [field.itemText(at) for at in range(field.count())]
    dialog.reject()
    name = controller.pair.display_name(loaded.target.name)
    assert f"{name} + earlier text" in shown
    assert not any("gone" in each for each in shown)

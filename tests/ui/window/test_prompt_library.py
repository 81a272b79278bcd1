"""The prompt library, from the menu to the message."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QLabel, QLineEdit, QListWidget, QPlainTextEdit
from support.desks import Person, store_of

from specchat.domain.conversations import ConversationSettings
from specchat.domain.projects import ProjectPair, ProjectSettings
from specchat.domain.stored_prompt import StoredPrompt
from specchat.ui.projects.project_dialog import ProjectDialog


@pytest.fixture
def writer(person: Person) -> Person:
    """With the library open."""
    next(each for each in person.window.findChildren(QAction) if each.text() == "Prompts…").trigger()
    return person


def stored(person: Person) -> list[StoredPrompt]:
    return person.controller.services.prompts.list_prompts()


def write(person: Person, name: str, text: str) -> None:
    person.find(QLineEdit, "promptNameField").setText(name)
    person.find(QPlainTextEdit, "promptTextField").setPlainText(text)


def names(person: Person) -> list[str]:
    shown = person.find(QListWidget, "storedPrompts")
    return [shown.item(row).text() for row in range(shown.count())]


def test_prompts_are_written_renamed_and_inserted(writer: Person) -> None:
    write(writer, "Translate", "Into {{language}}")
    writer.click("newPromptButton")
    write(writer, "", "Mend the code.")
    writer.find(QListWidget, "storedPrompts").setCurrentRow(0)
    assert names(writer) == ["Mend the code", "Translate"]
    writer.find(QListWidget, "storedPrompts").setCurrentRow(0)
    write(writer, "Mend", "Mend {{code}}")
    writer.click("closePromptsButton")
    assert stored(writer) == [StoredPrompt("Mend", "Mend {{code}}"), StoredPrompt("Translate", "Into {{language}}")]
    writer.window.activateWindow()
    writer.qtbot.waitUntil(writer.window.isActiveWindow)
    writer.write("/tr")
    writer.press(Qt.Key.Key_Return)
    assert writer.window.composer.text == "Into {{language}}"


def test_a_prompt_that_was_just_written_is_offered_at_once(person: Person) -> None:
    person.window.activateWindow()
    person.qtbot.waitUntil(person.window.isActiveWindow)
    person.write("/")
    person.press(Qt.Key.Key_Tab)
    write(person, "Mend", "Mend {{code}}")
    person.click("closePromptsButton")
    person.window.activateWindow()
    person.qtbot.waitUntil(lambda: person.window.composer.prompts.is_open)
    person.press(Qt.Key.Key_Return)
    assert person.window.composer.text.startswith("Mend {{code}}")


def test_a_deleted_prompt_comes_back_and_an_empty_one_is_not_kept(writer: Person) -> None:
    write(writer, "Mend", "Mend it")
    writer.click("newPromptButton")
    write(writer, "Nothing", " ")
    shown = writer.find(QListWidget, "storedPrompts")
    shown.setCurrentRow(0)
    assert writer.find(QLineEdit, "promptNameField").text() == "Nothing"
    shown.setCurrentRow(0)
    assert writer.find(QLineEdit, "promptNameField").text() == "Mend"
    writer.click("deletePromptButton")
    assert (stored(writer), names(writer)) == ([], [])
    assert writer.find(QLabel, "noticeText").text() == "Prompt “Mend” deleted"
    writer.find(QAbstractButton, "noticeAction").click()
    assert stored(writer) == [StoredPrompt("Mend", "Mend it")]
    writer.click("closePromptsButton")


@pytest.mark.parametrize("text", ["", "Mend it"])
def test_a_missing_text_is_told_before_changes_are_dropped(writer: Person, text: str) -> None:
    write(writer, "Mend", text)
    if text:
        writer.click("newPromptButton")
        writer.find(QListWidget, "storedPrompts").setCurrentRow(0)
        write(writer, "Mend", "")
    problem, dialog = writer.find(QLabel, "promptProblem"), writer.find(QDialog, "promptLibrary")
    writer.click("closePromptsButton")
    assert problem.text() == "A prompt needs a text. Changes without one aren't saved."
    assert dialog.isVisible()
    writer.click("closePromptsButton")
    assert not dialog.isVisible()
    writer.controller.prompt_library.open()
    assert problem.text() == ""
    assert writer.find(QPlainTextEdit, "promptTextField").toPlainText() == text
    writer.click("closePromptsButton")


def test_a_full_disk_loses_no_prompt(writer: Person) -> None:
    write(writer, "Translate", "Into {{language}}")
    writer.click("newPromptButton")
    database = store_of(writer.controller).database
    database.execute("PRAGMA max_page_count = 1")
    told = QSignalSpy(writer.controller.notifications.error_reported)
    write(writer, "Long", "word " * 50_000)
    writer.find(QListWidget, "storedPrompts").setCurrentRow(0)
    assert told.count()
    assert writer.find(QLineEdit, "promptNameField").text() == "Long"
    writer.click("closePromptsButton")
    writer.controller.prompt_library.open()
    database.execute("PRAGMA max_page_count = 1000000")
    writer.click("closePromptsButton")
    assert [prompt.name for prompt in stored(writer)] == ["Long", "Translate"]


def test_a_prompt_that_cannot_be_deleted_stays(writer: Person) -> None:
    write(writer, "Mend", "Mend it")
    writer.click("newPromptButton")
    writer.find(QListWidget, "storedPrompts").setCurrentRow(0)
    database = store_of(writer.controller).database
    database.execute("PRAGMA query_only = 1")
    told = QSignalSpy(writer.controller.notifications.error_reported)
    writer.click("deletePromptButton")
    assert told.count() == 1
    assert names(writer) == ["Mend"]
    database.execute("PRAGMA query_only = 0")
    writer.click("closePromptsButton")


def test_a_project_has_its_own_prompt_files_and_models(person: Person, tmp_path: Path) -> None:
    services = person.controller.services
    garden = services.projects.create("Garden")
    person.controller.project_settings.open(garden.id)
    dialog = person.window.findChild(ProjectDialog)
    assert dialog is not None
    person.find(QLineEdit, "projectNameField").setText("Orchard")
    person.find(QPlainTextEdit, "projectPromptField").setPlainText("Be exact.\n")
    notes = tmp_path / "notes.txt"
    notes.write_text("low tide", encoding="utf-8")
    dialog._loader.load_files([notes, notes])
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 64)
    dialog._loader.load_files([picture])
    assert "Pictures can't be added" in person.find(QLabel, "projectDialogProblem").text()
    database = store_of(person.controller).database
    database.execute("PRAGMA query_only = 1")
    QTest.keyClick(person.find(QAbstractButton, "saveProjectButton"), Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert "Can't write" in person.find(QLabel, "projectDialogProblem").text()
    database.execute("PRAGMA query_only = 0")
    QTest.keyClick(person.find(QAbstractButton, "saveProjectButton"), Qt.Key.Key_Return)
    changed = services.projects.get(garden.id)
    assert (changed.name, changed.settings.system_prompt) == ("Orchard", "Be exact.")
    assert [file.name for file in services.projects.files(garden.id)] == ["notes.txt"]


def test_the_models_of_a_project_are_offered_when_its_chat_is_opened(person: Person) -> None:
    """Not while they are loaded."""
    services, controller = person.controller.services, person.controller
    choice = controller.pair.current_choice
    assert choice is not None
    garden = services.projects.create("Garden")
    for pair, words in (
        (ProjectPair(str(choice.target), str(choice.draft)), ""),
        (ProjectPair(str(choice.target), draft_type="none"), "Garden uses "),
        (ProjectPair("/nowhere/target.gguf"), ""),
    ):
        controller.chat_list.new_chat()
        controller.notifications.show_notice("")
        services.projects.change_settings(garden.id, ProjectSettings(pair=pair))
        controller.projects.refresh()
        chat = services.conversations.create(ConversationSettings(), garden.id)
        services.conversations.save_unsent_text(chat.id, "Hello")
        controller.chat.open(chat.id)
        assert person.find(QLabel, "noticeText").text().startswith(words)
        assert bool(person.find(QLabel, "noticeText").text()) is bool(words)
        if words:
            person.find(QAbstractButton, "noticeAction").click()
            current = controller.pair.current_choice
            assert current is not None
            assert (current.target, current.draft, current.draft_type) == (choice.target, None, "none")

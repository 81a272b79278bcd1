"""Stored prompts, offered while a message begins with a slash."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QListWidget, QWidget
from ui.composer.driver import Driver

from specchat.domain.stored_prompt import StoredPrompt

PROMPTS = (
    StoredPrompt("Fix", "Fix 🙂 {{code}} in {{language}}:\n{{code}}"),
    StoredPrompt("Review", "/review this"),
    StoredPrompt("Rhyme", "Rhyme"),
)


def find(query: str) -> Sequence[StoredPrompt]:
    return [prompt for prompt in PROMPTS if query.lower() in prompt.name.lower()]


@pytest.fixture
def library(driver: Driver) -> Driver:
    driver.composer.prompts.find = find
    return driver


def offered(driver: Driver) -> list[str]:
    if not driver.composer.prompts.is_open:
        return []
    shown = driver.child(QListWidget, "promptList")
    return [shown.item(row).text() for row in range(shown.count())]


def selected(driver: Driver) -> str:
    return driver.editor.textCursor().selectedText()


def test_a_slash_offers_them_and_what_is_typed_narrows_them(library: Driver) -> None:
    library.type("/")
    assert offered(library) == ["Fix", "Review", "Rhyme"]
    popup = library.child(QWidget, "promptPopup")
    assert popup.geometry().bottom() < library.composer.geometry().top()
    library.type("r")
    assert offered(library) == ["Review", "Rhyme"]
    library.type("x")
    assert offered(library) == []
    library.press(Qt.Key.Key_Backspace)
    assert offered(library) == ["Review", "Rhyme"]
    library.window.resize(500, 400)
    library.editor.clear()
    assert offered(library) == []


def test_tab_inserts_and_goes_through_the_placeholders(library: Driver) -> None:
    library.type("/fi")
    library.press(Qt.Key.Key_Tab)
    assert library.composer.text == PROMPTS[0].text
    assert selected(library) == "{{code}}"
    library.type("x")
    library.press(Qt.Key.Key_Tab)
    assert selected(library) == "{{language}}"
    library.type("C")
    library.press(Qt.Key.Key_Tab)
    assert selected(library) == "{{code}}"
    library.type("x = 1;")
    assert library.composer.text == "Fix 🙂 x in C:\nx = 1;"
    library.press(Qt.Key.Key_Tab)
    assert not library.editor.hasFocus()


def test_enter_inserts_the_current_one_and_sends_nothing(library: Driver) -> None:
    sent = QSignalSpy(library.composer.sent)
    library.type("/")
    library.press(Qt.Key.Key_Up)
    library.press(Qt.Key.Key_Up)
    library.press(Qt.Key.Key_Return)
    assert (library.composer.text, sent.count(), offered(library)) == ("/review this", 0, [])
    library.press(Qt.Key.Key_Return)
    assert sent.at(0)[0] == "/review this"


def test_a_click_inserts(library: Driver) -> None:
    library.type("/")
    shown = library.child(QListWidget, "promptList")
    place = shown.visualItemRect(shown.item(2)).center()
    QTest.mouseClick(shown.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert (library.composer.text, library.editor.hasFocus()) == ("Rhyme", True)


def test_what_begins_with_a_slash_can_be_sent_as_it_is(library: Driver) -> None:
    sent = QSignalSpy(library.composer.sent)
    library.type("/etc/hosts")
    library.press(Qt.Key.Key_Return)
    library.editor.clear()
    library.type("/fix")
    override = QKeyEvent(QKeyEvent.Type.ShortcutOverride, Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(library.editor, override)
    assert override.isAccepted()
    library.press(Qt.Key.Key_Escape)
    library.press(Qt.Key.Key_Return)
    assert [sent.at(number)[0] for number in range(sent.count())] == ["/etc/hosts", "/fix"]
    library.type(" it")
    assert offered(library) == []
    library.editor.selectAll()
    library.type("/")
    assert offered(library) == ["Fix", "Review", "Rhyme"]
    library.editor.clear()
    library.type("/f")
    assert offered(library) == ["Fix"]


@pytest.mark.parametrize("text", ["and/or", "/ r", "/r\n"])
def test_nothing_is_offered_elsewhere(library: Driver, text: str) -> None:
    for letter in text:
        if letter == "\n":
            library.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        else:
            library.type(letter)
    assert offered(library) == []


def test_a_message_that_comes_back_offers_nothing(library: Driver) -> None:
    library.composer.set_text("/fix")
    assert offered(library) == []


def test_who_goes_elsewhere_closes_it(library: Driver) -> None:
    library.type("/")
    library.send.setFocus()
    assert offered(library) == []


def test_an_empty_library_explains_itself_and_lets_the_slash_be_sent(driver: Driver) -> None:
    driver.composer.prompts.find = lambda _: ()
    asked, sent = QSignalSpy(driver.composer.prompts.library_requested), QSignalSpy(driver.composer.sent)
    driver.type("/")
    popup = driver.child(QWidget, "promptPopup")
    assert [label.text() for label in popup.findChildren(QLabel) if label.isVisible()] == [
        "Your prompt library is empty."
    ]
    driver.child(QAbstractButton, "managePromptsButton").click()
    assert (asked.count(), driver.composer.prompts.is_open) == (1, False)
    driver.press(Qt.Key.Key_Return)
    assert sent.at(0)[0] == "/"
    driver.editor.clear()
    driver.type("/x")
    assert not driver.composer.prompts.is_open

"""Where what is typed goes."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListView, QPlainTextEdit, QWidget
from support.desks import Person

from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.composer.text_keys import is_text_key
from specchat.ui.models.cards import Card
from specchat.ui.widgets.controls import IconButton
from specchat.ui.window.shortcuts_dialog import ShortcutsDialog

pytestmark = pytest.mark.usefixtures("engine_here")

NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SHIFT, ALT = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def writer(person: Person) -> Person:
    person.window.activateWindow()
    person.qtbot.waitUntil(person.window.isActiveWindow)
    return person


def has_keyboard(person: Person, name: str) -> bool:
    focused = QApplication.focusWidget()
    return focused is not None and focused.objectName() == name


def typed_on(person: Person, name: str, text: str) -> str:
    """What the message is then. Each key goes to whoever has the keyboard."""
    place = person.find(QWidget, name)
    place.setFocus(Qt.FocusReason.TabFocusReason)
    assert place.hasFocus()
    for letter in text:
        QTest.keyClicks(QApplication.focusWidget() or person.window, letter)
    return person.find(QPlainTextEdit, "composer").toPlainText()


def test_after_load_the_message_field_has_the_keyboard(writer: Person, choice: PairChoice) -> None:
    writer.controller.services.models.library.add(path_for_ref(choice.target))
    meter = writer.find(QWidget, "contextMeter")
    writer.qtbot.waitUntil(meter.isVisible)
    meter.setFocus(Qt.FocusReason.MouseFocusReason)
    writer.click("pairButton")
    load = writer.find(QWidget, "loadButton")
    writer.qtbot.waitUntil(load.isEnabled)
    with writer.qtbot.waitSignal(writer.controller.session.pair_loaded):
        writer.click("loadButton")
    writer.qtbot.waitUntil(lambda: has_keyboard(writer, "composer"))


@pytest.mark.parametrize("name", ["pairButton", "contextMeter", "transcript", "overlayButton"])
def test_what_is_typed_elsewhere_is_the_message(writer: Person, name: str) -> None:
    writer.keep_short(4)
    writer.ask("Hello")
    writer.qtbot.waitUntil(writer.find(QWidget, "contextMeter").isVisible)
    assert typed_on(writer, name, "? Why (not)?") == "? Why (not)?"
    assert has_keyboard(writer, "composer")
    assert not writer.window.findChildren(ShortcutsDialog)


def test_keys_that_do_something_stay_where_they_are(writer: Person) -> None:
    writer.window.header.overlay.setFocus(Qt.FocusReason.TabFocusReason)
    shown = writer.window.overlay.isVisible()
    QTest.keyClick(writer.window.header.overlay, Qt.Key.Key_Space)
    assert writer.window.overlay.isVisible() is not shown
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(writer.window.transcript, key)
    assert has_keyboard(writer, "overlayButton")
    assert writer.controller.window.composer.text == ""


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_that_has_the_keyboard(writer: Person, key: Qt.Key) -> None:
    writer.window.composer.focus()
    for _ in range(100):
        QTest.keyClick(QApplication.focusWidget() or writer.window, Qt.Key.Key_Backtab, SHIFT)
        if has_keyboard(writer, "settingsButton"):
            break
    modifier = Qt.KeyboardModifier.KeypadModifier if key is Qt.Key.Key_Enter else NONE
    QTest.keyClick(QApplication.focusWidget() or writer.window, key, modifier)
    assert writer.window.page is not None


def test_enter_on_a_button_of_a_card_does_not_press_the_card(writer: Person) -> None:
    card = Card("key", "Card", parent=writer.window)
    button = IconButton("info", "Details", card)
    activated, clicked = QSignalSpy(card.activated), QSignalSpy(button.clicked)
    card.show()
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Return)
    assert (activated.count(), clicked.count()) == (0, 1)


def place_of(chats: QListView, row: int) -> QPoint:
    return chats.visualRect(chats.model().index(row, 0)).center()


@pytest.mark.parametrize("query", ["", "Sky"])
@pytest.mark.parametrize("key", [None, Qt.Key.Key_Return])
def test_whoever_chooses_a_chat_in_the_list_goes_on_writing_there(
    writer: Person, query: str, key: Qt.Key | None
) -> None:
    """By mouse or Enter, what was searched for, too; arrows go on in the list."""
    writer.keep_short(4)
    writer.ask("Sky")
    writer.click("newChatButton")
    chats, field = writer.find(QListView, "conversationList"), writer.find(QLineEdit, "searchBox")
    if query:
        with writer.qtbot.waitSignal(writer.window.sidebar.search_changed):
            field.setText(query)
    row = next(row for row in range(chats.model().rowCount()) if chats.model().index(row, 0).data() == "Sky")
    field.setFocus()
    if key is None:
        QTest.mouseClick(chats.viewport(), Qt.MouseButton.LeftButton, NONE, place_of(chats, row))
    else:
        chats.setFocus(Qt.FocusReason.TabFocusReason)
        chats.setCurrentIndex(chats.model().index(0, 0))
        while chats.currentIndex().row() < row:
            writer.press(Qt.Key.Key_Down)
        assert has_keyboard(writer, "conversationList")
        writer.press(key)
    assert writer.path[0].text == "Sky"
    for letter in "what else":
        QTest.keyClicks(QApplication.focusWidget() or writer.window, letter)
    assert writer.controller.window.composer.text == "what else"


def test_the_mouse_leaves_the_keyboard_where_it_is(writer: Person) -> None:
    """Beside the chats, and in their menus."""
    chats = writer.find(QListView, "conversationList")
    writer.controller.window.composer.focus()
    for button, place in (
        (Qt.MouseButton.LeftButton, place_of(chats, 0)),
        (Qt.MouseButton.RightButton, QPoint(20, 300)),
    ):
        QTest.mouseClick(chats.viewport(), button, NONE, place)
        assert has_keyboard(writer, "composer")


def test_a_field_keeps_what_is_typed_there(writer: Person) -> None:
    assert typed_on(writer, "searchBox", "cat?") == ""
    assert writer.find(QLineEdit, "searchBox").text() == "cat?"


@pytest.mark.parametrize(
    ("text", "modifiers", "is_writing"),
    [
        ("a", NONE, True),
        ("A", SHIFT, True),
        ("?", SHIFT, True),
        ("ß", NONE, True),
        ("7", Qt.KeyboardModifier.KeypadModifier, True),
        (" ", NONE, False),
        ("", NONE, False),
        ("\r", NONE, False),
        ("\x1b", NONE, False),
        ("\x0e", CONTROL, False),
        ("a", ALT, False),
    ],
)
def test_which_keys_write(text: str, modifiers: Qt.KeyboardModifier, is_writing: bool) -> None:
    assert is_text_key(QKeyEvent(QKeyEvent.Type.KeyPress, 0, modifiers, text)) is is_writing


def test_f2_renames_the_open_chat_wherever_the_keyboard_is(writer: Person) -> None:
    writer.keep_short(4)
    writer.ask("Hello")
    writer.window.show_sidebar(False)
    writer.find(QWidget, "composer").setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(writer.window, Qt.Key.Key_F2)
    field = writer.find(QLineEdit, "renameField")
    assert field.hasFocus()
    QTest.keyClicks(field, "Greetings")
    QTest.keyClick(field, Qt.Key.Key_Return)
    writer.qtbot.waitUntil(lambda: has_keyboard(writer, "composer"))
    chats = writer.find(QListView, "conversationList")
    writer.qtbot.waitUntil(lambda: "Greetings" in titles(chats))


def titles(chats: QListView) -> list[str]:
    return [chats.model().index(row, 0).data() for row in range(chats.model().rowCount())]

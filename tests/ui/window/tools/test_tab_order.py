"""The settings by the keyboard: Tab goes down them as they are seen, and the focus stays."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit
from support.desks import Person
from support.tool_chats import enable
from support.windows import wait_until

from specchat.ui.tools.server_dialog import ServerDialog

_CHAT_STOPS = ("backToChat", "settingsTabs", "presetChoice", "savePreset", "systemPrompt")
_TOOL_STOPS = (
    "backToChat",
    "settingsTabs",
    "addToolServer",
    "openToolFile",
    "enableToolServer",
    "editToolServer",
    "removeToolServer",
)


def test_tab_goes_through_the_settings_of_a_chat(person: Person) -> None:
    person.controller.settings.open("conversation")
    assert _stops(person, len(_CHAT_STOPS)) == _CHAT_STOPS


def test_tab_reaches_the_servers_after_the_buttons_above_them(person: Person) -> None:
    person.controller.settings.open("tools")
    wait_until(lambda: _shows_card(person), "no server is shown")
    assert _stops(person, len(_TOOL_STOPS)) == _TOOL_STOPS


def test_the_focus_stays_after_editing(person: Person) -> None:
    person.controller.settings.open("tools")
    wait_until(lambda: _shows_card(person), "no server is shown")
    enable(person)
    page = person.controller.settings.page().tools_page
    wait_until(lambda: page.cards[0].findChild(QAbstractButton, "enableTool") is not None, "no tool is shown")
    edit = page.cards[0].findChild(QAbstractButton, "editToolServer")
    assert edit is not None
    edit.setFocus()
    edit.click()
    dialog = person.find(ServerDialog, "toolServerDialog")
    command = dialog.findChild(QLineEdit, "toolServerCommand")
    assert command is not None
    command.setText(f"{command.text()} more")
    QTest.keyClick(command, Qt.Key.Key_Return)
    focused = person.window.focusWidget()
    assert focused is not None
    assert (focused.objectName(), focused.isVisible()) == ("editToolServer", True)


def _shows_card(person: Person) -> bool:
    return any(card.isVisible() for card in person.controller.settings.page().tools_page.cards)


def _stops(person: Person, number: int) -> tuple[str, ...]:
    person.find(QAbstractButton, "backToChat").setFocus()
    stops = list[str]()
    for _ in range(number):
        focused = person.window.focusWidget()
        assert focused is not None
        stops.append(focused.objectName())
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    return tuple(stops)

from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Conversation
from specchat.ui.trash_dialog import TrashDialog
from specchat.ui.words.amounts import day

CHAT = Conversation(1, "Tides", created=0.0, updated=0.0, trashed=datetime(2026, 11, 22, 12).timestamp())


@pytest.fixture
def dialog(qtbot: QtBot) -> TrashDialog:
    dialog = TrashDialog()
    qtbot.addWidget(dialog)
    dialog.show_trash([CHAT])
    dialog.show()
    return dialog


def button(dialog: TrashDialog, name: str) -> QAbstractButton:
    found = dialog.findChild(QAbstractButton, name)
    assert found is not None
    return found


def test_it_says_when_a_chat_was_deleted(dialog: TrashDialog) -> None:
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    assert listed.item(0).text() == f"Tides · {day(QDate(2026, 11, 22))}"


def test_it_can_be_closed(dialog: TrashDialog) -> None:
    assert dialog.isVisible()
    QTest.mouseClick(button(dialog, "closeTrash"), Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("name", "shown", "restored", "deleted"),
    [("trashList", True, [1], []), ("deleteForGoodButton", True, [], [1]), ("closeTrash", False, [], [])],
)
def test_enter_presses_the_button_that_has_the_keyboard(
    dialog: TrashDialog, name: str, shown: bool, restored: list[int], deleted: list[int]
) -> None:
    """In the list it restores one chat, though another takes its place."""
    did: dict[str, list[int]] = {"restored": [], "deleted": []}
    dialog.restored.connect(did["restored"].append)
    dialog.restored.connect(lambda _: dialog.show_trash([replace(CHAT, id=2)]))
    dialog.deleted.connect(did["deleted"].append)
    place = dialog.findChild(QWidget, name)
    assert place is not None
    place.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(place, Qt.Key.Key_Return)
    assert (dialog.isVisible(), did) == (shown, {"restored": restored, "deleted": deleted})


def test_it_begins_in_the_list_each_time(qtbot: QtBot, dialog: TrashDialog) -> None:
    button(dialog, "closeTrash").setFocus()
    QTest.keyClick(button(dialog, "closeTrash"), Qt.Key.Key_Space)
    dialog.show()
    dialog.activateWindow()
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    qtbot.waitUntil(listed.hasFocus)


def test_one_chat_can_be_deleted_for_good(qtbot: QtBot, dialog: TrashDialog) -> None:
    with qtbot.waitSignal(dialog.deleted) as told:
        QTest.mouseClick(button(dialog, "deleteForGoodButton"), Qt.MouseButton.LeftButton)
    assert told.args == [CHAT.id]
    dialog.show_trash([])
    assert not button(dialog, "deleteForGoodButton").isEnabled()

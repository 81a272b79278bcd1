from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QListWidget, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Conversation, Deletion
from specchat.domain.projects import Project, TrashItem
from specchat.ui.chat.trash_dialog import TrashDialog
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.words.number_format import format_date

THEN = datetime(2026, 11, 22, 12).timestamp()
CHAT = Conversation(1, "Tides", created=0.0, updated=0.0, trashed=THEN, leaf=1)
DELETION = Deletion(1, 2, "Moons", "**How** many moons has Mars?\n\nAnd Venus?", 6, THEN)


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
    assert listed.item(0).text() == f"Tides · deleted\u00a0{format_date(QDate(2026, 11, 22))}"


@pytest.mark.parametrize(
    ("n_chats", "words", "explanation"),
    [
        (0, "Project, without its chats", "This can't be undone."),
        (1, "Project with 1 chat", "Its chats stay in the trash. This can't be undone."),
        (2, "Project with 2 chats", "Its chats stay in the trash. This can't be undone."),
    ],
)
def test_it_says_which_chats_go_with_a_project(dialog: TrashDialog, n_chats: int, words: str, explanation: str) -> None:
    dialog.show_trash([Project(1, "Garden", 0.0, THEN, n_deleted_chats=n_chats)])
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    assert listed.item(0).text().startswith(f"Garden\n{words} · ")
    assert asked(dialog, "deleteForGoodButton").informativeText() == explanation


def test_all_of_a_long_line_can_be_read_and_restoring_comes_first(dialog: TrashDialog) -> None:
    dialog.show_trash([replace(DELETION, title="A title that is longer than the window is wide, " * 3)])
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    assert listed.visualItemRect(listed.item(0)).width() <= listed.viewport().width()
    QTest.keyClick(listed, Qt.Key.Key_Tab)
    assert button(dialog, "restoreButton").hasFocus()


def test_it_can_be_closed(dialog: TrashDialog) -> None:
    assert dialog.isVisible()
    QTest.mouseClick(button(dialog, "closeTrash"), Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("name", "shown", "restored", "asked"),
    [("trashList", True, [CHAT], 0), ("deleteForGoodButton", True, [], 1), ("closeTrash", False, [], 0)],
)
def test_enter_presses_the_button_that_has_the_keyboard(
    dialog: TrashDialog, name: str, shown: bool, restored: list[TrashItem], asked: int
) -> None:
    """In the list it restores one chat, though another takes its place."""
    came: list[TrashItem] = []
    dialog.restore_requested.connect(came.append)
    dialog.restore_requested.connect(lambda _: dialog.show_trash([replace(CHAT, id=2)]))
    place = dialog.findChild(QWidget, name)
    assert place is not None
    place.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(place, Qt.Key.Key_Return)
    assert (dialog.isVisible(), came, len(dialog.findChildren(ConfirmationDialog))) == (shown, restored, asked)


def test_the_keyboard_stays_on_restore(dialog: TrashDialog) -> None:
    """Pressed again it restores the next one: it does not ask whether all shall go."""
    dialog.show_trash([CHAT, replace(CHAT, id=2)])
    dialog.restore_requested.connect(lambda _: dialog.show_trash([replace(CHAT, id=2)]))
    back = button(dialog, "restoreButton")
    back.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(back, Qt.Key.Key_Space)
    assert back.hasFocus()


def test_it_begins_in_the_list_each_time(qtbot: QtBot, dialog: TrashDialog) -> None:
    button(dialog, "closeTrash").setFocus()
    QTest.keyClick(button(dialog, "closeTrash"), Qt.Key.Key_Space)
    dialog.show()
    dialog.activateWindow()
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    qtbot.waitUntil(listed.hasFocus)


def asked(dialog: TrashDialog, name: str) -> ConfirmationDialog:
    QTest.mouseClick(button(dialog, name), Qt.MouseButton.LeftButton)
    (question,) = (each for each in dialog.findChildren(ConfirmationDialog) if each.isVisible())
    return question


def agree(question: ConfirmationDialog) -> None:
    next(each for each in question.buttons() if each.text() == "Delete permanently").click()


def test_buttons_that_ask_say_so(dialog: TrashDialog) -> None:
    assert [button(dialog, name).text()[-1] for name in ("deleteForGoodButton", "emptyTrashButton")] == ["…", "…"]


def test_one_chat_can_be_deleted_for_good(qtbot: QtBot, dialog: TrashDialog) -> None:
    """Whoever just presses Enter keeps it."""
    deleted: list[TrashItem] = []
    dialog.delete_requested.connect(deleted.append)
    question = asked(dialog, "deleteForGoodButton")
    assert question.text() == "Permanently delete “Tides”?"
    QTest.keyClick(question, Qt.Key.Key_Return)
    assert deleted == []
    agree(asked(dialog, "deleteForGoodButton"))
    assert deleted == [CHAT]
    dialog.show_trash([])
    assert not button(dialog, "deleteForGoodButton").isEnabled()


def test_all_can_be_deleted_for_good(qtbot: QtBot, dialog: TrashDialog) -> None:
    dialog.show_trash([replace(CHAT, id=number) for number in (1, 2, 3)])
    question = asked(dialog, "emptyTrashButton")
    assert question.text() == "Permanently delete all 3 items?"
    with qtbot.waitSignal(dialog.empty_requested):
        agree(question)


def test_what_is_chosen_stays_so_while_others_come_and_go(dialog: TrashDialog) -> None:
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    one, two, three, four = (replace(CHAT, id=number, title=str(number)) for number in (1, 2, 3, 4))
    dialog.show_trash([one, two, three])
    listed.setCurrentRow(1)
    for chats, chosen in (([four, one, two, three], "2"), ([four, one, three], "3"), ([four, one], "1")):
        dialog.show_trash(chats)
        assert listed.currentItem().text().startswith(chosen)


@pytest.mark.parametrize(
    ("deletion", "line"),
    [
        (DELETION, "How many moons has Mars?\n6 messages in “Moons”"),
        (replace(DELETION, n_messages=1), "How many moons has Mars?\n1 message in “Moons”"),
        (replace(DELETION, text="<think>Mars</think>Two.", title=""), "Two\n6 messages in “New chat”"),
        (replace(DELETION, text=""), "Empty message\n6 messages in “Moons”"),
    ],
)
def test_messages_are_told_by_their_first_words_and_their_chat(
    dialog: TrashDialog, deletion: Deletion, line: str
) -> None:
    dialog.show_trash([deletion])
    listed = dialog.findChild(QListWidget, "trashList")
    assert listed is not None
    assert listed.item(0).text() == f"{line} · deleted\u00a0{format_date(QDate(2026, 11, 22))}"
    restored: list[TrashItem] = []
    dialog.restore_requested.connect(restored.append)
    button(dialog, "restoreButton").click()
    assert restored == [deletion]


def test_what_goes_along_for_good_is_told(dialog: TrashDialog) -> None:
    below = replace(DELETION, message=3, within=DELETION.message)
    cases: list[tuple[list[TrashItem], bool]] = [([DELETION, below], True), ([DELETION], False), ([CHAT, below], False)]
    for contents, goes_along in cases:
        dialog.show_trash([])
        dialog.show_trash(contents)
        question = asked(dialog, "deleteForGoodButton")
        assert ("deleted earlier" in question.informativeText()) is goes_along
        question.reject()

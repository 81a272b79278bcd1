from itertools import chain

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMainWindow, QPlainTextEdit, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme
from specchat.ui.window import shortcuts
from specchat.ui.window.shortcuts import GROUPS, Shortcut
from specchat.ui.window.shortcuts_dialog import ShortcutsDialog

ALL = list(chain.from_iterable(members for _, members in GROUPS))
OF_A_WIDGET = (
    *(shortcuts.SEND, shortcuts.NEW_LINE, shortcuts.INSERT_PROMPT, shortcuts.EDIT_LAST_WHEN_EMPTY),
    *(shortcuts.RENAME, shortcuts.SELECT_ALL, shortcuts.DELETE),
)
OF_TEXT_TOO = (shortcuts.UNDO_DELETE,)
CONTROL = Qt.KeyboardModifier.ControlModifier


def keys(shortcut: Shortcut) -> list[str]:
    return [sequence.toString() for sequence in shortcut.key_sequences()]


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QPlainTextEdit(window))
    QPushButton("elsewhere", window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def action(shortcut: Shortcut, window: QMainWindow) -> QAction:
    made = QAction(window)
    made.setShortcuts(shortcut.key_sequences())
    window.addAction(made)
    return made


def inside(window: QMainWindow) -> tuple[QPlainTextEdit, QPushButton]:
    editor, button = window.findChild(QPlainTextEdit), window.findChild(QPushButton)
    assert editor is not None
    assert button is not None
    return editor, button


def test_every_shortcut_is_in_a_group_once() -> None:
    named = [value for value in vars(shortcuts).values() if isinstance(value, Shortcut)]
    assert sorted(ALL, key=lambda one: one.id) == sorted(named, key=lambda one: one.id)
    assert len({shortcut.id for shortcut in ALL}) == len(ALL)


def test_no_two_share_a_key(qtbot: QtBot) -> None:
    taken = [key for shortcut in ALL for key in keys(shortcut)]
    assert len(set(taken)) == len(taken)
    assert all(keys(shortcut) for shortcut in ALL)
    assert "" not in taken


@pytest.mark.parametrize(
    ("shortcut", "expected"),
    [
        (shortcuts.NEW_CHAT, ["Ctrl+N"]),
        (shortcuts.SEARCH, ["Ctrl+K", "Ctrl+Shift+F"]),
        (shortcuts.SETTINGS, ["Ctrl+,"]),
        (shortcuts.HELP, ["F1"]),
        (shortcuts.SHORTCUTS, ["Ctrl+/"]),
        (shortcuts.QUIT, ["Ctrl+Q"]),
    ],
)
def test_keys(qtbot: QtBot, shortcut: Shortcut, expected: list[str]) -> None:
    assert keys(shortcut) == expected


@pytest.mark.parametrize(
    "shortcut", [one for one in ALL if one not in OF_A_WIDGET + OF_TEXT_TOO], ids=lambda shortcut: shortcut.id
)
def test_each_works_while_text_is_written(qtbot: QtBot, window: QMainWindow, shortcut: Shortcut) -> None:
    made = action(shortcut, window)
    editor, _ = inside(window)
    editor.setFocus()
    for sequence in shortcut.key_sequences():
        with qtbot.waitSignal(made.triggered):
            QTest.keySequence(editor, sequence)


def test_backwards_as_keyboards_send_it(qtbot: QtBot, window: QMainWindow) -> None:
    made = action(shortcuts.PREVIOUS_CHAT, window)
    editor, _ = inside(window)
    editor.setFocus()
    with qtbot.waitSignal(made.triggered):
        QTest.keyClick(editor, Qt.Key.Key_Backtab, CONTROL | Qt.KeyboardModifier.ShiftModifier)


def test_undo_belongs_to_the_text_while_there_is_something_to_undo(qtbot: QtBot, window: QMainWindow) -> None:
    made = action(shortcuts.UNDO_DELETE, window)
    editor, button = inside(window)
    editor.setFocus()
    QTest.keyClicks(editor, "word")
    with qtbot.assertNotEmitted(made.triggered):
        QTest.keyClick(editor, Qt.Key.Key_Z, CONTROL)
    assert editor.toPlainText() == ""
    button.setFocus()
    with qtbot.waitSignal(made.triggered):
        QTest.keyClick(button, Qt.Key.Key_Z, CONTROL)


def test_the_dialog_lists_all_with_their_keys(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    shown = [label.text() for label in dialog.findChildren(QLabel)]
    for shortcut in ALL:
        assert (shortcut.explanation or shortcut.text) in shown
        assert set(keys(shortcut)) <= set(shown)
    names = [label.accessibleName() for label in dialog.findChildren(QLabel)]
    assert "Search all chats: Ctrl+K, Ctrl+Shift+F" in names
    assert "Delete chats (in the sidebar): Del" in names, "elsewhere, the key deletes text"


def test_escape_closes_the_dialog(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    dialog.open()
    with qtbot.waitSignal(dialog.finished):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_the_dialog_fits_the_screen_and_follows_the_theme(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.screen().availableGeometry().contains(dialog.frameGeometry())
    (view,) = dialog.findChildren(QScrollArea)
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)
    before = dialog.grab().toImage()
    set_current_theme(DARK)
    assert dialog.grab().toImage() != before


def test_groups_stand_beside_one_another_where_there_is_room(qtbot: QtBot) -> None:
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    (view,) = dialog.findChildren(QScrollArea)
    names = ("Chats", "View", "Messages", "specchat")

    def places() -> list[QPoint]:
        found = {label.text(): label.mapTo(dialog, QPoint(0, 0)) for label in dialog.findChildren(QLabel)}
        return [found[name] for name in names]

    dialog.resize(1000, 600)
    qtbot.waitUntil(lambda: places()[0].y() == places()[2].y())
    dialog.resize(600, 700)
    qtbot.waitUntil(lambda: places()[0].x() == places()[2].x())
    chats, looks, messages, program = (place.y() for place in places())
    members = {name: len(group) for name, group in GROUPS}
    labels = {label.text(): label for label in dialog.findChildren(QLabel)}
    line = labels["Next chat"].y() - labels["New chat"].y()
    assert looks - chats == program - messages
    assert messages - looks == looks - chats - line * (members["Chats"] - members["View"])
    qtbot.waitUntil(lambda: view.horizontalScrollBar().maximum() == 0)

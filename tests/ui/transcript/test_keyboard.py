import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open, no_details
from ui.transcript.seen import LONG, answer, mine, row, streaming, text_of, thread

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.transcript import Entry, TranscriptView
from specchat.ui.widgets.controls import IconButton

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = Qt.Key


def press(view: TranscriptView, *keys: Qt.Key, times: int = 1) -> None:
    for key in keys * times:
        QTest.keyClick(view, key)


def test_arrows_go_from_message_to_message(show: Open) -> None:
    view = show(mine(1, "Question?"), answer(2, "Yes **indeed**."), mine(3, "Thanks."))
    press(view, Key.Key_Home)
    assert view.accessibleDescription() == "You: Question?"
    press(view, Key.Key_Down)
    assert view.accessibleDescription() == "Answer: Yes indeed."
    press(view, Key.Key_Down, Key.Key_Down)
    assert view.accessibleDescription() == "You: Thanks."
    press(view, Key.Key_Up)
    assert view.focused_index == 1


def test_the_focused_message_is_on_the_screen(show: Open) -> None:
    view = show(*thread(100))
    press(view, Key.Key_Home)
    for _ in range(60):
        press(view, Key.Key_Down)
        area = view.row_area(row(view, view.message_layout.entries[view.focused_index or 0].id))
        assert area
        assert 0 <= area.top() <= area.bottom() < view.viewport().height() or view.scroll_y == 0
    assert view.focused_index == 60


def test_a_message_longer_than_the_screen_is_read_before_the_next(show: Open) -> None:
    view = show(mine(1), answer(2, LONG), mine(3))
    press(view, Key.Key_Home, Key.Key_Down)
    presses = 0
    while view.focused_index == 1:
        press(view, Key.Key_Down)
        presses += 1
    assert presses > 10
    assert view.focused_index == 2


def test_pages_and_ends(show: Open) -> None:
    view = show(*thread(100))
    press(view, Key.Key_PageUp, times=3)
    assert view.scroll_y < view.verticalScrollBar().maximum() - 1000
    press(view, Key.Key_End)
    assert view.scroll_y == view.verticalScrollBar().maximum()
    press(view, Key.Key_Home)
    assert view.scroll_y == 0


def test_all_of_a_message_can_be_copied(show: Open) -> None:
    view = show(mine(1), answer(2, "# Title\n\nOne **two**.\n\n1. three\n2. four\n   - five\n\n```py\nx = 1\n```"))
    press(view, Key.Key_End)
    QTest.keyClick(view, Key.Key_A, CONTROL)
    QTest.keyClick(view, Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "Title\n\nOne two.\n\n1. three\n2. four\n  • five\n\nx = 1"
    press(view, Key.Key_Escape)
    assert view.selection is None


@pytest.mark.parametrize("key", [Key.Key_Return, Key.Key_Enter, Key.Key_Space])
def test_reasoning_unfolds(show: Open, key: Qt.Key) -> None:
    view = show(answer(1, "<think>\nSecret.\n</think>\n\nYes."))
    press(view, Key.Key_End, key)
    assert text_of(view, 1) == "Secret.\nYes."
    press(view, key)
    assert text_of(view, 1) == "Yes."


def test_tab_leads_through_the_actions_and_on(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    before, after = (IconButton("edit", name, window) for name in ("Before", "After"))
    view = TranscriptView(no_details, window)
    rows = QVBoxLayout(window)
    for widget in (before, view, after):
        rows.addWidget(widget)
    QWidget.setTabOrder(before, view)
    QWidget.setTabOrder(view, after)
    window.resize(800, 600)
    view.show_entries([mine(1), answer(2)])
    with qtbot.waitActive(window):
        window.show()
    before.setFocus(Qt.FocusReason.TabFocusReason)
    names = []
    for _ in range(8):
        focus = QApplication.focusWidget()
        assert focus
        names.append(focus.objectName() or focus.accessibleName())
        QTest.keyClick(focus, Key.Key_Tab)
    assert names == [
        "Before",
        "transcript",
        "copyMessageButton",
        "editMessageButton",
        "regenerateMessageButton",
        "branchMessageButton",
        "deleteMessageButton",
        "After",
    ]


@pytest.mark.parametrize("keys", [(Key.Key_Menu, Qt.KeyboardModifier.NoModifier), (Key.Key_F10, SHIFT)])
def test_a_menu_holds_the_same_actions(show: Open, qtbot: QtBot, keys: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    view = show(mine(1), Entry(2, Role.ASSISTANT, "Half an ans", MessageState.STOPPED, 2, 3))
    press(view, Key.Key_End)
    QTest.keyClick(view, *keys)
    assert labels(menu(view)) == [
        "Copy message",
        "Edit answer",
        "Regenerate",
        "Start the answer with…",
        "Continue",
        "Branch into new chat",
        "Delete message",
        "Previous version",
        "Next version",
    ]
    with qtbot.waitSignal(view.continue_requested) as asked:
        choose(menu(view), "Continue")
    assert asked.args == [2]


def test_links_and_code_are_reached_through_the_menu(show: Open, qtbot: QtBot) -> None:
    text = "[a](http://a.b/?x=1&y=2) [c](http://c.d)\n\n```\none\n```\n\n```\ntwo\n```"
    view = show(answer(1, text))
    press(view, Key.Key_End, Key.Key_Menu)
    with qtbot.waitSignal(view.link_requested) as asked:
        choose(menu(view), "Open link", "http://a.b/?x=1&&y=2")
    assert asked.args == ["http://a.b/?x=1&y=2"]
    qtbot.waitUntil(lambda: view.findChild(QMenu, "messageMenu") is None)
    press(view, Key.Key_Menu)
    choose(menu(view), "Copy code", "Code block 2")
    assert QGuiApplication.clipboard().text() == "two"


def test_a_growing_answer_can_only_be_copied(show: Open) -> None:
    view = show(mine(1), streaming(2, "Some"))
    press(view, Key.Key_End, Key.Key_Menu)
    assert labels(menu(view)) == ["Copy message"]


def menu(view: TranscriptView) -> QMenu:
    found = view.findChild(QMenu, "messageMenu")
    assert isinstance(found, QMenu)
    return found


def labels(shown: QMenu) -> list[str]:
    return [action.text() for action in shown.actions() if not action.isSeparator()]


def choose(shown: QMenu, *words: str) -> None:
    """By keyboard."""
    for number, word in enumerate(words):
        action = next(action for action in shown.actions() if action.text() == word)
        shown.setActiveAction(action)
        if number + 1 < len(words):
            inner = submenu(action)
            inner.popup(shown.pos())
            shown = inner
    QTest.keyClick(shown, Key.Key_Return)


def submenu(action: QAction) -> QMenu:
    found = action.menu()
    assert isinstance(found, QMenu)
    return found

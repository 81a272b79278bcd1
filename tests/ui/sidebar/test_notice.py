import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.notice import Notice
from specchat.ui.theme import LIGHT

MOMENT_MS = 1
LONG_MS = 60_000


class Undone:
    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    QVBoxLayout(window).addWidget(QLineEdit(window))
    window.resize(500, 300)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def action(notice: Notice) -> QPushButton:
    found = notice.findChild(QPushButton, "noticeAction")
    assert found is not None
    return found


def test_a_notice_goes_by_itself(qtbot: QtBot, window: QWidget) -> None:
    notice = Notice(LIGHT, window, MOMENT_MS)
    notice.show_notice("Conversation deleted")
    assert not action(notice).isVisible()
    qtbot.waitUntil(lambda: not notice.isVisible())


def test_the_action_is_done_once_and_ends_the_notice(window: QWidget) -> None:
    notice, undo = Notice(LIGHT, window, LONG_MS), Undone()
    notice.show_notice("Conversation deleted", "Undo", undo)
    QTest.mouseClick(action(notice), Qt.MouseButton.LeftButton)
    assert (undo.times, notice.isVisible()) == (1, False)


def test_one_tab_leads_to_the_action_and_the_focus_comes_back(window: QWidget) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    notice, undo = Notice(LIGHT, window, LONG_MS), Undone()
    notice.show_notice("Conversation deleted", "Undo", undo)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert action(notice).hasFocus()
    QTest.keyClick(action(notice), Qt.Key.Key_Space)
    assert undo.times == 1
    assert field.hasFocus()


def test_it_stays_while_it_has_the_focus(qtbot: QtBot, window: QWidget) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    focused, other = Notice(LIGHT, window, MOMENT_MS), Notice(LIGHT, window, MOMENT_MS)
    focused.show_notice("Conversation deleted", "Undo", Undone())
    action(focused).setFocus()
    other.show_notice("Conversation exported")
    qtbot.waitUntil(lambda: not other.isVisible())
    assert focused.isVisible()
    field.setFocus()
    qtbot.waitUntil(lambda: not focused.isVisible())


def test_escape_closes_it(window: QWidget) -> None:
    notice = Notice(LIGHT, window, LONG_MS)
    notice.show_notice("Conversation deleted", "Undo", Undone())
    action(notice).setFocus()
    QTest.keyClick(action(notice), Qt.Key.Key_Escape)
    assert not notice.isVisible()


def test_it_stays_at_the_bottom_and_within_a_narrow_window(window: QWidget) -> None:
    notice = Notice(LIGHT, window, LONG_MS)
    notice.show_notice("“A title that is longer than the window is wide, and then some more” was deleted", "Undo")
    for width, height in ((700, 400), (300, 200)):
        window.resize(width, height)
        assert 0 <= notice.geometry().left() < notice.geometry().right() < width
        assert notice.geometry().bottom() < height
        assert abs(notice.geometry().center().x() - width // 2) <= 1
    words = notice.findChild(QLabel, "noticeText")
    assert words is not None
    assert words.text().endswith("…")


def test_a_second_notice_replaces_the_first(window: QWidget) -> None:
    notice, first, second = Notice(LIGHT, window, LONG_MS), Undone(), Undone()
    notice.show_notice("One", "Undo", first)
    notice.show_notice("Two", "Undo", second)
    assert notice.accessibleName() == "Two"
    action(notice).click()
    assert (first.times, second.times) == (0, 1)

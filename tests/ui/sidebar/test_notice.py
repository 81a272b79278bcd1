import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.notice import Notice

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
    layout = QVBoxLayout(window)
    layout.addWidget(QLineEdit(window))
    layout.addStretch(1)
    line = QWidget(window)
    line.setObjectName("line")
    line.setFixedHeight(32)
    layout.addWidget(line)
    window.resize(500, 300)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.fixture
def line(window: QWidget) -> QWidget:
    found = window.findChild(QWidget, "line")
    assert found is not None
    return found


def action(notice: Notice) -> QPushButton:
    found = notice.findChild(QPushButton, "noticeAction")
    assert found is not None
    return found


def test_a_notice_goes_by_itself(qtbot: QtBot, line: QWidget) -> None:
    notice = Notice(line, MOMENT_MS)
    notice.show_notice("Conversation deleted")
    assert not action(notice).isVisible()
    qtbot.waitUntil(lambda: not notice.isVisible())


def test_the_action_is_done_once_and_ends_the_notice(line: QWidget) -> None:
    notice, undo = Notice(line, LONG_MS), Undone()
    notice.show_notice("Conversation deleted", "Undo", undo)
    QTest.mouseClick(action(notice), Qt.MouseButton.LeftButton)
    assert (undo.times, notice.isVisible()) == (1, False)


def test_one_tab_leads_to_the_action_and_the_focus_comes_back(window: QWidget, line: QWidget) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    notice, undo = Notice(line, LONG_MS), Undone()
    notice.show_notice("Conversation deleted", "Undo", undo)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert action(notice).hasFocus()
    QTest.keyClick(action(notice), Qt.Key.Key_Space)
    assert undo.times == 1
    assert field.hasFocus()


def test_it_stays_while_it_has_the_focus(qtbot: QtBot, window: QWidget, line: QWidget) -> None:
    field = window.findChild(QLineEdit)
    assert field is not None
    focused, other = Notice(line, MOMENT_MS), Notice(line, MOMENT_MS)
    focused.show_notice("Conversation deleted", "Undo", Undone())
    action(focused).setFocus()
    other.show_notice("Conversation exported")
    qtbot.waitUntil(lambda: not other.isVisible())
    assert focused.isVisible()
    field.setFocus()
    qtbot.waitUntil(lambda: not focused.isVisible())


def test_escape_closes_it(line: QWidget) -> None:
    notice = Notice(line, LONG_MS)
    notice.show_notice("Conversation deleted", "Undo", Undone())
    action(notice).setFocus()
    QTest.keyClick(action(notice), Qt.Key.Key_Escape)
    assert not notice.isVisible()


def test_it_takes_the_place_of_what_it_is_over_however_narrow(window: QWidget, line: QWidget) -> None:
    notice = Notice(line, LONG_MS)
    notice.show_notice("“A title that is longer than the window is wide, and then some more” was deleted", "Undo")
    for width in (700, 300):
        window.resize(width, 200)
        assert notice.geometry() == line.rect()
        for button in notice.findChildren(QAbstractButton):
            assert notice.rect().contains(button.geometry())
    words = notice.findChild(QLabel, "noticeText")
    assert words is not None
    assert words.text().endswith("…")


def test_a_second_notice_replaces_the_first(line: QWidget) -> None:
    notice, first, second = Notice(line, LONG_MS), Undone(), Undone()
    notice.show_notice("One", "Undo", first)
    notice.show_notice("Two", "Undo", second)
    assert notice.accessibleName() == "Two"
    action(notice).click()
    assert (first.times, second.times) == (0, 1)


def test_what_goes_on_stays(qtbot: QtBot, line: QWidget) -> None:
    notice = Notice(line, MOMENT_MS)
    notice.show_notice("Exporting", "Stop", lambda: None, stays=True)
    assert not notice.findChild(QTimer).isActive()  # type: ignore[union-attr]
    notice.show_notice("Saved")
    qtbot.waitUntil(lambda: not notice.isVisible())

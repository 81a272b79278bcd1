"""Keys of the whole window, and its tabs."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTabBar, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.manager.window import ManagerPage, ManagerTab, ManagerWindow
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

WORDS = ("Auf diesem Rechner", "Hugging Face", "Paare", "Downloads")


class Part(QWidget):
    """Something may lie over it, and it can be searched."""

    def __init__(self, layers: int = 0) -> None:
        super().__init__()
        self.layers = layers
        self.field = QLineEdit(self)
        QVBoxLayout(self).addWidget(self.field)

    def go_back(self) -> bool:
        self.layers -= 1
        return self.layers >= 0

    def focus_search(self) -> None:
        self.field.setFocus()


@pytest.fixture
def parts() -> list[Part]:
    """The panes, then the tray."""
    return [Part() for _ in range(len(WORDS) + 1)]


@pytest.fixture
def window(qtbot: QtBot, parts: list[Part]) -> ManagerWindow:
    panes = [ManagerTab(page, words, part) for page, words, part in zip(ManagerPage, WORDS, parts[:-1], strict=True)]
    made = ManagerWindow(panes, parts[-1])
    qtbot.addWidget(made)
    made.open_at(ManagerPage.HERE)
    qtbot.waitExposed(made)
    return made


def test_escape_ends_what_was_opened_where_the_keyboard_is(window: ManagerWindow, parts: list[Part]) -> None:
    pane, *_, tray = parts
    pane.layers, tray.layers = 1, 1
    tray.field.setFocus()
    left = []
    for _ in range(3):
        QTest.keyClick(window, Qt.Key.Key_Escape)
        left.append((pane.layers > 0, tray.layers > 0, window.isVisible()))
    assert left == [(True, False, True), (False, False, True), (False, False, False)]


def test_ctrl_f_searches_the_page_that_shows(window: ManagerWindow, parts: list[Part]) -> None:
    for page, part in zip(ManagerPage, parts, strict=False):
        window.open_at(page)
        QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
        assert part.field.hasFocus()


def test_a_click_on_a_page_leads_to_its_search(window: ManagerWindow, parts: list[Part]) -> None:
    tabs = window.findChild(QTabBar, "managerTabs")
    assert tabs is not None
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert parts[1].field.hasFocus()
    tabs.setFocus()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.hasFocus()


def test_with_little_room_there_is_one_part_at_a_time(qtbot: QtBot, window: ManagerWindow, parts: list[Part]) -> None:
    pane, *_, tray = parts

    def seen() -> tuple[bool, bool]:
        return pane.isVisible(), tray.isVisible()

    window.resize(1200, 600)
    qtbot.waitUntil(lambda: seen() == (True, True))
    window.resize(window.minimumSize())
    qtbot.waitUntil(lambda: seen() == (True, False))
    window.show_pair_editor()
    assert seen() == (False, True)
    assert tray.width() == window.width()
    window.open_at(ManagerPage.HERE)
    assert seen() == (True, False)


@pytest.mark.parametrize("text_size", [15, 17])
def test_tabs_stand_closer_together_before_words_are_cut(
    qtbot: QtBot, window: ManagerWindow, text_size: int, choose_text_size: Callable[[int], None]
) -> None:
    choose_text_size(text_size)
    set_current_theme(LIGHT)
    window.set_tab_mark(ManagerPage.DOWNLOADS, "2")
    window.resize(window.minimumSize())
    tabs = window.findChild(QTabBar, "managerTabs")
    assert tabs is not None
    qtbot.waitUntil(lambda: tabs.tabRect(len(WORDS) - 1).right() <= tabs.width())
    for number in range(len(WORDS)):
        assert tabs.tabRect(number).width() >= tabs.fontMetrics().horizontalAdvance(tabs.tabText(number))

"""Keys of the whole window, and its tabs."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTabBar, QVBoxLayout
from pytestqt.qtbot import QtBot

from specchat.ui.models.manager_pane import ManagerPane
from specchat.ui.models.manager_view import ManagerSection, ManagerTab, ManagerView
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

WORDS = ("On this computer", "Hugging Face", "Pairs", "Downloads", "Engines")


class Part(ManagerPane):
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
def window(qtbot: QtBot, parts: list[Part]) -> ManagerView:
    panes = [ManagerTab(page, words, part) for page, words, part in zip(ManagerSection, WORDS, parts[:-1], strict=True)]
    made = ManagerView(panes, parts[-1])
    qtbot.addWidget(made)
    made.turn_to(ManagerSection.LOCAL)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_going_back_ends_what_was_opened_where_the_keyboard_is(window: ManagerView, parts: list[Part]) -> None:
    pane, *_, tray = parts
    pane.layers, tray.layers = 1, 1
    tray.field.setFocus()
    left = []
    for _ in range(3):
        left.append((window.go_back(), pane.layers > 0, tray.layers > 0))
    assert left == [(True, True, False), (True, False, False), (False, False, False)]


def test_a_search_is_one_of_the_tab_that_shows(window: ManagerView, parts: list[Part]) -> None:
    for page, part in zip(ManagerSection, parts, strict=False):
        window.turn_to(page)
        window.focus_search()
        assert part.field.hasFocus()


def test_a_click_on_a_page_leads_to_its_search(window: ManagerView, parts: list[Part]) -> None:
    tabs = window.findChild(QTabBar, "managerTabs")
    assert tabs is not None
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(1).center())
    assert parts[1].field.hasFocus()
    tabs.setFocus()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert tabs.hasFocus()


def test_with_little_room_there_is_one_part_at_a_time(qtbot: QtBot, window: ManagerView, parts: list[Part]) -> None:
    pane, *_, tray = parts

    def seen() -> tuple[bool, bool]:
        return pane.isVisible(), tray.isVisible()

    window.resize(1200, 600)
    qtbot.waitUntil(lambda: seen() == (True, True))
    window.resize(560, 320)
    qtbot.waitUntil(lambda: seen() == (True, False))
    window.show_pair_editor()
    assert seen() == (False, True)
    assert tray.width() == window.width()
    window.turn_to(ManagerSection.LOCAL)
    assert seen() == (True, False)


@pytest.mark.parametrize("text_size", [15, 17])
def test_tabs_stand_closer_together_before_words_are_cut(
    qtbot: QtBot, window: ManagerView, text_size: int, choose_text_size: Callable[[int], None]
) -> None:
    choose_text_size(text_size)
    set_current_theme(LIGHT)
    window.set_tab_mark(ManagerSection.DOWNLOADS, "2")
    window.resize(560, 320)
    tabs = window.findChild(QTabBar, "managerTabs")
    assert tabs is not None
    qtbot.waitUntil(lambda: tabs.tabRect(len(WORDS) - 1).right() <= tabs.width())
    for number in range(len(WORDS)):
        assert tabs.tabRect(number).width() >= tabs.fontMetrics().horizontalAdvance(tabs.tabText(number))

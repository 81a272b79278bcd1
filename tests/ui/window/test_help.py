"""F1 in the window: which page of the help opens, and the way back."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QLabel, QListWidget, QTabBar, QTextBrowser
from support.desks import Person

from specchat.services.program.help_topics import TOPICS, read_topics
from specchat.ui.app_controller import AppController
from specchat.ui.help.page import HelpPage

pytestmark = pytest.mark.usefixtures("engine_here")


def press_help(person: Person) -> str:
    """The address of what is shown then."""
    person.window.activateWindow()
    person.qtbot.waitUntil(person.window.isActiveWindow)
    QTest.keyClick(QApplication.focusWidget() or person.window, Qt.Key.Key_F1)
    assert isinstance(person.window.page, HelpPage)
    source = person.find(QTextBrowser, "helpText").source()
    return source.path().rpartition("/")[2] + (f"#{source.fragment()}" if source.hasFragment() else "")


def settings_at(page: str) -> Callable[[AppController], None]:
    return lambda controller: controller.settings.open(page)


PLACES: list[tuple[Callable[[AppController], object], str]] = [
    (lambda controller: None, "window.md"),
    (lambda controller: controller.models.open(), "models.md"),
    (lambda controller: controller.benchmark.open(), "benchmark.md"),
    (lambda controller: controller.stats_overlay.show_details(), "window.md#the-overlay"),
    (settings_at("conversation"), "window.md#settings"),
    (settings_at("application"), "window.md#settings"),
    (settings_at("hub"), "models.md#tokens"),
    (settings_at("server"), "server.md"),
    (settings_at("tools"), "tools.md"),
]


def test_each_place_has_its_page(person: Person) -> None:
    for go, expected in PLACES:
        person.window.show_chat()
        go(person.controller)
        assert press_help(person) == expected


@pytest.mark.parametrize("place", [place for _, place in PLACES])
def test_the_heading_is_there(place: str) -> None:
    name, _, anchor = place.partition("#")
    topic = next(topic for topic in read_topics() if topic.name == name)
    assert not anchor or anchor in topic.anchors


def test_a_newcomer_begins_at_the_beginning(newcomer: Person) -> None:
    assert press_help(newcomer) == TOPICS[0]


def test_escape_leads_back_to_what_was_shown_before(person: Person) -> None:
    person.controller.settings.open("server")
    settings = person.window.page
    press_help(person)
    person.press(Qt.Key.Key_Escape)
    assert person.window.page is settings
    assert person.find(QTabBar, "settingsTabs").currentIndex() == 3
    person.press(Qt.Key.Key_Escape)
    assert person.window.page is None
    press_help(person)
    frame = person.find(QTextBrowser, "helpText").parentWidget()
    while frame is not None and frame.findChild(QAbstractButton, "backToChat") is None:
        frame = frame.parentWidget()
    assert frame is not None
    back = frame.findChild(QAbstractButton, "backToChat")
    assert back is not None
    back.click()
    assert person.window.page is None


def test_the_room_of_the_sidebar_is_enough_for_list_and_page(person: Person) -> None:
    """They are laid out while it still goes."""
    person.window.show_sidebar(True)
    person.window.resize(900, 600)
    press_help(person)
    person.qtbot.waitUntil(lambda: not person.window.sidebar.isVisible())
    page = person.controller.help.page()
    tabs, pages = page.findChild(QTabBar, "partTabs"), page.findChild(QListWidget, "helpList")
    assert tabs is not None
    assert pages is not None
    person.qtbot.waitUntil(pages.isVisible)
    assert not tabs.isVisible()


def test_f1_in_the_help_changes_nothing(person: Person) -> None:
    press_help(person)
    person.controller.help.page().show_topic("models.md")
    assert press_help(person) == "models.md"
    person.press(Qt.Key.Key_Escape)
    assert person.window.page is None


def test_ctrl_f_searches_the_help(person: Person) -> None:
    press_help(person)
    person.press(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert focused.objectName() == "helpFilter"
    QTest.keyClicks(focused, "overlay")
    person.press(Qt.Key.Key_Escape)
    assert isinstance(person.window.page, HelpPage)
    person.press(Qt.Key.Key_Escape)
    assert person.window.page is None


def test_the_greeting_names_the_keys_of_the_list(person: Person) -> None:
    words = [label.text() for label in person.window.welcome.findChildren(QLabel)]
    assert any("Ctrl+/" in each for each in words)
    person.press(Qt.Key.Key_Slash, Qt.KeyboardModifier.ControlModifier)
    assert person.find(QDialog, "shortcutsDialog").isVisible()

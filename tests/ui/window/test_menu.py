"""The menu behind the three dots: short enough for any screen, and all that it offers can be reached by keys."""

from types import SimpleNamespace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot
from support.desks import Person

from specchat.ui.window import menus
from specchat.ui.window.header import Header
from specchat.ui.window.menus import Menu, MenuItem

MOST_ENTRIES = 16


def menu_of(person: Person) -> QMenu:
    menu = person.window.header.more.menu()
    assert menu is not None
    return menu


def entries(menu: QMenu) -> list[QAction]:
    return [action for action in menu.actions() if not action.isSeparator()]


def submenu(menu: QMenu, title: str) -> QMenu:
    (found,) = (action.menu() for action in entries(menu) if action.text() == title)
    assert isinstance(found, QMenu)
    return found


def test_it_is_short_and_rarer_commands_are_in_submenus(person: Person) -> None:
    menu = menu_of(person)
    assert len(entries(menu)) <= MOST_ENTRIES
    titles = [action.text() for action in entries(menu) if action.menu() is not None]
    assert titles == ["Answer", "Import and export", "View", "Help"]
    inside = [action.text() for title in titles for action in entries(submenu(menu, title))]
    assert {"Start the answer with…", "Import chats…", "Speculation stats…", "About specchat"} <= set(inside)
    named = [action.text() for action in entries(menu)] + inside
    assert len(set(named)) == len(named)


def test_it_fits_on_a_small_laptop(person: Person) -> None:
    assert menu_of(person).sizeHint().height() < 600


def test_ticks_in_a_submenu_are_those_of_the_moment(person: Person) -> None:
    view = submenu(menu_of(person), "View")
    (sidebar,) = (action for action in entries(view) if action.objectName() == "toggleSidebar")
    for shown in (False, True):
        person.window.show_sidebar(shown)
        view.aboutToShow.emit()
        assert sidebar.isChecked() is shown


def test_commands_of_submenus_still_have_their_keys(person: Person) -> None:
    found = {action.objectName(): action.shortcut().toString() for action in person.window.actions()}
    assert (found["copyAnswer"], found["largerText"], found["help"]) == ("Ctrl+Shift+C", "Ctrl++", "F1")


def test_a_menu_bar_shows_each_menu_in_full(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(menus, "sys", SimpleNamespace(platform="darwin"))
    window = QMainWindow()
    qtbot.addWidget(window)
    header = Header(window)
    new, larger, about = (MenuItem(text, lambda: None) for text in ("New chat", "Larger text", "About"))
    menus.make_menus(
        window, header, [Menu("Chat", [new, Menu("Help", [about])]), Menu("View", [larger], is_submenu=True)], []
    )
    assert header.more.isHidden()
    shown = [action.menu() for action in window.menuBar().actions()]
    chat, view = (menu for menu in shown if isinstance(menu, QMenu))
    assert [action.text() for action in chat.actions()] == ["New chat", "Help"]
    assert [action.text() for action in view.actions()] == ["Larger text"]

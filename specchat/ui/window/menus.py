"""Builds the menus and their actions from declarative menu items."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from specchat.ui.window.header import Header
from specchat.ui.window.shortcuts import Shortcut


@dataclass(frozen=True, slots=True)
class MenuItem:
    text: str
    callback: Callable[[], object]
    shortcut: Shortcut | None = None
    is_checked: Callable[[], bool] | None = None
    """Of what can be on or off; its tick says which."""


@dataclass(frozen=True, slots=True)
class Menu:
    title: str
    items: Sequence["MenuItem | Menu"]
    """A menu among them is a submenu."""
    is_submenu: bool = False
    """Where there is only one menu; a menu bar has it beside the others."""


def make_menus(
    window: QMainWindow, header: Header, menus: Sequence[Menu], keys_only: Sequence[MenuItem]
) -> dict[str, QAction]:
    """A menu bar where the platform has one at the top of the screen, else one menu behind a button."""
    actions = [_action(window, item) for item in keys_only]
    has_bar = sys.platform == "darwin"
    more = QMenu(header.more)
    more.setObjectName("moreMenu")
    for menu in menus:
        if has_bar:
            shown = window.menuBar().addMenu(menu.title)
        else:
            shown = more.addMenu(menu.title) if menu.is_submenu else more
        actions += _fill(shown, menu.items, window)
        more.addSeparator()
    if has_bar:
        header.more.hide()
    else:
        header.set_menu(more)
    return {action.objectName(): action for action in actions}


def _fill(shown: QMenu, items: Sequence[MenuItem | Menu], window: QMainWindow) -> list[QAction]:
    actions: list[QAction] = []
    states: list[tuple[QAction, Callable[[], bool]]] = []
    for item in items:
        if isinstance(item, Menu):
            actions += _fill(shown.addMenu(item.title), item.items, window)
            continue
        action = _action(window, item)
        shown.addAction(action)
        actions.append(action)
        if item.is_checked is not None:
            states.append((action, item.is_checked))
    shown.aboutToShow.connect(partial(_tick, states))
    return actions


def _tick(states: Iterable[tuple[QAction, Callable[[], bool]]]) -> None:
    for action, is_on in states:
        action.setChecked(is_on())


def _action(window: QMainWindow, item: MenuItem) -> QAction:
    action = QAction(item.text, window)
    action.setCheckable(item.is_checked is not None)
    action.triggered.connect(lambda _=False: item.callback())
    if item.shortcut is not None:
        action.setObjectName(item.shortcut.id)
        action.setShortcuts(item.shortcut.key_sequences())
        if item.shortcut.is_global:
            action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
    window.addAction(action)
    return action

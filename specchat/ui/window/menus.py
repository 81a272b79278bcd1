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
    items: Sequence[MenuItem]
    in_menu: bool = True
    """Otherwise by keys only."""


def make_menus(window: QMainWindow, header: Header, menus: Sequence[Menu]) -> dict[str, QAction]:
    """A menu bar where the platform has one at the top of the screen, else one menu behind a button."""
    actions: dict[str, QAction] = {}
    more = QMenu(header.more)
    for menu in menus:
        made = [_action(window, item) for item in menu.items]
        states = [(action, item.is_checked) for action, item in zip(made, menu.items, strict=True) if item.is_checked]
        actions |= {action.objectName(): action for action in made}
        for action in made:
            window.addAction(action)
        if menu.in_menu:
            target = window.menuBar().addMenu(menu.title) if sys.platform == "darwin" else more
            target.addActions(made)
            target.aboutToShow.connect(partial(_tick, states))
            more.addSeparator()
    if sys.platform == "darwin":
        header.more.hide()
    else:
        header.set_menu(more)
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
    return action

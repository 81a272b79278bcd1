"""What the window can do, by menu and by keys."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from specchat.ui.header import Header
from specchat.ui.shortcuts import Shortcut


@dataclass(frozen=True, slots=True)
class Deed:
    words: str
    do: Callable[[], object]
    shortcut: Shortcut | None = None


@dataclass(frozen=True, slots=True)
class Menu:
    words: str
    deeds: Sequence[Deed]
    in_menu: bool = True
    """Otherwise by keys only."""


def make_menus(window: QMainWindow, header: Header, menus: Sequence[Menu]) -> dict[str, QAction]:
    """A menu bar where the platform has one at the top of the screen, else one menu behind a button."""
    actions: dict[str, QAction] = {}
    more = QMenu(header.more)
    for menu in menus:
        made = [_action(window, deed) for deed in menu.deeds]
        actions |= {action.objectName(): action for action in made}
        for action in made:
            window.addAction(action)
        if menu.in_menu:
            target = window.menuBar().addMenu(menu.words) if sys.platform == "darwin" else more
            target.addActions(made)
            more.addSeparator()
    if sys.platform == "darwin":
        header.more.hide()
    else:
        header.set_menu(more)
    return actions


def _action(window: QMainWindow, deed: Deed) -> QAction:
    action = QAction(deed.words, window)
    action.triggered.connect(lambda _=False: deed.do())
    if deed.shortcut is not None:
        action.setObjectName(deed.shortcut.id)
        action.setShortcuts(deed.shortcut.sequences())
    return action

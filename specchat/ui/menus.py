"""What the window can do, by menu and by keys."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from specchat.ui.header import Header
from specchat.ui.shortcuts import Shortcut


@dataclass(frozen=True, slots=True)
class Deed:
    words: str
    do: Callable[[], object]
    shortcut: Shortcut | None = None
    is_on: Callable[[], bool] | None = None
    """Of what can be on or off; its tick says which."""


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
        states = [(action, deed.is_on) for action, deed in zip(made, menu.deeds, strict=True) if deed.is_on]
        actions |= {action.objectName(): action for action in made}
        for action in made:
            window.addAction(action)
        if menu.in_menu:
            target = window.menuBar().addMenu(menu.words) if sys.platform == "darwin" else more
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


def _action(window: QMainWindow, deed: Deed) -> QAction:
    action = QAction(deed.words, window)
    action.setCheckable(deed.is_on is not None)
    action.triggered.connect(lambda _=False: deed.do())
    if deed.shortcut is not None:
        action.setObjectName(deed.shortcut.id)
        action.setShortcuts(deed.shortcut.sequences())
        if deed.shortcut.everywhere:
            action.setShortcutContext(Qt.ShortcutContext.ApplicationShortcut)
    return action

"""Each window without a mouse and without eyes: Tab comes to all that can be used, and all of it has a name."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot
from screenshots import staged
from support.hub import LocalHub
from support.manager_scenes import stocked_hub
from support.scenes import SCENES
from support.stage import Scene, settle

NAMES = ["first-start", "answer", "find", "error", "picker", "settings", "application-settings", "server-settings"]
NAMES += ["details", "help", "trash", "shortcuts", "about", "bench-done"]
NAMES += ["engines", "engines-found", "engines-add", "engine-picker", "engine-key"]
NAMES += ["models-here", "models-files", "models-pair", "models-known", "models-downloads"]
_MOST_STEPS = 200


def usable(window: QWidget) -> Iterator[QWidget]:
    """Of several that exclude one another, arrow keys lead from the chosen one to the others."""
    for part in window.findChildren(QWidget):
        takes_tab = part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None
        is_there = part.isVisible() and part.isEnabled() and part.window() is window and not part.size().isEmpty()
        is_other = isinstance(part, QAbstractButton) and part.autoExclusive() and not part.isChecked()
        if takes_tab and is_there and not is_other:
            yield part


def walk(window: QWidget) -> list[QWidget]:
    """Where Tab leads, until it comes round."""
    seen: list[QWidget] = []
    for _ in range(_MOST_STEPS):
        at = QApplication.focusWidget()
        assert at is not None
        assert at.window() is window
        if at in seen and at is not seen[-1]:  # who goes from link to link in a text stays there
            break
        seen.append(at)
        QTest.keyClick(at, Qt.Key.Key_Tab)
    return seen


def name(part: QWidget) -> str:
    found = QAccessible.queryAccessibleInterface(part)
    return found.text(QAccessible.Text.Name) if found is not None else ""


def describe(part: QWidget) -> str:
    return f"{type(part).__name__} {part.objectName()}"


@pytest.fixture(scope="module")
def hub() -> Iterator[LocalHub]:
    with stocked_hub() as hub:
        yield hub


@pytest.mark.parametrize("scene", [SCENES[name] for name in NAMES], ids=NAMES)
def test_all_is_reached_and_has_a_name(qtbot: QtBot, qapp: QApplication, hub: LocalHub, scene: Scene) -> None:
    with staged(qapp, scene, "light", hub if scene.at_the_hub else None) as stage:
        scene.set_up(stage)
        settle()
        window = scene.subject(stage).window()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        parts = set(usable(window))
        next(iter(parts)).setFocus(Qt.FocusReason.TabFocusReason)
        reached = walk(window)
        assert [describe(part) for part in parts - set(reached)] == []
        assert [describe(part) for part in parts | set(reached) if not name(part)] == []

"""What a picture is taken of, and how whoever takes it finds their way about the window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget
from support.hub import LocalHub

from specchat.ui.app_controller import AppController
from specchat.ui.start.application import Mode

SMALL, LARGE = (900, 600), (1600, 1000)
ONE: Sequence[tuple[int, int]] = (SMALL,)
_SETTLED_MS = 300

W = TypeVar("W", bound=QWidget)


@dataclass(frozen=True)
class Stage:
    controller: AppController
    chats: Sequence[int]
    hub: LocalHub | None = None

    def open(self, place: int) -> None:
        self.controller.chat.open(self.chats[place])
        settle()

    def find(self, kind: type[W], name: str) -> W:
        found = self.controller.window.findChild(kind, name)
        assert found is not None, name
        return found

    def window(self) -> QWidget:
        return self.controller.window

    def dialog(self) -> QWidget:
        return next(dialog for dialog in self.controller.window.findChildren(QDialog) if dialog.isVisible())

    def picker(self) -> QWidget:
        return self.controller.picker


@dataclass(frozen=True)
class Scene:
    set_up: Callable[[Stage], None]
    subject: Callable[[Stage], QWidget] = Stage.window
    """What is shown; something above the window is shown on it, a dialog alone."""
    sizes: Sequence[tuple[int, int]] = (SMALL, LARGE)
    modes: Sequence[Mode] = ("light", "dark")
    twice: bool = False
    """Also with twice the pixels."""
    demo: bool = False
    n_ctx: int = 8192
    n_slots: int = 1
    """How many chats are answered at the same time."""
    at_the_hub: bool = False
    """With a local one."""


def settle() -> None:
    QTest.qWait(_SETTLED_MS)

"""What a picture is taken of, and how whoever takes it finds their way about the window."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QWidget
from support.hub import LocalHub

from specchat.ui.desk import Desk
from specchat.ui.start.application import Mode

SMALL, LARGE = (900, 600), (1600, 1000)
ONE: Sequence[tuple[int, int]] = (SMALL,)
_SETTLED_MS = 300

W = TypeVar("W", bound=QWidget)


@dataclass(frozen=True)
class Stage:
    desk: Desk
    chats: Sequence[int]
    hub: LocalHub | None = None

    def open(self, place: int) -> None:
        self.desk.chat.open(self.chats[place])
        settle()

    def find(self, kind: type[W], name: str) -> W:
        found = self.desk.window.findChild(kind, name)
        assert found is not None, name
        return found

    def window(self) -> QWidget:
        return self.desk.window

    def dialog(self) -> QWidget:
        return next(dialog for dialog in self.desk.window.findChildren(QDialog) if dialog.isVisible())

    def manager(self) -> QWidget:
        found = self.desk.models.manager
        assert found is not None
        return found.window

    def benchmark(self) -> QWidget:
        found = self.desk.benchmark.panel
        assert found is not None
        return found.window

    def picker(self) -> QWidget:
        return self.desk.picker


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
    at_the_hub: bool = False
    """With a local one."""


def settle() -> None:
    QTest.qWait(_SETTLED_MS)

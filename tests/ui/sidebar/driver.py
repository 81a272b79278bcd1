from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListView, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Conversation
from specchat.ui.sidebar import Sidebar
from specchat.ui.sidebar.row_painting import more_button_rect

W = TypeVar("W", bound=QWidget)
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier
NOW = 1_800_000_000.0
TITLES = ("Sky", "Rust", "Poem")


def conversations(titles: Sequence[str] = TITLES, pinned: int | None = None) -> list[Conversation]:
    return [
        Conversation(number, title, NOW - number, NOW - number, pinned=number == pinned)
        for number, title in enumerate(titles, start=1)
    ]


class Driver:
    """A sidebar in a window with something else to focus, driven as a person would."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.sidebar = Sidebar(self.window)
        self.elsewhere = QPushButton("Elsewhere", self.window)
        layout = QHBoxLayout(self.window)
        layout.addWidget(self.sidebar)
        layout.addWidget(self.elsewhere)
        self.window.resize(600, 500)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.sidebar.show_conversations(conversations(), NOW)
        self.list = self.child(QListView, "conversationList")
        self.search = self.child(QLineEdit, "searchBox")

    def child(self, kind: type[W], name: str) -> W:
        """A closed menu or field may still wait to be deleted: it is not meant."""
        found = self.window.findChildren(kind, name)
        return next((widget for widget in found if widget.isVisible()), found[-1])

    @property
    def lines(self) -> list[str]:
        model = self.list.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    @property
    def selected(self) -> list[str]:
        return [index.data() for index in self.list.selectionModel().selectedIndexes()]

    def line(self, title: str) -> QModelIndex:
        return self.list.model().index(self.lines.index(title), 0)

    def click(self, title: str, button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:
        self._click(self.list.visualRect(self.line(title)).center(), button)

    def click_more(self, title: str) -> None:
        self._click(more_button_rect(self.list.visualRect(self.line(title))).center(), Qt.MouseButton.LeftButton)

    def _click(self, place: QPoint, button: Qt.MouseButton) -> None:
        QTest.mouseClick(self.list.viewport(), button, _NO_MODIFIER, place)

    def go_to(self, title: str) -> None:
        self.list.setFocus()
        self.list.setCurrentIndex(self.line(title))

    def press(self, key: Qt.Key, widget: QWidget | None = None) -> None:
        QTest.keyClick(widget or self.window.focusWidget() or self.window, key)

    @property
    def menu(self) -> QMenu:
        return self.child(QMenu, "conversationMenu")

    def choose(self, words: str) -> None:
        menu = self.menu
        action = next(action for action in menu.actions() if action.text() == words)
        QTest.mouseClick(menu, Qt.MouseButton.LeftButton, _NO_MODIFIER, menu.actionGeometry(action).center())

    def rename_field(self) -> QLineEdit:
        return self.child(QLineEdit, "renameField")

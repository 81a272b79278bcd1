from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.composer import Composer

W = TypeVar("W", bound=QWidget)


class Driver:
    """A composer that is ready to send, in a window, driven as a person would."""

    def __init__(self, qtbot: QtBot, width: int = 600) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.composer = Composer(self.window)
        layout = QVBoxLayout(self.window)
        layout.addStretch(1)
        layout.addWidget(self.composer)
        self.window.resize(width, 500)
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        self.composer.set_ready(True, "Write a message")
        self.composer.focus()
        self.editor = self.child(QPlainTextEdit, "composer")
        self.send = self.child(QAbstractButton, "sendButton")
        self.stop = self.child(QAbstractButton, "stopButton")

    def child(self, kind: type[W], name: str) -> W:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def children(self, name: str) -> list[QAbstractButton]:
        return [child for child in self.window.findChildren(QAbstractButton, name) if child.isVisible()]

    def type(self, words: str) -> None:
        QTest.keyClicks(self.editor, words)

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.focusWidget() or self.window, key, modifiers)

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

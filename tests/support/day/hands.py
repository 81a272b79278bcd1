"""Who finds everything at the window by its name, clicks, types, and looks at the clock."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget
from support.full_home import WORDS
from support.probes import PaintEnd
from support.windows import Listener, wait_for_pair, wait_until

from specchat.domain.types import PairChoice
from specchat.ui.app_controller import AppController
from specchat.ui.sidebar.conversation_list_model import ConversationListModel
from specchat.ui.sidebar.conversation_list_view import ConversationListView

ANSWER_TOKENS = 48
LONG_TOKENS = 3000
"""Enough for something to happen midway."""

W = TypeVar("W", bound=QWidget)


class Hands:
    def __init__(self, controller: AppController) -> None:
        self.waits_ms: dict[str, list[float]] = defaultdict(list)
        self.random = Random(1)
        self.desk, self.window = controller, controller.window
        self.listener = Listener(controller)
        self.list = self.find(ConversationListView, "conversationList")
        self._editor = self.find(QPlainTextEdit, "composer")

    @property
    def open_chat(self) -> int:
        conversation = self.desk.session.conversation
        assert conversation is not None
        return conversation.id

    def open(self, chat: int) -> None:
        model = self.list.model()
        assert isinstance(model, ConversationListModel)
        index = model.index_of(chat)
        self.list.scrollTo(index)
        place = self.list.visualRect(index).topLeft() + QPoint(20, 10)
        with self.opening("open a chat"):
            QTest.mouseClick(self.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert self.desk.session.is_open(chat)

    def new_chat(self, max_tokens: int = ANSWER_TOKENS) -> None:
        self.trigger("newChat")
        self.limit(max_tokens)

    def limit(self, max_tokens: int = ANSWER_TOKENS) -> None:
        conversation = self.desk.session.conversation
        assert conversation is not None
        self.desk.chat.change_settings(replace(conversation.settings, max_tokens=max_tokens))

    def words(self, count: int) -> str:
        return " ".join(self.random.choices(WORDS, k=count))

    def send(self, what: str = "first token") -> None:
        """Until its first words. `what`: that is waited for."""
        QTest.keyClicks(self._editor, self.words(6))
        with self.waiting("keystroke", self._editor.viewport()):
            QTest.keyClicks(self._editor, "?")
        with self.noting(what):
            self.click("sendButton")
            self.listener.first_words()

    def ask(self, what: str = "first token") -> None:
        """Until the answer is there."""
        self.send(what)
        self.listener.end()

    def try_again(self) -> None:
        """What failed: as the error on show offers it."""
        assert self.desk.session.path[-1].text, "nothing was written before it failed"
        self.limit()
        self.click("problemAction", self.window.problem)
        self.listener.end()
        assert not self.window.problem.isVisible()

    def load(self, choice: PairChoice, what: str) -> None:
        with self.noting(what):
            self.desk.pair.load(choice)
            wait_for_pair(self.desk)

    @contextmanager
    def noting(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.waits_ms[what].append(1000 * (time.perf_counter() - begun))

    @contextmanager
    def waiting(self, what: str, widget: QWidget) -> Iterator[None]:
        """Until the widget is painted after that."""
        with self.noting(what):
            painted = PaintEnd(widget)
            yield
            painted.wait()
        widget.removeEventFilter(painted)

    @contextmanager
    def opening(self, what: str) -> Iterator[None]:
        """Painted also where it is open already."""
        viewport = self.window.transcript.viewport()
        with self.waiting(what, viewport):
            viewport.update()
            yield

    def trigger(self, deed: str) -> None:
        action = self.window.findChild(QAction, deed)
        assert action is not None, deed
        action.trigger()

    def click(self, name: str, place: QWidget | None = None) -> None:
        button = self.within(place or self.window, QAbstractButton, name)
        wait_until(lambda: button.isVisible() and button.isEnabled(), f"{name} can't be clicked")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def find(self, kind: type[W], name: str) -> W:
        return self.within(self.window, kind, name)

    def within(self, window: QWidget, kind: type[W], name: str) -> W:
        found = window.findChild(kind, name)
        assert found is not None, name
        return found

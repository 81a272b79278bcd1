"""Chats: read, searched, asked, tidied up."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from support.day.hands import LONG_TOKENS, Hands
from support.full_home import WORDS
from support.windows import wait_until

from specchat.ui.transcript import MatchCount


class Chats:
    def __init__(self, hands: Hands, chats: list[int]) -> None:
        self._hands, self._chats = hands, chats
        self._desk, self._window = hands.desk, hands.window

    def read(self) -> None:
        for chat in self._hands.random.sample(self._chats, 3):
            self._hands.open(chat)
            for key in (*[Qt.Key.Key_PageUp] * 5, Qt.Key.Key_Home, Qt.Key.Key_PageDown, Qt.Key.Key_End):
                QTest.keyClick(self._window.transcript, key)
                QTest.qWait(1)

    def search(self) -> None:
        box, (first, second) = self._hands.find(QLineEdit, "searchBox"), self._hands.random.sample(WORDS, 2)
        with self._hands.waiting("search all chats, its pause included", self._hands.list.viewport()):
            QTest.keyClicks(box, f"{first} {second}")
        with self._hands.opening("open a hit"):
            QTest.keyClick(box, Qt.Key.Key_Return)
        box.clear()

    def find_in_chat(self) -> None:
        self._hands.trigger("find")
        field = self._hands.find(QLineEdit, "findField")
        tallies: list[MatchCount] = []
        self._window.transcript.match_count_changed.connect(tallies.append)
        with self._hands.noting("find in a chat"):
            field.setText(self._hands.random.choice(WORDS))
            wait_until(lambda: bool(tallies) and tallies[-1].complete, "the search does not end")
        self._window.transcript.match_count_changed.disconnect(tallies.append)
        for _ in range(3):
            QTest.keyClick(field, Qt.Key.Key_Return)
        self._window.find_bar.close_bar()

    def ask(self) -> None:
        """In a new chat, then in one that is there."""
        self._hands.new_chat()
        self._hands.ask()
        self._hands.open(self._hands.random.choice(self._chats))
        self._hands.limit()
        self._hands.ask()

    def stop_midway(self) -> None:
        self._hands.new_chat(LONG_TOKENS)
        self._hands.send()
        self._hands.click("stopButton")
        self._hands.listener.end()

    def switch_while_answering(self) -> None:
        self._hands.new_chat()
        asked = self._hands.open_chat
        self._hands.send()
        for chat in self._hands.random.sample(self._chats, 2):
            self._hands.open(chat)
        self._hands.listener.end()
        self._hands.open(asked)
        assert len(self._desk.session.path) == 2

    def ask_in_two(self) -> None:
        """At once."""
        chats = []
        for _ in range(2):
            self._hands.new_chat(LONG_TOKENS)
            self._hands.send()
            chats.append(self._hands.open_chat)
        answers = self._desk.answers
        wait_until(lambda: answers.conversations()[0] == frozenset(chats), "they aren't answered at once")
        for chat in chats:
            answers.stop(chat)
            self._hands.listener.end()

    def tidy_up(self) -> None:
        """The chat that is open."""
        shown = self._hands.open_chat
        self._hands.list.setFocus()
        self._hands.trigger("rename")
        field, title = self._hands.find(QLineEdit, "renameField"), self._hands.words(3)
        field.setText(title)
        QTest.keyClick(field, Qt.Key.Key_Return)
        wait_until(lambda: self._title == title, "it keeps its name")
        QTest.keyClick(self._hands.list, Qt.Key.Key_Delete)
        wait_until(lambda: not self._desk.session.is_open(shown), "it is not deleted")
        self._hands.trigger("undoDelete")
        wait_until(lambda: self._desk.session.is_open(shown), "it does not come back")
        self._window.transcript.delete_requested.emit(self._desk.session.path[-1].id)
        self._hands.trigger("undoDelete")

    @property
    def _title(self) -> str:
        conversation = self._desk.session.conversation
        return conversation.title if conversation else ""

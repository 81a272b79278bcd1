"""Someone at the window, who finds everything by its name."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from support.paced_engine import PacedEngine

from specchat.domain.conversations import MessageState, StoredMessage
from specchat.domain.media import Media
from specchat.domain.types import SamplingParams
from specchat.store.chat_store import SqliteChatStore
from specchat.ui.app_controller import AppController
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.window.error_remedies import Remedy, remedy_label

W = TypeVar("W", bound=QWidget)


def pick(choices: ChoiceList, key: object) -> None:
    """As the user does; `show_rows` would tell nobody."""
    number = next(number for number, row in enumerate(choices.rows) if row.key == key)
    choices.setCurrentIndex(choices.model().index(number, 0))


def picked(choices: ChoiceList) -> list[object]:
    return [choices.rows[index.row()].key for index in choices.selectedIndexes()]


OpenScripted = Callable[[PacedEngine], AbstractContextManager["Person"]]


class Person:
    def __init__(self, qtbot: QtBot, controller: AppController) -> None:
        self.qtbot, self.controller, self.window = qtbot, controller, controller.window

    def find(self, kind: type[W], name: str) -> W:
        found = self.window.findChild(kind, name)
        assert found is not None, name
        return found

    def click(self, name: str) -> None:
        QTest.mouseClick(self.find(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def remedies(self) -> list[Remedy]:
        """That the error on show offers."""
        shown = {button.text() for button in self.window.problem.findChildren(QAbstractButton) if button.isVisible()}
        return [remedy for remedy in Remedy if remedy_label(remedy) in shown]

    def click_remedy(self, remedy: Remedy) -> None:
        buttons = self.window.problem.findChildren(QAbstractButton)
        button = next(each for each in buttons if each.text() == remedy_label(remedy))
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def write(self, text: str) -> None:
        editor = self.find(QPlainTextEdit, "composer")
        editor.setFocus()
        QTest.keyClicks(editor, text)

    def attach(self, folder: Path, *media: Media) -> None:
        """Files in the folder."""
        for each in media:
            (folder / each.name).write_bytes(each.content)
        self.window.composer.attaching.load_files([folder / each.name for each in media])
        self.qtbot.waitUntil(lambda: set(media) <= set(self.window.composer.attachments))

    def occupy_the_models(self) -> None:
        """Other chats' long answers come first: what is sent in this one waits."""
        conversation, pair = self.controller.session.conversation, self.controller.session.pair
        assert conversation is not None
        assert pair is not None
        for _ in range(pair.n_slots):
            self.controller.chat.start_chat()
            self.window.composer.set_text("Go on")
            self.click("sendButton")
        self.controller.chat.open(conversation.id)

    def keep_short(self, max_tokens: int = 24) -> None:
        conversation = self.controller.session.conversation
        assert conversation is not None
        settings = type(conversation.settings)(sampling=SamplingParams(temperature=0), max_tokens=max_tokens)
        self.controller.chat.change_settings(settings)

    def ask(self, text: str) -> StoredMessage:
        """Until the answer is there."""
        self.write(text)
        self.click("sendButton")
        return self.wait_for_answer()

    def wait_for_answer(self) -> StoredMessage:
        self.qtbot.waitUntil(lambda: not self.controller.chat.is_answering and len(self.path) > 1, timeout=60_000)
        answer = self.path[-1]
        assert answer.state is not MessageState.STREAMING
        return answer

    def wait_for_first_words(self) -> None:
        def some() -> bool:
            running = self.controller.answers.current()
            row = self.window.transcript.message_layout.cached_row(running.streamed.message) if running else None
            return running is not None and bool(row.text if row else running.streamed.text)

        self.qtbot.waitUntil(some, timeout=60_000)

    def press(self, keys: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.window.focusWidget() or self.window, keys, modifiers)

    @property
    def path(self) -> list[StoredMessage]:
        return self.controller.session.path


def quit_replying(person: Person, reply: str = "") -> list[str]:
    """The question that is asked. `reply`: the button; empty: Enter."""
    asked: list[str] = []

    def answer() -> None:
        question = person.find(QMessageBox, "quitQuestion")
        asked.extend((question.text(), question.informativeText()))
        chosen = [button for button in question.findChildren(QPushButton) if button.text().replace("&", "") == reply]
        (chosen[0] if chosen else question.defaultButton()).click()

    QTimer.singleShot(0, person.window, lambda: answer() if person.window.findChild(QMessageBox) else None)
    person.window.close()
    return asked


def store_of(controller: AppController) -> SqliteChatStore:
    store = controller.services.conversations._store
    assert isinstance(store, SqliteChatStore)
    return store


def wait_for_pair(person: Person) -> tuple[str, str | None, int]:
    person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=60_000)
    pair = person.controller.session.pair
    assert pair is not None
    return pair.target, pair.draft, pair.n_ctx

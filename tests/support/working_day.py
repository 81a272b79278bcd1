"""Someone who uses the window all day: what is done over and over, by hand, and how long each wait was."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractSlider, QLineEdit, QPlainTextEdit, QWidget
from support.full_home import WORDS
from support.probes import PaintEnd
from support.windows import Listener, wait_for_pair, wait_until

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_files
from specchat.services.settings.application_settings import TextSize, ThemeChoice
from specchat.ui.app_controller import AppController
from specchat.ui.models.cards import CardList
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.sidebar.conversation_list_model import ConversationListModel
from specchat.ui.sidebar.conversation_list_view import ConversationListView
from specchat.ui.transcript import MatchCount

ANSWER_TOKENS = 48
_STOPPED_TOKENS = 400
"""Enough for a stop midway."""
_SELDOM = 20
"""How many rounds pass between what is done only now and then."""

W = TypeVar("W", bound=QWidget)


class WorkingDay:
    def __init__(
        self, controller: AppController, choice: PairChoice, chats: list[int], models: int, folder: Path
    ) -> None:
        """`folder`: for what is exported."""
        self.waits_ms: dict[str, list[float]] = defaultdict(list)
        self._desk, self._window, self._choice = controller, controller.window, choice
        self._chats, self._models, self._folder = chats, models, folder
        self._listener = Listener(controller)
        self._random = Random(1)
        self._list = self._find(ConversationListView, "conversationList")
        self._editor = self._find(QPlainTextEdit, "composer")

    def round(self, number: int) -> None:
        self._random.seed(number)
        self._read()
        self._search()
        self._find_in_chat()
        self._ask()
        self._stop_midway()
        self._switch_while_answering()
        self._tidy_up()
        self._change_settings(number)
        self._open_manager()
        self._open_picker()
        self._open_others()
        self._export(number)
        if number % _SELDOM == 0:
            self._load_anew()

    def _read(self) -> None:
        for chat in self._random.sample(self._chats, 3):
            self._open(chat)
            for key in (*[Qt.Key.Key_PageUp] * 5, Qt.Key.Key_Home, Qt.Key.Key_PageDown, Qt.Key.Key_End):
                self._press_in_transcript(key)

    def _open(self, chat: int) -> None:
        model = self._list.model()
        assert isinstance(model, ConversationListModel)
        index = model.index_of(chat)
        self._list.scrollTo(index)
        place = self._list.visualRect(index).topLeft() + QPoint(20, 10)
        with self._opening("open a chat"):
            QTest.mouseClick(self._list.viewport(), Qt.MouseButton.LeftButton, pos=place)
        assert self._desk.session.is_open(chat)

    def _press_in_transcript(self, key: Qt.Key) -> None:
        QTest.keyClick(self._window.transcript, key)
        QTest.qWait(1)

    def _search(self) -> None:
        box, (first, second) = self._find(QLineEdit, "searchBox"), self._random.sample(WORDS, 2)
        with self._waiting("search all chats, its pause included", self._list.viewport()):
            QTest.keyClicks(box, f"{first} {second}")
        with self._opening("open a hit"):
            QTest.keyClick(box, Qt.Key.Key_Return)
        box.clear()

    def _find_in_chat(self) -> None:
        self._trigger("find")
        field = self._find(QLineEdit, "findField")
        tallies: list[MatchCount] = []
        self._window.transcript.match_count_changed.connect(tallies.append)
        with self._noting("find in a chat"):
            field.setText(self._random.choice(WORDS))
            wait_until(lambda: bool(tallies) and tallies[-1].complete, "the search does not end")
        self._window.transcript.match_count_changed.disconnect(tallies.append)
        for _ in range(3):
            QTest.keyClick(field, Qt.Key.Key_Return)
        self._window.find_bar.close_bar()

    def _ask(self) -> None:
        """In a new chat, then in one that is there."""
        self._new_chat(ANSWER_TOKENS)
        self._send()
        self._listener.end()
        self._open(self._random.choice(self._chats))
        self._limit(ANSWER_TOKENS)
        self._send()
        self._listener.end()

    def _new_chat(self, max_tokens: int) -> None:
        self._trigger("newChat")
        self._limit(max_tokens)

    def _limit(self, max_tokens: int) -> None:
        conversation = self._desk.session.conversation
        assert conversation is not None
        self._desk.chat.change_settings(replace(conversation.settings, max_tokens=max_tokens))

    def _send(self) -> None:
        """Until its first words."""
        QTest.keyClicks(self._editor, " ".join(self._random.choices(WORDS, k=6)))
        with self._waiting("keystroke", self._editor.viewport()):
            QTest.keyClicks(self._editor, "?")
        with self._noting("first token"):
            self._click("sendButton")
            self._listener.first_words()

    def _stop_midway(self) -> None:
        self._new_chat(_STOPPED_TOKENS)
        self._send()
        self._click("stopButton")
        self._listener.end()

    def _switch_while_answering(self) -> None:
        self._new_chat(ANSWER_TOKENS)
        asked = self._desk.session.conversation
        self._send()
        for chat in self._random.sample(self._chats, 2):
            self._open(chat)
        self._listener.end()
        assert asked is not None
        self._open(asked.id)
        assert len(self._desk.session.path) == 2

    def _tidy_up(self) -> None:
        """The chat that is open."""
        shown = self._desk.session.conversation
        assert shown is not None
        self._list.setFocus()
        self._trigger("rename")
        field = self._find(QLineEdit, "renameField")
        title = " ".join(self._random.choices(WORDS, k=3))
        field.setText(title)
        QTest.keyClick(field, Qt.Key.Key_Return)
        wait_until(lambda: self._title == title, "it keeps its name")
        QTest.keyClick(self._list, Qt.Key.Key_Delete)
        wait_until(lambda: not self._desk.session.is_open(shown.id), "it is not deleted")
        self._trigger("undoDelete")
        wait_until(lambda: self._desk.session.is_open(shown.id), "it does not come back")
        self._window.transcript.delete_requested.emit(self._desk.session.path[-1].id)
        self._trigger("undoDelete")

    @property
    def _title(self) -> str:
        conversation = self._desk.session.conversation
        return conversation.title if conversation else ""

    def _change_settings(self, number: int) -> None:
        self._trigger("settings")
        before = self._desk.settings_model.value
        sizes, themes = list(TextSize), (ThemeChoice.LIGHT, ThemeChoice.DARK)
        with self._waiting("change the theme", self._desk.settings.page()):
            self._desk.settings_model.change(replace(before, theme=themes[number % 2], colour_tokens=number % 2 == 0))
        self._desk.settings_model.change(
            replace(self._desk.settings_model.value, text_size=sizes[number % len(sizes)], show_overlay=number % 3 > 0)
        )
        QTest.qWait(20)
        self._window.show_chat()

    def _open_manager(self) -> None:
        with self._noting("open the manager"):
            self._trigger("models")
            manager = self._desk.models.manager()
            painted = PaintEnd(manager.view)
            cards = self._in(manager.view, CardList, "hereList")
            wait_until(lambda: bool(cards.cards), "no files are listed")
            painted.wait()
        box = self._in(manager.view, QLineEdit, "hereFilter")
        box.clear()
        with self._noting("look at all files"):
            wait_until(lambda: self._scrolled_through(cards) >= self._models, "not all files are listed")
        with self._noting("filter the files"):
            box.setText("demo")
            wait_until(lambda: len(cards.cards) == len(demo_files()), "the demo is not found")
        for page in (ManagerSection.PAIRS, ManagerSection.DOWNLOADS, ManagerSection.LOCAL):
            manager.open_at(page)
            QTest.qWait(20)
        self._window.show_chat()

    def _scrolled_through(self, cards: CardList) -> int:
        """A page further: how many are listed by then."""
        cards.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderPageStepAdd)
        return len(cards.cards)

    def _open_picker(self) -> None:
        fitting: list[PairChoice] = []
        self._desk.picker.choice_changed.connect(fitting.append)
        with self._noting("open the picker, with all drafts"):
            self._trigger("choosePair")
            drafts = self._in(self._desk.picker, ChoiceList, "draftList")
            wait_until(lambda: bool(fitting) and len(drafts.rows) > 2, "there are no drafts")
        self._desk.picker.choice_changed.disconnect(fitting.append)
        QTest.keyClick(self._desk.picker, Qt.Key.Key_Escape)

    def _open_others(self) -> None:
        self._desk.benchmark.open()
        QTest.qWait(50)
        self._desk.benchmark.controller().page.close()
        about = self._desk.about.open()
        QTest.qWait(20)
        about.accept()
        self._desk.stats_overlay.show_details()
        QTest.qWait(20)
        for dialog in self._window.findChildren(QWidget, "speculationDetails"):
            dialog.close()

    def _export(self, number: int) -> None:
        shown = self._desk.session.conversation
        assert shown is not None
        self._export_to("chat.md", shown.id)
        if number % _SELDOM == 1:
            with self._noting("export all chats"):
                self._export_to("all.json", None)

    def _export_to(self, name: str, chat: int | None) -> None:
        self._desk.chat_files.export_to(self._folder / name, None if chat is None else [chat])
        wait_until(lambda: not self._desk.chat_files.is_busy, "the export does not end")

    def _load_anew(self) -> None:
        """Without its draft, and with it again."""
        for choice in (replace(self._choice, draft=None, draft_type="none"), self._choice):
            with self._noting("load a pair"):
                self._desk.pair.load(choice)
                wait_for_pair(self._desk)

    @contextmanager
    def _noting(self, what: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.waits_ms[what].append(1000 * (time.perf_counter() - begun))

    @contextmanager
    def _waiting(self, what: str, widget: QWidget) -> Iterator[None]:
        """Until the widget is painted after that."""
        with self._noting(what):
            painted = PaintEnd(widget)
            yield
            painted.wait()
        widget.removeEventFilter(painted)

    @contextmanager
    def _opening(self, what: str) -> Iterator[None]:
        """Painted also where it is open already."""
        viewport = self._window.transcript.viewport()
        with self._waiting(what, viewport):
            viewport.update()
            yield

    def _trigger(self, deed: str) -> None:
        action = self._window.findChild(QAction, deed)
        assert action is not None, deed
        action.trigger()

    def _click(self, name: str) -> None:
        QTest.mouseClick(self._find(QAbstractButton, name), Qt.MouseButton.LeftButton)

    def _find(self, kind: type[W], name: str) -> W:
        return self._in(self._window, kind, name)

    def _in(self, window: QWidget, kind: type[W], name: str) -> W:
        found = window.findChild(kind, name)
        assert found is not None, name
        return found

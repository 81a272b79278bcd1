"""Pages and dialogs: opened, used, left."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSlider, QLineEdit, QWidget
from support.day.hands import Hands
from support.probes import PaintEnd
from support.windows import wait_until

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_files
from specchat.services.settings.application_settings import TextSize, ThemeChoice
from specchat.ui.models.cards import CardList
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.pair.choice_list import ChoiceList


class Pages:
    def __init__(self, hands: Hands, models: int) -> None:
        """`models`: how many files there are."""
        self._hands, self._models = hands, models
        self._desk, self._window = hands.desk, hands.window

    def change_settings(self, number: int) -> None:
        self._hands.trigger("settings")
        model, page = self._desk.settings_model, self._desk.settings.page()
        sizes, themes = list(TextSize), (ThemeChoice.LIGHT, ThemeChoice.DARK)
        with self._hands.waiting("change the theme", page):
            model.change(replace(model.value, theme=themes[number % 2], colour_tokens=number % 2 == 0))
        model.change(replace(model.value, text_size=sizes[number % len(sizes)], show_overlay=number % 3 > 0))
        QTest.qWait(20)
        self._window.show_chat()

    def open_manager(self) -> None:
        with self._hands.noting("open the manager"):
            self._hands.trigger("models")
            manager = self._desk.models.manager()
            painted = PaintEnd(manager.view)
            cards = self._hands.within(manager.view, CardList, "hereList")
            wait_until(lambda: bool(cards.cards), "no files are listed")
            painted.wait()
        box = self._hands.within(manager.view, QLineEdit, "hereFilter")
        box.clear()
        with self._hands.noting("look at all files"):
            wait_until(lambda: _scrolled_through(cards) >= self._models, "not all files are listed")
        with self._hands.noting("filter the files"):
            box.setText("demo")
            wait_until(lambda: len(cards.cards) == len(demo_files()), "the demo is not found")
        for page in (ManagerSection.PAIRS, ManagerSection.DOWNLOADS, ManagerSection.LOCAL):
            manager.open_at(page)
            QTest.qWait(20)
        self._window.show_chat()

    def open_picker(self) -> None:
        fitting: list[PairChoice] = []
        self._desk.picker.choice_changed.connect(fitting.append)
        with self._hands.noting("open the picker, with all drafts"):
            self._hands.trigger("choosePair")
            drafts = self._hands.within(self._desk.picker, ChoiceList, "draftList")
            wait_until(lambda: bool(fitting) and len(drafts.rows) > 2, "there are no drafts")
        self._desk.picker.choice_changed.disconnect(fitting.append)
        QTest.keyClick(self._desk.picker, Qt.Key.Key_Escape)

    def open_others(self) -> None:
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

    def ask_two(self) -> None:
        """Side by side: the pair, and its target alone."""
        self._hands.new_chat()
        self._desk.comparison.open()
        comparison = self._desk.comparison.controller()
        wait_until(lambda: len(comparison.page.sides) == 2, "there are no two sides")
        with self._hands.noting("two answers side by side"):
            comparison.page.composer.set_text(self._hands.words(6))
            comparison.page.composer.send()
            wait_until(lambda: comparison.is_running, "nobody is asked")
            wait_until(lambda: not comparison.is_running, "they don't answer")
        self._window.show_chat()


def _scrolled_through(cards: CardList) -> int:
    """A page further: how many are listed by then."""
    cards.verticalScrollBar().triggerAction(QAbstractSlider.SliderAction.SliderPageStepAdd)
    return len(cards.cards)

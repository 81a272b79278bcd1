"""A round: some minutes of a day."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from support.day.chats import Chats
from support.day.files import Files
from support.day.hands import Hands
from support.day.pages import Pages
from support.day.pairs import Pairs

from specchat.domain.types import PairChoice
from specchat.ui.app_controller import AppController

_SELDOM = 20
"""How many rounds pass between what is done only now and then."""


class WorkingDay:
    def __init__(
        self, controller: AppController, choice: PairChoice, chats: list[int], models: int, folder: Path
    ) -> None:
        """`folder`: for what is exported, attached and loaded."""
        self._hands = hands = Hands(controller)
        self._chats, self._files = Chats(hands, chats), Files(hands, folder)
        self._pairs, self._pages = Pairs(hands, choice, folder), Pages(hands, models)

    @property
    def waits_ms(self) -> Mapping[str, Sequence[float]]:
        return self._hands.waits_ms

    def round(self, number: int) -> None:
        self._hands.random.seed(number)
        self._talk()
        self._files.ask_about_documents(number)
        self._pages.change_settings(number)
        self._pages.open_manager()
        self._pages.open_picker()
        self._pages.open_others()
        self._pages.ask_two()
        self._files.export_and_import()
        if number % _SELDOM == 1:
            self._files.export_all()
        self._use_other_pairs(number)

    def _talk(self) -> None:
        chats = self._chats
        chats.read()
        chats.search()
        chats.find_in_chat()
        chats.ask()
        chats.switch_while_answering()
        chats.tidy_up()

    def _use_other_pairs(self, number: int) -> None:
        """The first one comes back."""
        pairs = self._pairs
        pairs.load_endless()
        self._chats.stop_midway()
        self._chats.ask_in_two()
        pairs.lose_process()
        pairs.load_seeing()
        self._files.ask_about_picture(number)
        pairs.call_tool()
        pairs.lose_connection()
        pairs.load_anew()

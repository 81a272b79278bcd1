from collections.abc import Callable
from typing import TypeVar

from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from support import desks
from support.choices import choice_of
from ui.pair.examples import TARGET

from specchat.domain.types import PairChoice
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.pair_picker import PairPicker

CHOICE = choice_of(TARGET.path)


T = TypeVar("T", bound=QWidget)


def find(picker: PairPicker, kind: type[T], name: str) -> T:
    found = picker.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def dialog_of(picker: PairPicker) -> QFileDialog | None:
    parent = picker.parentWidget()
    assert parent is not None
    return parent.findChild(QFileDialog, "addModelDialog")


def titles(picker: PairPicker, name: str) -> list[str]:
    return [row.title for row in find(picker, ChoiceList, name).rows]


def pick(picker: PairPicker, name: str, key: object) -> None:
    desks.pick(find(picker, ChoiceList, name), key)


def considered(qtbot: QtBot, picker: PairPicker, do: Callable[[], object]) -> PairChoice:
    with qtbot.waitSignal(picker.choice_changed) as changed:
        do()
    choice = changed.args[0]
    assert isinstance(choice, PairChoice)
    return choice

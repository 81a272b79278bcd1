import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from support.english import english_numbers as english_numbers
from ui.pair.examples import DRAFTS, MODELS
from ui.pair.pickers import CHOICE

from specchat.ui.pair.pair_picker import PairPicker


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def picker(qtbot: QtBot, window: QWidget) -> PairPicker:
    made = PairPicker(window)
    made.show_models(MODELS)
    made.show_choice(CHOICE, DRAFTS)
    made.open_below(window)
    qtbot.waitExposed(made)
    return made

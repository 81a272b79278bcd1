import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.pair.pair_editor import PairEditor


@pytest.fixture
def tray(qtbot: QtBot) -> PairEditor:
    made = PairEditor()
    qtbot.addWidget(made)
    made.resize(400, 900)
    made.show()
    qtbot.waitExposed(made)
    return made

import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.manager.pair_editor import PairEditor
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture
def tray(qtbot: QtBot) -> PairEditor:
    made = PairEditor(LIGHT)
    qtbot.addWidget(made)
    made.resize(400, 900)
    made.show()
    qtbot.waitExposed(made)
    return made

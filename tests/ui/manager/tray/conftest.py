import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.manager.tray import PairTray
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture
def tray(qtbot: QtBot) -> PairTray:
    made = PairTray(LIGHT)
    qtbot.addWidget(made)
    made.resize(400, 900)
    made.show()
    qtbot.waitExposed(made)
    return made

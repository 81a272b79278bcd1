import pytest
from pytestqt.qtbot import QtBot
from ui.manager.here_pane.panes import FOLDER, MODELS

from specchat.ui.manager.here_pane import HerePane
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture
def pane(qtbot: QtBot) -> HerePane:
    made = HerePane(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 900)
    made.show()
    qtbot.waitExposed(made)
    made.show_models(MODELS, [FOLDER])
    return made

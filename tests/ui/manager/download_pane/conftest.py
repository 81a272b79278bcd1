import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture
def pane(qtbot: QtBot) -> DownloadPane:
    made = DownloadPane(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made

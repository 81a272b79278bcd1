import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.manager.download_pane import DownloadPane


@pytest.fixture
def pane(qtbot: QtBot) -> DownloadPane:
    made = DownloadPane()
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made

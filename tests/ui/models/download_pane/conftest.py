import pytest
from pytestqt.qtbot import QtBot

from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.settings.settings_model import SettingsModel


@pytest.fixture
def pane(qtbot: QtBot, settings_model: SettingsModel) -> DownloadPane:
    made = DownloadPane(settings_model, ManagerRequests())
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made

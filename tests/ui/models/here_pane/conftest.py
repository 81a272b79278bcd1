import pytest
from pytestqt.qtbot import QtBot
from ui.models.here_pane.panes import FOLDER, MODELS

from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests


@pytest.fixture
def pane(qtbot: QtBot) -> LocalModelsPane:
    made = LocalModelsPane(ManagerRequests())
    qtbot.addWidget(made)
    made.resize(640, 900)
    made.show()
    qtbot.waitExposed(made)
    made.show_models(MODELS, [FOLDER])
    return made

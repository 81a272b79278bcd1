import pytest
from pytestqt.qtbot import QtBot
from ui.models.hub_pane.panes import FOUND, REPOSITORY, SEA

from specchat.ui.models.hub_pane import HubPane
from specchat.ui.models.manager_requests import ManagerRequests


@pytest.fixture
def pane(qtbot: QtBot) -> HubPane:
    made = HubPane(ManagerRequests())
    qtbot.addWidget(made)
    made.resize(640, 560)
    made.show()
    return made


@pytest.fixture
def opened(pane: HubPane) -> HubPane:
    pane.results.show_results(FOUND)
    pane.show_repository_loading(SEA.repo)
    pane.repository.show_repository(REPOSITORY)
    return pane

import pytest
from pytestqt.qtbot import QtBot
from ui.composer.driver import Driver


@pytest.fixture
def driver(qtbot: QtBot) -> Driver:
    return Driver(qtbot)

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.paced_engine import PacedEngine
from support.tool_chats import Model, write_servers
from support.windows import empty_pair, window_with

from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths, model: Model) -> Iterator[Person]:
    write_servers(places, raw="plain")
    engine = PacedEngine(model, calls_tools=True)
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as controller:
        yield Person(qtbot, controller)

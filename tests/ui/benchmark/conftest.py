from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.computers import own_computer
from support.desks import Person
from support.english import english_numbers as english_numbers
from support.known_loads import known_loads

from specchat.domain.types import ModelSettings, PairChoice
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Paths]:
    found = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    with known_loads(found.cache):
        yield found


@pytest.fixture
def choice(tiny_pair: tuple[Path, Path]) -> PairChoice:
    target, draft = tiny_pair
    settings = ModelSettings(n_ctx=1024, threads=1)
    return choice_of(target, draft, settings, settings, draft_type="model", draft_max=3)


@pytest.fixture
def controller(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, places: Paths, choice: PairChoice, engine_here: None
) -> Iterator[AppController]:
    """With a pair that is loaded, and on the shelf."""
    with own_computer(tmp_path / "computer"):
        services = build_services(places)
        for file in files_of(choice):
            services.models.library.add(file)
        services.pair_settings.save(choice)
        opened = AppController(services, ThemeManager(qapp))
        opened.window.first_painted.connect(opened.start)
        opened.window.show()
        qtbot.waitUntil(lambda: opened.session.pair is not None, timeout=60_000)
        yield opened
        opened.window.close()
        opened.close()
        shiboken6.delete(opened.window)


@pytest.fixture
def person(qtbot: QtBot, controller: AppController) -> Person:
    return Person(qtbot, controller)

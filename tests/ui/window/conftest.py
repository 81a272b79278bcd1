from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.computers import own_computer
from support.desks import OpenScripted, Person
from support.known_loads import known_loads
from support.paced_engine import PacedEngine
from support.windows import empty_pair, opened, window_with

from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.models import demo_pair
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services


@pytest.fixture(autouse=True)
def computer(tmp_path: Path) -> Iterator[None]:
    with own_computer(tmp_path / "computer"):
        yield


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Paths]:
    found = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    with known_loads(found.cache):
        yield found


@pytest.fixture
def n_ctx() -> int:
    return 512


@pytest.fixture
def choice(tiny_pair: tuple[Path, Path], n_ctx: int) -> PairChoice:
    target, draft = tiny_pair
    settings = ModelSettings(n_ctx=n_ctx, threads=1)
    return choice_of(target, draft, settings, settings, draft_type="model", draft_max=3)


@pytest.fixture
def controller(qtbot: QtBot, qapp: object, places: Paths, choice: PairChoice) -> Iterator[AppController]:
    services = build_services(places)
    services.pair_settings.save(choice)
    look = ThemeManager(qapp)  # type: ignore[arg-type]
    running = AppController(services, look)
    MenuActions(running)
    running.window.first_painted.connect(running.start)
    running.window.show()
    yield running
    if shiboken6.isValid(running.window):
        running.close_unasked()
        running.window.close()
        running.close()
        shiboken6.delete(running.window)


@pytest.fixture
def person(qtbot: QtBot, controller: AppController) -> Person:
    """Who has waited until the models are loaded."""
    someone = Person(qtbot, controller)
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=60_000)
    return someone


@pytest.fixture
def newcomer(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Person]:
    """Who has no model yet, nor the demo."""
    monkeypatch.setattr(demo_pair, "resources", lambda: tmp_path / "nothing")
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        yield Person(qtbot, controller)


@pytest.fixture
def missing(tmp_path: Path) -> PairChoice:
    return choice_of(tmp_path / "not-there.gguf", draft_type="none")


@pytest.fixture
def open_scripted(qtbot: QtBot, qapp: QApplication, places: Paths) -> OpenScripted:
    """Opens the window with a scripted engine, as often as needed."""

    @contextmanager
    def window(paced: PacedEngine) -> Iterator[Person]:
        with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: paced) as controller:
            person = Person(qtbot, controller)
            qtbot.waitUntil(lambda: controller.session.conversation is not None)
            yield person

    return window

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import shiboken6

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QLocale, QTranslator  # noqa: E402 - the platform is chosen before Qt is loaded
from PySide6.QtGui import QFont  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402
from pytestqt.qtbot import QtBot  # noqa: E402
from support.settings import make_settings_model  # noqa: E402

from specchat.container import Container  # noqa: E402
from specchat.domain.engine import Engine  # noqa: E402
from specchat.store.journal import SqliteJournal  # noqa: E402
from specchat.ui.settings.settings_model import SettingsModel  # noqa: E402
from specchat.ui.start.application import ThemeManager  # noqa: E402
from specchat.ui.threads.inference import Inference  # noqa: E402
from specchat.ui.widgets.theme import LIGHT  # noqa: E402
from specchat.ui.widgets.theme_service import current_theme, set_current_theme  # noqa: E402

for _wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals):
    # What comes at all comes soon, but not on a busy machine.
    _wait.__kwdefaults__ = {**(_wait.__kwdefaults__ or {}), "timeout": 60_000}


@pytest.fixture(autouse=True, scope="module")
def looks_as_before(qapp: QApplication) -> Iterator[None]:
    """What a window's look has changed in the application would change the windows of other files, and each look that
    is left would style all of it anew whenever the system's changes.
    """
    font, palette, style_sheet = qapp.font(), qapp.palette(), qapp.styleSheet()
    yield
    for look in qapp.findChildren(ThemeManager):
        shiboken6.delete(look)
    qapp.clipboard().clear()  # offscreen, Qt would delete what Python made after the end of the interpreter
    qapp.setFont(font)
    qapp.setPalette(palette)
    qapp.setStyleSheet(style_sheet)


@pytest.fixture(autouse=True)
def light_at_first() -> None:
    if current_theme() is not LIGHT:
        set_current_theme(LIGHT)


@pytest.fixture
def untranslated(qapp: QApplication) -> Iterator[QApplication]:
    locale = QLocale()
    yield qapp
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(locale)


@pytest.fixture
def settings_model(tmp_path: Path) -> SettingsModel:
    return make_settings_model(tmp_path)


@pytest.fixture
def choose_text_size(qapp: QApplication) -> Iterator[Callable[[int], None]]:
    """Widgets that keep fonts are still to be told, by `set_current_theme`."""
    before = qapp.font()

    def choose(pixels: int) -> None:
        font = QFont(before)
        font.setPixelSize(pixels)
        qapp.setFont(font)

    yield choose
    qapp.setFont(before)


@pytest.fixture
def make_engine() -> Callable[[], Engine]:
    def make() -> Engine:
        from support.known_loads import knowing_loader

        from specchat.services.engines.in_process import InProcessEngine

        return InProcessEngine(knowing_loader())

    return make


@pytest.fixture
def engine_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where a test can change what it does, and which starts sooner."""
    monkeypatch.setattr(Container, "engine_process", lambda parts, **_: parts.engine())


@pytest.fixture
def inference(qtbot: QtBot, tmp_path: Path, make_engine: Callable[[], Engine]) -> Iterator[Inference]:
    running = Inference(make_engine, lambda message: SqliteJournal(tmp_path / "chats.db", message), tmp_path)
    yield running
    running.close()

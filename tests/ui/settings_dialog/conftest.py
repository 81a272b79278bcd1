from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale
from pytestqt.qtbot import QtBot
from ui.settings_dialog.dialogs import LANGUAGES, PRESETS, SETTINGS

from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.settings_dialog import SettingsDialog
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    before = QLocale()
    QLocale.setDefault(QLocale("en_US"))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(LIGHT)
    qtbot.addWidget(made)
    made.show_conversation(SETTINGS, PRESETS)
    made.show_application(UiSettings(), LANGUAGES)
    made.open_at("conversation")
    qtbot.waitExposed(made)
    return made

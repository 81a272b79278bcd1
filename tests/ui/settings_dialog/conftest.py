import pytest
from pytestqt.qtbot import QtBot
from support.english import english_numbers as english_numbers
from ui.settings_dialog.dialogs import LANGUAGES, PRESETS, SETTINGS

from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.settings_dialog import SettingsDialog
from specchat.ui.widgets.theme import LIGHT


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog(LIGHT)
    qtbot.addWidget(made)
    made.show_conversation(SETTINGS, PRESETS)
    made.show_application(UiSettings(), LANGUAGES)
    made.open_at("conversation")
    qtbot.waitExposed(made)
    return made

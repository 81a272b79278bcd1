import pytest
from pytestqt.qtbot import QtBot
from support.english import english_numbers as english_numbers
from ui.settings_dialog.dialogs import LANGUAGES, PRESETS, SETTINGS

from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.settings_dialog import SettingsDialog


@pytest.fixture
def dialog(qtbot: QtBot) -> SettingsDialog:
    made = SettingsDialog()
    qtbot.addWidget(made)
    made.show_conversation_settings(SETTINGS, PRESETS)
    made.show_application_settings(ApplicationSettings(), LANGUAGES)
    made.open_page("conversation")
    qtbot.waitExposed(made)
    return made

import pytest
from pytestqt.qtbot import QtBot
from support.english import english_numbers as english_numbers
from ui.settings_dialog.dialogs import PRESETS, SETTINGS

from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.settings_dialog import SettingsDialog


@pytest.fixture
def dialog(qtbot: QtBot, settings_model: SettingsModel) -> SettingsDialog:
    made = SettingsDialog(settings_model)
    qtbot.addWidget(made)
    made.show_conversation_settings(SETTINGS, PRESETS)
    made.open_page("conversation")
    qtbot.waitExposed(made)
    return made

import pytest
from pytestqt.qtbot import QtBot
from support.english import english_numbers as english_numbers
from ui.settings.dialogs import PRESETS, SETTINGS

from specchat.ui.settings.page import SettingsPage
from specchat.ui.settings.settings_model import SettingsModel


@pytest.fixture
def dialog(qtbot: QtBot, settings_model: SettingsModel) -> SettingsPage:
    made = SettingsPage(settings_model)
    qtbot.addWidget(made)
    made.conversation_page.show_settings(SETTINGS, PRESETS)
    made.show()
    made.turn_to("conversation")
    qtbot.waitExposed(made)
    return made

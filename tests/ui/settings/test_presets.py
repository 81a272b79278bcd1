from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QInputDialog,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
)
from pytestqt.qtbot import QtBot
from ui.settings.dialogs import BALANCED, CAPTAIN, PRESETS, SETTINGS, changed, choose, find

from specchat.ui.settings.page import SettingsPage
from specchat.ui.settings.preset import Preset
from specchat.ui.widgets.style_sheet import style_sheet
from specchat.ui.widgets.theme import LIGHT


def test_a_preset_sets_everything(qtbot: QtBot, dialog: SettingsPage) -> None:
    presets = find(dialog, QComboBox, "presetChoice")
    assert presets.currentText() == "Custom"
    settings = changed(qtbot, dialog, lambda: choose(presets, "Captain"))
    assert settings == replace(CAPTAIN.settings, preset="Captain")
    assert presets.currentText() == "Captain"
    assert presets.findText("Custom") == -1
    assert find(dialog, QPlainTextEdit, "systemPrompt").toPlainText() == "You are a captain."


def test_changed_settings_are_no_preset_any_more(qtbot: QtBot, dialog: SettingsPage) -> None:
    dialog.conversation_page.show_settings(replace(CAPTAIN.settings, preset="Captain"), PRESETS)
    presets = find(dialog, QComboBox, "presetChoice")
    assert presets.currentText() == "Captain"
    temperature = find(dialog, QDoubleSpinBox, "temperature")
    assert changed(qtbot, dialog, lambda: temperature.setValue(0.2)).preset == ""
    assert presets.currentText() == "Custom"
    assert changed(qtbot, dialog, lambda: temperature.setValue(1.5)).preset == "Captain"


def save_as(dialog: SettingsPage, name: str) -> None:
    find(dialog, QPushButton, "savePreset").click()
    asked = find(dialog, QInputDialog, "presetName")
    asked.setTextValue(name)
    asked.accept()


def test_saving_a_preset(qtbot: QtBot, dialog: SettingsPage) -> None:
    with (
        qtbot.waitSignal(dialog.conversation_page.preset_saved) as saved,
        qtbot.waitSignal(dialog.conversation_page.changed) as told,
    ):
        save_as(dialog, "  My   own ")
    settings = replace(SETTINGS, preset="My own")
    assert saved.args == [Preset("My own", settings)]
    assert told.args == [settings]
    dialog.conversation_page.show_settings(settings, (*PRESETS, Preset("My own", settings)))
    assert find(dialog, QComboBox, "presetChoice").currentText() == "My own"


def test_the_question_for_a_name_looks_like_the_other_dialogs(dialog: SettingsPage) -> None:
    dialog.setStyleSheet(style_sheet(LIGHT))
    find(dialog, QPushButton, "savePreset").click()
    asked = find(dialog, QInputDialog, "presetName")
    buttons = asked.findChildren(QPushButton)
    assert [button.icon().isNull() for button in buttons] == [True, True]
    assert [button.sizeHint().height() for button in buttons] == [32, 32]
    assert [button.property("primary") for button in buttons] == [True, None]
    assert asked.sizeHint().width() > 320


def test_a_name_ends_where_it_would_be_cut(dialog: SettingsPage) -> None:
    find(dialog, QPushButton, "savePreset").click()
    asked = find(dialog, QInputDialog, "presetName")
    QTest.keyClicks(asked.findChildren(QLineEdit)[0], "x" * 70)
    assert asked.textValue() == "x" * 60


def test_a_preset_needs_a_name(qtbot: QtBot, dialog: SettingsPage) -> None:
    with qtbot.assertNotEmitted(dialog.conversation_page.preset_saved):
        save_as(dialog, "   ")


@pytest.mark.parametrize("name", ["balanced ", "Balanced", ""])
def test_a_name_that_cannot_be_is_not_taken(qtbot: QtBot, dialog: SettingsPage, name: str) -> None:
    """It is told while it is typed."""
    find(dialog, QPushButton, "savePreset").click()
    asked = find(dialog, QInputDialog, "presetName")
    field, save = asked.findChildren(QLineEdit)[0], asked.findChildren(QPushButton)[0]
    field.setText("Mine")
    assert save.isEnabled()
    assert asked.labelText() == "Preset name"
    size = asked.sizeHint()
    field.setText(name)
    assert not save.isEnabled()
    assert asked.labelText() == ("Built-in presets can't be replaced. Choose another name." if name else "Preset name")
    assert asked.sizeHint() == size
    with qtbot.assertNotEmitted(dialog.conversation_page.preset_saved):
        QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_name_of_a_preset_that_comes_with_specchat_is_not_proposed(dialog: SettingsPage) -> None:
    dialog.conversation_page.show_settings(BALANCED.settings, PRESETS)
    find(dialog, QPushButton, "savePreset").click()
    assert find(dialog, QInputDialog, "presetName").textValue() == ""


def test_deleting_a_preset(qtbot: QtBot, dialog: SettingsPage) -> None:
    delete = find(dialog, QToolButton, "deletePreset")
    assert not delete.isEnabled()
    dialog.conversation_page.show_settings(BALANCED.settings, PRESETS)
    assert not delete.isEnabled()
    dialog.conversation_page.show_settings(CAPTAIN.settings, PRESETS)
    with qtbot.waitSignal(dialog.conversation_page.preset_bar.deleted) as deleted:
        delete.click()
    assert deleted.args == ["Captain"]

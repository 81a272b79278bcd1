import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot
from ui.settings.dialogs import CAPTAIN, PRESETS, SETTINGS, changed, choose, find, type_into

from specchat.domain.connections import Capability
from specchat.domain.conversations import RANDOM_SEED
from specchat.domain.embeddings import Purpose
from specchat.domain.types import Reasoning
from specchat.services.answers.reasoning_switch import NO_EFFORT, NO_SWITCH
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.application_settings import ApplicationSettings, TextSize, ThemeChoice
from specchat.ui.settings.page import SettingsPage
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.tab_bar import TabBar
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

# This conversation


def test_showing_settings_changes_none(qtbot: QtBot, dialog: SettingsPage) -> None:
    with qtbot.assertNotEmitted(dialog.conversation_page.changed):
        dialog.conversation_page.show_settings(CAPTAIN.settings, PRESETS)
    assert find(dialog, QPlainTextEdit, "systemPrompt").toPlainText() == "You are a captain."
    assert find(dialog, QDoubleSpinBox, "temperature").text() == "1.50"
    assert find(dialog, QSpinBox, "answerLength").text() == "No limit"
    assert find(dialog, QLineEdit, "seed").text() == "0"


@pytest.mark.parametrize(
    ("name", "value", "sampling"),
    [
        ("temperature", 0.0, {"temperature": 0.0}),
        ("topP", 0.5, {"top_p": 0.5}),
        ("minP", 0.02, {"min_p": 0.02}),
        ("repeatPenalty", 1.15, {"repeat_penalty": 1.15}),
    ],
)
def test_sampling(qtbot: QtBot, dialog: SettingsPage, name: str, value: float, sampling: dict[str, float]) -> None:
    field = find(dialog, QDoubleSpinBox, name)
    settings = changed(qtbot, dialog, lambda: field.setValue(value))
    assert settings == replace(SETTINGS, sampling=replace(SETTINGS.sampling, **sampling))  # type: ignore[arg-type]


def test_reasoning(qtbot: QtBot, dialog: SettingsPage) -> None:
    field, page = find(dialog, QComboBox, "reasoning"), dialog.conversation_page

    def shown() -> list[str]:
        return [field.itemText(place) for place in range(field.count())]

    assert shown() == ["Model default", "Off", "On", "Low", "Medium", "High"]
    assert changed(qtbot, dialog, lambda: field.setCurrentIndex(3)).reasoning is Reasoning.LOW
    page.show_lacks({Capability.REASONING_EFFORT: NO_EFFORT})
    assert (shown(), field.currentText()) == (["Model default", "Off", "On", "Low"], "Low")
    page.show_lacks({Capability.REASONING: NO_SWITCH, Capability.REASONING_EFFORT: NO_EFFORT})
    assert (field.isEnabled(), field.accessibleDescription()) == (False, str(NO_SWITCH))
    page.show_lacks({Capability.REASONING: NO_SWITCH})
    assert (shown(), field.isEnabled()) == (["Model default", "Low", "Medium", "High"], True)
    assert field.accessibleDescription() == "Whether the model thinks before it answers."


def test_candidates_and_length(qtbot: QtBot, dialog: SettingsPage) -> None:
    top_k, length = find(dialog, QSpinBox, "topK"), find(dialog, QSpinBox, "answerLength")
    assert length.text() == "100 tokens"
    assert changed(qtbot, dialog, lambda: top_k.setValue(0)).sampling.top_k == 0
    assert top_k.text() == "All"
    assert changed(qtbot, dialog, lambda: length.setValue(0)).max_tokens is None


def test_at_temperature_0_there_is_nothing_to_choose_from(dialog: SettingsPage) -> None:
    temperature = find(dialog, QDoubleSpinBox, "temperature")
    fields = [find(dialog, QAbstractSpinBox, name) for name in ("topK", "topP", "minP", "repeatPenalty")]
    for value, enabled in ((0.0, [False, False, False, True]), (0.8, [True] * 4)):
        temperature.setValue(value)
        assert [field.isEnabled() for field in fields] == enabled
    dialog.conversation_page.show_settings(replace(SETTINGS, sampling=replace(SETTINGS.sampling, temperature=0.0)))
    assert not fields[0].isEnabled()


def test_tab_reaches_a_field_that_the_typed_temperature_enables(qtbot: QtBot, dialog: SettingsPage) -> None:
    temperature = find(dialog, QDoubleSpinBox, "temperature")
    temperature.setValue(0.0)
    with qtbot.waitExposed(dialog):
        dialog.show()
    temperature.setFocus()
    temperature.selectAll()
    QTest.keyClicks(temperature, temperature.locale().toString(0.7, "f", 1))
    QTest.keyClick(temperature, Qt.Key.Key_Tab)
    assert find(dialog, QSpinBox, "topK").hasFocus()


def test_what_each_field_does_stands_beside_it(dialog: SettingsPage) -> None:
    shown = [label.text() for label in dialog.conversation_page.findChildren(QLabel)]
    for name in ("temperature", "topK", "topP", "minP", "repeatPenalty", "answerLength", "seed"):
        field = find(dialog, QWidget, name)
        assert field.accessibleDescription()
        assert field.accessibleDescription() in shown


def test_a_number_counts_when_it_is_typed_whole(qtbot: QtBot, dialog: SettingsPage) -> None:
    top_k = find(dialog, QSpinBox, "topK")
    with qtbot.assertNotEmitted(dialog.conversation_page.changed):
        type_into(top_k, "125")
    assert changed(qtbot, dialog, lambda: QTest.keyClick(top_k, Qt.Key.Key_Tab)).sampling.top_k == 125


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("point", [",", "."])
def test_a_comma_is_as_good_as_a_point(qtbot: QtBot, settings_model: SettingsModel, language: str, point: str) -> None:
    QLocale.setDefault(QLocale(language))
    made = SettingsPage(settings_model)
    qtbot.addWidget(made)
    made.conversation_page.show_settings(SETTINGS, PRESETS)
    made.show()
    made.turn_to("conversation")
    qtbot.waitUntil(made.isActiveWindow)
    temperature = find(made, QDoubleSpinBox, "temperature")
    type_into(temperature, f"0{point}75")
    assert changed(qtbot, made, lambda: QTest.keyClick(temperature, Qt.Key.Key_Tab)).sampling.temperature == 0.75


def test_what_is_out_of_range_becomes_what_is_nearest(qtbot: QtBot, dialog: SettingsPage) -> None:
    temperature, length = find(dialog, QDoubleSpinBox, "temperature"), find(dialog, QSpinBox, "answerLength")
    type_into(temperature, "9999")
    assert temperature.text() == "9999"
    assert changed(qtbot, dialog, lambda: QTest.keyClick(temperature, Qt.Key.Key_Tab)).sampling.temperature == 100.0
    assert temperature.text() == "100.00", "as in the terminal"
    type_into(length, "999999999")
    assert changed(qtbot, dialog, lambda: QTest.keyClick(length, Qt.Key.Key_Tab)).max_tokens == length.maximum()
    assert length.text() == "1,048,576 tokens"


@pytest.mark.parametrize("typed", ["20000", "20,000"])
def test_thousands_are_set_apart(qtbot: QtBot, dialog: SettingsPage, typed: str) -> None:
    length = find(dialog, QSpinBox, "answerLength")
    type_into(length, typed)
    assert changed(qtbot, dialog, lambda: QTest.keyClick(length, Qt.Key.Key_Tab)).max_tokens == 20_000
    assert length.text() == "20,000 tokens"


def test_seeds(qtbot: QtBot, dialog: SettingsPage) -> None:
    seed, random = find(dialog, QLineEdit, "seed"), find(dialog, QCheckBox, "randomSeed")
    assert (seed.text(), seed.isEnabled(), random.isChecked()) == ("7", True, False)
    type_into(seed, "x12345678901234567890")
    assert seed.text() == "123456789012345678"
    settings = changed(qtbot, dialog, lambda: QTest.keyClick(seed, Qt.Key.Key_Return))
    assert settings.sampling.seed == 123456789012345678
    assert changed(qtbot, dialog, random.click).sampling.seed == RANDOM_SEED
    assert not seed.isEnabled()
    assert changed(qtbot, dialog, random.click).sampling.seed == 123456789012345678
    assert seed.isEnabled()


def test_the_system_prompt_counts_when_its_field_is_left(qtbot: QtBot, dialog: SettingsPage) -> None:
    prompt = find(dialog, QPlainTextEdit, "systemPrompt")
    with qtbot.assertNotEmitted(dialog.conversation_page.changed):
        type_into(prompt, "Be long.")
    settings = changed(qtbot, dialog, lambda: QTest.keyClick(prompt, Qt.Key.Key_Tab))
    assert settings == replace(SETTINGS, system_prompt="Be long.")


def test_nothing_typed_is_lost_when_the_page_is_left(qtbot: QtBot, dialog: SettingsPage) -> None:
    prompt = find(dialog, QPlainTextEdit, "systemPrompt")
    type_into(prompt, "Be long.")
    assert changed(qtbot, dialog, dialog.hide).system_prompt == "Be long."


def test_without_a_conversation(dialog: SettingsPage) -> None:
    dialog.conversation_page.show_settings(None)
    assert not find(dialog, QPlainTextEdit, "systemPrompt").isVisible()
    dialog.conversation_page.show_settings(SETTINGS)
    assert find(dialog, QPlainTextEdit, "systemPrompt").isVisible()


@pytest.mark.parametrize("name", ["answerLength", "temperature", "topK"])
def test_a_space_empties_no_field(dialog: SettingsPage, name: str) -> None:
    box = find(dialog, QAbstractSpinBox, name)
    type_into(box, "1")
    before = box.text()
    assert "1" in before
    type_into(box, " ")
    assert box.text() == before
    type_into(box, "2")
    assert "2" in box.text()


def test_an_empty_seed_is_0(qtbot: QtBot, dialog: SettingsPage) -> None:
    dialog.conversation_page.show_settings(SETTINGS, PRESETS)
    find(dialog, QCheckBox, "randomSeed").setChecked(False)
    seed = find(dialog, QLineEdit, "seed")
    type_into(seed, "7")
    seed.setFocus()
    seed.clear()
    settings = changed(qtbot, dialog, lambda: QTest.keyClick(seed, Qt.Key.Key_Return))
    assert settings.sampling.seed == 0


# The application


def test_settings_of_the_application(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    def told(do: Callable[[], object]) -> ApplicationSettings:
        do()
        return settings_model.value

    dialog.show()
    dialog.turn_to("application")
    assert told(lambda: choose(find(dialog, QComboBox, "themeChoice"), "Dark")).theme is ThemeChoice.DARK
    assert told(lambda: choose(find(dialog, QComboBox, "textSize"), "Large")).text_size is TextSize.LARGE
    assert told(lambda: choose(find(dialog, QComboBox, "language"), "Deutsch")).language == "de"
    assert told(find(dialog, QCheckBox, "showOverlay").click).show_overlay is False
    settings = told(find(dialog, QCheckBox, "colourTokens").click)
    assert settings == ApplicationSettings(
        ThemeChoice.DARK, TextSize.LARGE, "de", show_overlay=False, colour_tokens=True
    )
    assert told(lambda: choose(find(dialog, QComboBox, "language"), "System default")).language == ""


def test_notes_beside_fields_are_whole(dialog: SettingsPage, qtbot: QtBot) -> None:
    """Also in few columns, as with large text or in another language."""
    dialog.turn_to("application")
    dialog.resize(420, 700)
    notes = [label for label in dialog.application_page.findChildren(QLabel) if label.wordWrap()]
    qtbot.waitUntil(lambda: all(note.height() >= note.heightForWidth(note.width()) for note in notes))
    assert any(note.height() > 2 * note.fontMetrics().height() for note in notes)


def test_a_language_that_is_not_there_stays(dialog: SettingsPage, settings_model: SettingsModel) -> None:
    settings_model.change(ApplicationSettings(language="fr"))
    find(dialog, QCheckBox, "showOverlay").click()
    assert settings_model.value == ApplicationSettings(language="fr", show_overlay=False)


# All of it


def test_documents_are_searched_by_meaning_with_a_model_for_it(
    dialog: SettingsPage, settings_model: SettingsModel
) -> None:
    box = find(dialog, QComboBox, "embeddingModel")
    assert (box.count(), box.currentText()) == (1, "Off")
    embedder = LocalModel(Path("/models/nomic.gguf"), "Nomic", purpose=Purpose.EMBEDDINGS)
    dialog.application_page.show_models([embedder, LocalModel(Path("/models/sea.gguf"), "Sea")])
    assert [box.itemText(n) for n in range(box.count())] == ["Off", "Nomic"]
    choose(box, "Nomic")
    assert settings_model.value.embedding_model == str(embedder.path)
    dialog.application_page.show_models([])
    assert box.currentText() == "nomic.gguf"
    choose(box, "Off")
    assert settings_model.value.embedding_model == ""


def test_pages_by_keyboard(dialog: SettingsPage) -> None:
    tabs = find(dialog, QTabBar, "settingsTabs")
    tabs.setFocus()
    QTest.keyClick(tabs, Qt.Key.Key_Right)
    assert find(dialog, QComboBox, "themeChoice").isVisible()


@pytest.mark.parametrize(
    ("page", "field"),
    [
        ("conversation", "presetChoice"),
        ("application", "themeChoice"),
        ("hub", "hubToken"),
    ],
)
def test_the_keyboard_starts_at_the_first_field(dialog: SettingsPage, page: str, field: str) -> None:
    dialog.turn_to(page)
    assert dialog.focusWidget() is find(dialog, QWidget, field)


def test_the_wheel_changes_no_field(qtbot: QtBot, dialog: SettingsPage) -> None:
    with qtbot.assertNotEmitted(dialog.conversation_page.changed):
        for name in ("temperature", "topK", "presetChoice"):
            field = find(dialog, QWidget, name)
            place = QPointF(10, 10)
            event = QWheelEvent(
                place,
                place,
                QPoint(),
                QPoint(0, 120),
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(field, event)


def test_everything_has_a_name(dialog: SettingsPage) -> None:
    assert dialog.accessibleName() == dialog.windowTitle() == "Settings"
    for kind in (QComboBox, QSpinBox, QDoubleSpinBox, QCheckBox, QPlainTextEdit):
        for field in dialog.findChildren(kind):
            assert field.objectName()
            assert field.accessibleName(), field.objectName()


def test_themes(dialog: SettingsPage) -> None:
    light = dialog.grab().toImage()
    set_current_theme(DARK)
    assert dialog.grab().toImage() != light


def test_it_costs_nothing_to_import() -> None:
    script = "import sys, specchat.ui.settings.page; print({'llama_cpp', 'numpy', 'jinja2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_tabs_turn_in_a_circle(dialog: SettingsPage) -> None:
    tabs = dialog.findChild(QTabBar, "settingsTabs")
    assert isinstance(tabs, TabBar)
    seen = []
    for step in (1, 1, -1, -1, -1):
        tabs.turn(step)
        seen.append(tabs.currentIndex())
    assert seen == [1, 2, 1, 0, 4]

import sys

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from ui.pair.examples import DRAFTS, MODELS, fit_of
from ui.pair.pickers import CHOICE, find

from specchat.services.models.pair_fit import Fit
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.shortcuts import NEW_CHAT, translate_shortcut
from specchat.ui.window.shortcuts_dialog import ShortcutsDialog
from specchat.ui.words.installed_languages import available_languages, install_translation


def test_the_languages_in_their_own_words() -> None:
    assert available_languages() == {"en": "English", "de": "Deutsch"}


def test_our_words_and_qts_own_are_translated(qtbot: QtBot, untranslated: QApplication) -> None:
    assert install_translation(untranslated, "de") == "de"
    dialog = ShortcutsDialog()
    qtbot.addWidget(dialog)
    assert dialog.windowTitle() == "Tastenkürzel"
    assert translate_shortcut(NEW_CHAT.text) == "Neuer Chat"
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(buttons)
    assert [button.text() for button in buttons.findChildren(QPushButton)] == ["Abbrechen"]


def test_numbers_are_written_as_in_the_language_chosen(untranslated: QApplication) -> None:
    install_translation(untranslated, "de")
    assert QLocale().toString(1234.5, "f", 1) == "1.234,5"
    install_translation(untranslated, "en")
    assert QLocale().toString(1234.5, "f", 1) == "1,234.5"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pickers_buttons_have_room_for_their_words(qtbot: QtBot, untranslated: QApplication, language: str) -> None:
    """Also where loading is warned of, or ends an answer."""
    ThemeManager(untranslated)
    install_translation(untranslated, language)
    window = QWidget()
    qtbot.addWidget(window)
    picker = PairPicker(window)
    picker.show_models(MODELS)
    picker.show_choice(CHOICE, DRAFTS)
    picker.open_below(window)
    for fit in (Fit.DOES_NOT_FIT, Fit.FITS):
        picker.show_fit(CHOICE, fit_of(fit))
        picker.show_answering(2)
        QApplication.processEvents()
        for name in ("findModelsButton", "addModelButton", "measureButton", "loadButton"):
            button = find(picker, QPushButton, name)
            assert button.width() >= button.sizeHint().width(), button.text()


def test_back_to_english(qtbot: QtBot, untranslated: QApplication) -> None:
    install_translation(untranslated, "de")
    assert install_translation(untranslated, "en") == "en"
    assert translate_shortcut(NEW_CHAT.text) == "New chat"


def test_a_language_that_is_not_there_is_the_systems(untranslated: QApplication) -> None:
    assert install_translation(untranslated, "xx") == install_translation(untranslated)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system's language is no variable there")
@pytest.mark.parametrize(("system", "language"), [("de_AT.UTF-8", "de"), ("fr_FR.UTF-8", "en"), ("C", "en")])
def test_the_system_decides(
    untranslated: QApplication, monkeypatch: pytest.MonkeyPatch, system: str, language: str
) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", system)
    assert install_translation(untranslated) == language

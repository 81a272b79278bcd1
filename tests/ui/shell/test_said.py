from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Answer
from specchat.domain.errors import NO_MODEL, ModelFileError, UserError
from specchat.domain.guessing import Failed, Off
from specchat.domain.said import Said
from specchat.domain.types import GenerationStats
from specchat.gguf.faults import damaged
from specchat.services.models.pair_values import DraftOption, DraftVerdict, ShelfModel
from specchat.ui.overlay.words import footer, reason_words
from specchat.ui.picker.rows import RowWords
from specchat.ui.widgets.problem import Problem
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.words.said import in_words
from specchat.ui.words.translation import install_translation

MODEL = ShelfModel(Path("a.gguf"), "a", problems=(Said("The part {name} is missing.", name="b.gguf"),))


@pytest.fixture
def german(untranslated: QApplication) -> QApplication:
    install_translation(untranslated, "de")
    return untranslated


def test_in_english_it_is_the_text_without_options_of_commands() -> None:
    error = UserError("{name} is full (-c {n}).", "Use a larger context (-c {n}), or less text.", name="(-x)", n=8)
    assert (in_words(error.message), in_words(error.hint)) == ("(-x) is full.", "Use a larger context, or less text.")
    assert in_words(Said("The ordinary (little-endian) version.")) == "The ordinary (little-endian) version."


def test_text_that_no_service_said_stays(german: QApplication) -> None:
    for text in ("Nichts davon: {name}", ""):
        assert in_words(text) == text


def test_a_value_is_translated_where_it_was_said_itself(german: QApplication) -> None:
    error = damaged("{key}.gguf", "{key} is not a text", key="The path {what}.")
    assert error.message == "{key}.gguf is damaged: The path {what}. is not a text."
    assert in_words(error.message) == "{key}.gguf ist beschädigt: The path {what}. ist kein Text."
    assert in_words(error.hint) == "Die Datei neu herunterladen."
    as_text = Said("{name}: {reason}", name="a", reason="Try again.")
    assert in_words(as_text) == "a: Try again."


def test_problems_are_told_in_the_windows_language(qtbot: QtBot, german: QApplication) -> None:
    problem = Problem(LIGHT)
    qtbot.addWidget(problem)
    problem.show_error(ModelFileError("There is no file {path}.", "Check the path.", path=Path("ä.gguf")))
    shown = [problem.findChild(QTextEdit, name) for name in ("problemMessage", "problemHint")]
    assert [text.toPlainText() for text in shown if text] == ["Es gibt keine Datei ä.gguf.", "Den Pfad prüfen."]
    assert problem.accessibleName() == "Es gibt keine Datei ä.gguf."


def test_why_a_model_cannot_be_chosen(german: QApplication) -> None:
    words = RowWords()
    assert words.target(MODEL).line == "Der Teil b.gguf fehlt."
    option = DraftOption("model", MODEL, DraftVerdict.TOO_LARGE, Said("It is not smaller than the target."))
    assert words.draft(option).line == "Es ist nicht kleiner als das Ziel."


def test_that_no_model_is_loaded(german: QApplication) -> None:
    assert in_words(NO_MODEL) == "Kein Modell ist geladen."


def test_why_nothing_was_guessed_in_a_kept_answer(german: QApplication) -> None:
    stats = GenerationStats(n_generated=2, speculation="off: draft length is 0")
    assert reason_words(Off.NO_LENGTH) in footer(Answer("t", stats=stats))
    assert reason_words(Off.NO_LENGTH) == "ihre Zahl steht auf 0"


def test_why_a_drafter_failed(german: QApplication) -> None:
    numbers = "The model computed values that are not numbers."
    failed = "der Entwurf ist gescheitert: Das Modell hat Werte berechnet, die keine Zahlen sind."
    assert reason_words(Failed(numbers)) == failed
    assert reason_words(Failed("no {x}", "oracle")) == "die Vorschlagsart oracle ist gescheitert: no {x}"

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import Answer
from specchat.domain.errors import NO_MODEL, ModelFileError, UserError
from specchat.domain.speculation_status import DrafterFailure, SpeculationOff
from specchat.domain.translatable_text import TranslatableText, with_decimals
from specchat.domain.types import GenerationStats
from specchat.gguf.file_errors import damaged_file_error
from specchat.services.models.pair_fit import DraftOption, DraftVerdict, LocalModel
from specchat.ui.overlay.stats_text import answer_footer, reason_text
from specchat.ui.pair.choice_rows import ChoiceRowBuilder
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.words.installed_languages import install_translation
from specchat.ui.words.message_translation import translate_text

MODEL = LocalModel(Path("a.gguf"), "a", problems=(TranslatableText("The part {name} is missing.", name="b.gguf"),))


@pytest.fixture
def german(untranslated: QApplication) -> QApplication:
    install_translation(untranslated, "de")
    return untranslated


def test_in_english_it_is_the_text_without_options_of_commands() -> None:
    error = UserError("{name} is full (-c {n}).", "Use a larger context (-c {n}), or less text.", name="(-x)", n=8)
    assert (translate_text(error.message), translate_text(error.hint)) == (
        "(-x) is full.",
        "Use a larger context, or less text.",
    )
    assert (
        translate_text(TranslatableText("The ordinary (little-endian) version."))
        == "The ordinary (little-endian) version."
    )


def test_text_that_no_service_said_stays(german: QApplication) -> None:
    for text in ("Nichts davon: {name}", ""):
        assert translate_text(text) == text


def test_a_value_is_translated_where_it_was_said_itself(german: QApplication) -> None:
    error = damaged_file_error("{key}.gguf", "{key} is not a string", key="The path {what}.")
    assert error.message == "{key}.gguf is damaged: The path {what}. is not a string."
    assert translate_text(error.message) == "{key}.gguf ist beschädigt: The path {what}. ist keine Zeichenkette."
    assert translate_text(error.hint) == "Laden Sie die Datei neu herunter."
    as_text = TranslatableText("{name}: {reason}", name="a", reason="Try again.")
    assert translate_text(as_text) == "a: Try again."


def test_a_decimal_has_the_languages_separator(german: QApplication) -> None:
    assert (
        translate_text(TranslatableText("about {times}× as fast", times=with_decimals(2.4, 1)))
        == "etwa 2,4-mal so schnell"
    )


def test_problems_are_told_in_the_windows_language(qtbot: QtBot, german: QApplication) -> None:
    problem = ErrorCard()
    qtbot.addWidget(problem)
    problem.show_error(ModelFileError("File not found: {path}.", "Check the path.", path=Path("ä.gguf")))
    shown = [problem.findChild(QTextEdit, name) for name in ("problemMessage", "problemHint")]
    assert [text.toPlainText() for text in shown if text] == ["Datei nicht gefunden: ä.gguf.", "Prüfen Sie den Pfad."]
    assert problem.accessibleName() == "Datei nicht gefunden: ä.gguf."


def test_why_a_model_cannot_be_chosen(german: QApplication) -> None:
    words = ChoiceRowBuilder()
    assert words.target_row(MODEL).line == "Der Teil b.gguf fehlt."
    option = DraftOption("model", MODEL, DraftVerdict.TOO_LARGE, TranslatableText("It is not smaller than the target."))
    assert words.draft_row(option).line == "Es ist nicht kleiner als das Ziel."


def test_that_no_model_is_loaded(german: QApplication) -> None:
    assert translate_text(NO_MODEL) == "Es ist kein Modell geladen."


def test_why_nothing_was_guessed_in_a_kept_answer(german: QApplication) -> None:
    stats = GenerationStats(n_generated=2, speculation="off: the number of guesses is 0")
    assert reason_text(SpeculationOff.NO_LENGTH) in answer_footer(Answer("t", stats=stats))
    assert reason_text(SpeculationOff.NO_LENGTH) == "die Zahl der Vorschläge ist 0"


def test_why_a_drafter_failed(german: QApplication) -> None:
    numbers = "The model produced invalid values (NaN)."
    failed = "der Entwurf ist fehlgeschlagen: Das Modell hat ungültige Werte (NaN) berechnet."
    assert reason_text(DrafterFailure(numbers)) == failed
    assert reason_text(DrafterFailure("no {x}", "oracle")) == "die Vorschlagsart oracle ist fehlgeschlagen: no {x}"

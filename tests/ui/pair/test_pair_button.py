import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from specchat.ui.pair.pair_button import PairButton, PairButtonState
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

LONG = "A model whose name goes on and on and on and on and on"


@pytest.fixture
def button(qtbot: QtBot) -> PairButton:
    made = PairButton()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("state", "spoken"),
    [
        (PairButtonState(), "Choose a model"),
        (
            PairButtonState("Sea 7B", "Sea 1B"),
            "Target: Sea 7B. Draft: Sea 1B. Guesses per pass: auto. Choose models",
        ),
        (
            PairButtonState("Sea 7B", "Sea 1B", 4),
            "Target: Sea 7B. Draft: Sea 1B. Guesses per pass: up to 4. Choose models",
        ),
        (
            PairButtonState("Sea 7B", "Sea 1B", 4, "not exact: why"),
            "Target: Sea 7B. Draft: Sea 1B. Guesses per pass: up to 4. Answers: not exact: why. Choose models",
        ),
        (
            PairButtonState("Sea 7B", why_one_answer="why"),
            "Target: Sea 7B. Draft: none. Answers one chat at a time: why. Choose models",
        ),
        (PairButtonState("Sea 7B"), "Target: Sea 7B. Draft: none. Choose models"),
        (
            PairButtonState("Sea 7B", is_unloaded=True),
            "Target: Sea 7B. Draft: none. Not loaded until your next message. Choose models",
        ),
        (
            PairButtonState("Sea 7B", engine="box", engine_kind="llama-server"),
            "Model: Sea 7B, served by box (llama-server). Choose models",
        ),
        (PairButtonState("Sea 7B", engine="vLLM"), "Model: Sea 7B, served by vLLM. Choose models"),
        (PairButtonState("Sea 7B", loading=0.42), "Loading Sea 7B 42\u00a0%"),
        (PairButtonState("Sea 7B", loading=1.7), "Loading Sea 7B 100\u00a0%"),
        (PairButtonState("Sea 7B", measuring=(0, 0)), "Sea 7B · measuring. Opens the benchmark"),
        (PairButtonState("Sea 7B", measuring=(14, 45)), "Sea 7B · measuring 15 of 45. Opens the benchmark"),
        (PairButtonState(measuring=(45, 45)), "measuring 45 of 45. Opens the benchmark"),
    ],
)
def test_it_says_what_is_loaded(button: PairButton, state: PairButtonState, spoken: str) -> None:
    button.show_state(state)
    assert button.accessibleName() == spoken
    assert button.toolTip().replace("\n", " ") == spoken
    assert button.objectName() == "pairButton"


def test_a_fixed_number_of_guesses_is_seen(button: PairButton) -> None:
    button.show_state(PairButtonState("Sea 7B", "Sea 1B"))
    width = button.sizeHint().width()
    button.show_state(PairButtonState("Sea 7B", "Sea 1B", 4))
    assert button._words()[1] == " + Sea 1B · up to 4 guesses"
    assert button.sizeHint().width() > width


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (PairButtonState("Sea 7B", "Sea 1B", exactness="exact"), " + Sea 1B · exact"),
        (PairButtonState("Sea 7B", "Sea 1B", 4, "not exact: why"), " + Sea 1B · up to 4 guesses · not exact"),
        (PairButtonState("Sea 7B", most_guesses=4, exactness="exact"), " · exact"),
    ],
)
def test_exact_mode_is_seen(button: PairButton, state: PairButtonState, words: str) -> None:
    button.show_state(state)
    assert button._words() == ("Sea 7B", words)


def test_names_are_shortened_where_they_are_too_long_alone(button: PairButton) -> None:
    button.show_state(PairButtonState(LONG, LONG, 4))
    first, second = button._fitting(400)
    assert "…" in first
    assert second.startswith(" + A m")
    assert second.endswith("and on"), "up to 4 of what, nobody knew"
    assert button._width(first + second) <= 400


def test_where_names_have_hardly_room_they_have_all_of_it(button: PairButton) -> None:
    button.show_state(PairButtonState("Grown target", "Mediocre", 4))
    first, second = button._fitting(150)
    assert "up to" not in second
    assert second.startswith(" + M")
    assert button._width(first + second) <= 151
    assert button._fitting(600)[1] == " + Mediocre · up to 4 guesses"


def test_a_long_name_of_an_engine_leaves_room_for_the_model(button: PairButton) -> None:
    button.show_state(PairButtonState("Sea 7B", engine="box", engine_kind="llama-server"))
    assert button._words() == ("Sea 7B", " · box")
    button.show_state(PairButtonState("Sea 7B", engine=LONG))
    assert "…" in button._words()[1]
    assert LONG in button.accessibleName()


def test_nothing_moves_while_it_loads(button: PairButton) -> None:
    button.show_state(PairButtonState("Sea 7B", loading=0.0))
    width = button.sizeHint().width()
    for done in (0.07, 0.5, 1.0):
        button.show_state(PairButtonState("Sea 7B", loading=done))
        assert button.sizeHint().width() == width


def test_long_names_stay_within_limits(button: PairButton) -> None:
    button.show_state(PairButtonState(LONG, LONG))
    assert button.sizeHint().width() == button.maximumWidth()
    for state in (
        PairButtonState(LONG, LONG),
        PairButtonState(LONG),
        PairButtonState("Sea", LONG),
        PairButtonState(LONG, loading=0.3),
    ):
        button.show_state(state)
        for width in (button.minimumSizeHint().width(), button.maximumWidth()):
            button.resize(width, button.height())
            button.grab()


def test_what_is_cut_is_the_middle_of_a_name(button: PairButton) -> None:
    button.show_state(PairButtonState(LONG, loading=0.5))
    words = button._shortened(f"Loading {LONG}", LONG, 250)
    assert words.startswith("Loading A m")
    assert words.endswith("and on")
    assert "…" in words


def test_themes(button: PairButton) -> None:
    button.show_state(PairButtonState("Sea 7B", "Sea 1B"))
    light = button.grab().toImage()
    set_current_theme(DARK)
    assert button.grab().toImage() != light


def test_a_click_is_a_click(qtbot: QtBot, button: PairButton) -> None:
    with qtbot.waitSignal(button.clicked):
        QTest.keyClick(button, Qt.Key.Key_Space)

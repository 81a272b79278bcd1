"""Models of other engines in the picker."""

from PySide6.QtWidgets import QComboBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from support.engine_scenes import BOX, ENTRIES, OF_BOX, STUDIO
from ui.pair.examples import MODELS, TARGET
from ui.pair.pickers import find, pick, titles

from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.ui.pair.pair_picker import PairPicker

IN_BOX = ServedModel(BOX, OF_BOX.models[0].id)


def test_they_stand_below_the_names_of_their_engines(picker: PairPicker) -> None:
    before = titles(picker, "targetList")
    picker.show_engines(ENTRIES)
    assert titles(picker, "targetList")[len(before) :] == [
        "studio",
        "qwen2.5-coder-7b-instruct",
        "llama-3.2-3b-instruct",
        "box in the next room",
        "Meta-Llama-3.1-70B-Instruct-Q4_K_M.gguf",
        "rack",
        "ollama",
    ]


def test_what_the_engine_decides_is_not_asked_here(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_engines(ENTRIES)
    pick(picker, "targetList", IN_BOX)
    notes, measure = find(picker, QWidget, "engineNotes"), find(picker, QPushButton, "measureButton")
    assert notes.isVisible()
    assert "is not encrypted" in notes.accessibleDescription()
    assert not find(picker, QComboBox, "contextSize").isVisible()
    assert (measure.isEnabled(), "specchat bench --engine" in measure.accessibleDescription()) == (False, True)
    with qtbot.waitSignal(picker.load_requested) as load:
        find(picker, QPushButton, "loadButton").click()
    assert load.args == [PairChoice(IN_BOX)]


def test_a_model_of_this_computer_is_asked_about_again(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_engines(ENTRIES)
    pick(picker, "targetList", ServedModel(STUDIO, "llama-3.2-3b-instruct"))
    with qtbot.waitSignal(picker.target_picked):
        pick(picker, "targetList", TARGET.ref)
    assert not find(picker, QWidget, "engineNotes").isVisible()
    assert find(picker, QComboBox, "contextSize").isVisible()


def test_what_is_chosen_stays_until_its_engine_is_gone(picker: PairPicker) -> None:
    picker.show_engines(ENTRIES)
    pick(picker, "targetList", IN_BOX)
    picker.show_models(MODELS)
    assert picker.target == IN_BOX
    picker.show_engines(ENTRIES[:1])
    assert picker.target is None

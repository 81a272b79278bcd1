import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from support import desks
from ui.picker.examples import CARD, DRAFTS, GONE, MODELS, OTHER, PROCESSOR, RAM, SMALL, TARGET, fit_of

from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.pair_values import DraftOption, Fit, PairFit
from specchat.ui.picker import PairPicker
from specchat.ui.picker.choice_list import ChoiceList
from specchat.ui.picker.fit_bar import FitBar
from specchat.ui.picker.rows import DraftKey
from specchat.ui.theme import DARK, LIGHT

CHOICE = PairChoice(TARGET.path)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def picker(qtbot: QtBot, window: QWidget) -> PairPicker:
    made = PairPicker(LIGHT, window)
    made.show_models(MODELS)
    made.show_choice(CHOICE, DRAFTS)
    made.open_below(window)
    qtbot.waitExposed(made)
    return made


T = TypeVar("T", bound=QWidget)


def find(picker: PairPicker, kind: type[T], name: str) -> T:
    found = picker.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def dialog_of(picker: PairPicker) -> QFileDialog | None:
    parent = picker.parentWidget()
    assert parent is not None
    return parent.findChild(QFileDialog, "addModelDialog")


def titles(picker: PairPicker, name: str) -> list[str]:
    return [row.title for row in find(picker, ChoiceList, name).rows]


def pick(picker: PairPicker, name: str, key: object) -> None:
    desks.pick(find(picker, ChoiceList, name), key)


def considered(qtbot: QtBot, picker: PairPicker, do: Callable[[], object]) -> PairChoice:
    with qtbot.waitSignal(picker.changed) as changed:
        do()
    choice = changed.args[0]
    assert isinstance(choice, PairChoice)
    return choice


def test_models_and_drafts_are_listed(picker: PairPicker) -> None:
    assert titles(picker, "targetList") == ["Lake 3B", "Sea 1B", "Sea 7B Instruct", "gone"]
    assert titles(picker, "draftList") == ["Automatic", "Sea 1B", "The text itself", "No draft", "Lake 3B"]
    lines = [row.line for row in find(picker, ChoiceList, "targetList").rows]
    assert lines[2:] == ["4.7 GB · Q4_K_M · 131,072 tokens", "The file is not there."]
    drafts = find(picker, ChoiceList, "draftList").rows
    assert (drafts[0].line, drafts[-1].line) == (
        "Now Sea 1B and the text itself",
        "Token 9 is 'a' in the target, 'b' in the draft.",
    )
    assert [row.selectable for row in drafts] == [True] * 4 + [False]


def test_auto_says_when_there_is_no_draft(picker: PairPicker) -> None:
    picker.show_choice(CHOICE, [replace(DRAFTS[0], model=None)])
    assert (
        find(picker, ChoiceList, "draftList").rows[0].line
        == "Now the text itself: no draft here suits this target better"
    )


def test_what_was_measured_here_stands_first(picker: PairPicker) -> None:
    speedups = (None, 1.62, 0.88, None, None)
    picker.show_choice(CHOICE, [replace(o, speedup=speedup) for o, speedup in zip(DRAFTS, speedups, strict=True)])
    _, model, ngrams, *_ = find(picker, ChoiceList, "draftList").rows
    assert model.line == "measured here: 1.6× · 700 MB · Q8_0 · 8,192 tokens"
    assert ngrams.line.startswith("measured here: 12\xa0% slower · Repeats")


def test_showing_a_choice_asks_for_its_figures(qtbot: QtBot, picker: PairPicker) -> None:
    choice = replace(CHOICE, draft=SMALL.path)
    assert considered(qtbot, picker, lambda: picker.show_choice(choice, DRAFTS)) == choice
    drafts = find(picker, ChoiceList, "draftList")
    assert [drafts.rows[index.row()].title for index in drafts.selectedIndexes()] == ["Sea 1B"]


def test_another_target_waits_for_its_drafts(qtbot: QtBot, picker: PairPicker) -> None:
    load = find(picker, QPushButton, "loadButton")
    with qtbot.waitSignal(picker.targetPicked) as picked, qtbot.assertNotEmitted(picker.changed):
        pick(picker, "targetList", OTHER.path)
    assert picked.args == [OTHER.path]
    assert not load.isEnabled()
    assert not find(picker, ChoiceList, "draftList").isEnabled()
    assert find(picker, FitBar, "fitBar").words() == "Looking for drafts…"
    picker.show_choice(PairChoice(OTHER.path), DRAFTS[:1])
    assert load.isEnabled()
    assert titles(picker, "draftList") == ["Automatic"]


def test_drafts_that_come_too_late_are_left_out(qtbot: QtBot, picker: PairPicker) -> None:
    pick(picker, "targetList", OTHER.path)
    pick(picker, "targetList", SMALL.path)
    picker.show_choice(PairChoice(SMALL.path), DRAFTS[:1])
    with qtbot.assertNotEmitted(picker.changed):
        picker.show_choice(PairChoice(OTHER.path), DRAFTS)
    assert titles(picker, "draftList") == ["Automatic"]
    picker.show_choice(PairChoice(OTHER.path), DRAFTS)  # asked for again
    assert titles(picker, "draftList")[:2] == ["Automatic", "Sea 1B"]


def test_an_added_file_may_become_the_target(picker: PairPicker) -> None:
    picker.show_choice(PairChoice(OTHER.path), DRAFTS[:1])
    targets = find(picker, ChoiceList, "targetList")
    assert [targets.rows[index.row()].title for index in targets.selectedIndexes()] == ["Lake 3B"]


@pytest.mark.parametrize(
    ("key", "draft", "draft_type"),
    [
        (DraftKey("auto", SMALL.path), SMALL.path, "auto"),
        (DraftKey("ngram"), None, "ngram"),
        (DraftKey("none"), None, "none"),
    ],
)
def test_picking_a_draft(qtbot: QtBot, picker: PairPicker, key: DraftKey, draft: Path | None, draft_type: str) -> None:
    expected = replace(CHOICE, draft=draft, draft_type=draft_type)
    with qtbot.waitSignal(picker.draftPicked) as picked:
        pick(picker, "draftList", key)
    assert picked.args == [expected]
    assert considered(qtbot, picker, lambda: picker.show_settings(expected)) == expected


def test_a_way_of_guessing_that_was_installed(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_choice(CHOICE, [*DRAFTS, DraftOption("phrases")])
    row = find(picker, ChoiceList, "draftList").rows[-1]
    assert (row.title, row.line) == ("phrases", "A way of guessing from an installed package")
    with qtbot.waitSignal(picker.draftPicked) as picked:
        pick(picker, "draftList", DraftKey("phrases"))
    assert picked.args == [replace(CHOICE, draft_type="phrases")]


def test_each_pair_has_its_settings(qtbot: QtBot, picker: PairPicker) -> None:
    context = find(picker, QComboBox, "contextSize")
    context.setCurrentText("8,192 tokens")
    pick(picker, "draftList", DraftKey("ngram"))
    used = PairChoice(TARGET.path, None, ModelSettings(n_ctx=2048), draft_type="ngram", draft_max=5)
    assert considered(qtbot, picker, lambda: picker.show_settings(used)) == used
    assert context.currentText() == "2,048 tokens"
    with qtbot.waitSignal(picker.draftPicked) as picked:
        pick(picker, "draftList", DraftKey("none"))
    (new,) = picked.args or [None]
    assert isinstance(new, PairChoice)
    assert (new.target_settings.n_ctx, new.draft_max) == (8192, None)


def test_options_become_settings(qtbot: QtBot, picker: PairPicker) -> None:
    context = find(picker, QComboBox, "contextSize")
    assert [context.itemText(i) for i in (0, context.count() - 1)] == ["1,024 tokens", "131,072 tokens"]
    assert context.currentText() == "4,096 tokens"
    considered(qtbot, picker, lambda: context.setCurrentText("8,192 tokens"))
    cache = find(picker, QComboBox, "cacheType")
    considered(qtbot, picker, lambda: cache.setCurrentIndex(cache.findData(CacheType.Q8_0)))
    threads = find(picker, QSpinBox, "threads")
    assert threads.text() == "auto"
    considered(qtbot, picker, lambda: threads.setValue(1))
    choice = considered(qtbot, picker, lambda: find(picker, QCheckBox, "exactMode").click())
    both = ModelSettings(threads=1, cache_type=CacheType.Q8_0, exact=True)
    assert (choice.target_settings, choice.draft_settings) == (replace(both, n_ctx=8192), both)


def test_how_many_are_guessed_in_each_pass(qtbot: QtBot, picker: PairPicker) -> None:
    guesses = find(picker, QComboBox, "guessesPerPass")
    assert [guesses.itemText(i) for i in range(guesses.count())] == ["auto", "1", "2", "4", "8", "16"]
    assert guesses.currentText() == "auto"
    choice = considered(qtbot, picker, lambda: guesses.setCurrentText("4"))
    assert choice == replace(CHOICE, target_settings=ModelSettings(n_ctx=4096), draft_max=4)
    picker.show_settings(replace(choice, draft_max=6))
    assert guesses.currentText() == "6"
    assert considered(qtbot, picker, lambda: guesses.setCurrentIndex(0)).draft_max is None
    assert guesses.isEnabled()
    picker.show_settings(replace(choice, draft_type="none"))
    assert not guesses.isEnabled()


def test_where_the_models_are_computed(qtbot: QtBot, picker: PairPicker) -> None:
    device, layers = find(picker, QComboBox, "targetDevice"), find(picker, QSpinBox, "gpuLayers")
    of_draft, draft_layers = find(picker, QComboBox, "draftDevice"), find(picker, QSpinBox, "draftGpuLayers")
    assert not device.isVisible()
    picker.show_devices((PROCESSOR, CARD))
    assert device.isVisible()
    assert [device.itemText(i) for i in range(device.count())] == ["Automatic", "Processor", "Vulkan0 · A card"]
    assert (layers.text(), draft_layers.text()) == ("29 of 29", "17 of 17")
    considered(qtbot, picker, lambda: layers.setValue(12))
    considered(qtbot, picker, lambda: device.setCurrentIndex(2))
    choice = considered(qtbot, picker, lambda: of_draft.setCurrentIndex(1))
    assert choice.target_settings == ModelSettings(n_ctx=4096, gpu_layers=12, device="Vulkan0")
    assert choice.draft_settings == ModelSettings(device="CPU")
    assert (layers.isEnabled(), draft_layers.isEnabled()) == (True, False)
    choice = considered(qtbot, picker, lambda: layers.setValue(29))
    assert choice.target_settings.gpu_layers is None


def test_what_was_set_elsewhere_stays(qtbot: QtBot, picker: PairPicker) -> None:
    """The draft's layers of the model manager, and a device that is not here at the moment."""
    there = replace(CHOICE, draft=SMALL.path, draft_settings=ModelSettings(gpu_layers=5))
    picker.show_devices((PROCESSOR, CARD))
    picker.show_choice(replace(there, target_settings=ModelSettings(gpu_layers=20, device="Vulkan7")), DRAFTS)
    device = find(picker, QComboBox, "targetDevice")
    assert (device.currentText(), find(picker, QSpinBox, "draftGpuLayers").value()) == ("Vulkan7", 5)
    picker.show_devices((PROCESSOR,))
    assert device.isVisible()
    context = find(picker, QComboBox, "contextSize")
    choice = considered(qtbot, picker, lambda: context.setCurrentText("8,192 tokens"))
    assert choice.target_settings == ModelSettings(n_ctx=8192, gpu_layers=20, device="Vulkan7")
    assert choice.draft_settings == ModelSettings(gpu_layers=5)


def test_where_there_is_no_draft_it_needs_no_device(picker: PairPicker) -> None:
    picker.show_devices((PROCESSOR, CARD))
    picker.show_choice(replace(CHOICE, draft_type="ngram"), DRAFTS)
    assert not find(picker, QComboBox, "draftDevice").isEnabled()


def test_settings_become_options(picker: PairPicker) -> None:
    settings = ModelSettings(n_ctx=5000, gpu_layers=99, threads=2, cache_type=CacheType.Q4_0, exact=True)
    picker.show_devices((PROCESSOR, CARD))
    picker.show_choice(replace(CHOICE, target_settings=settings), DRAFTS)
    assert find(picker, QComboBox, "contextSize").currentText() == "5,000 tokens"
    assert find(picker, QComboBox, "cacheType").currentData() == CacheType.Q4_0
    assert find(picker, QSpinBox, "gpuLayers").value() == 29
    assert find(picker, QSpinBox, "threads").value() == 2
    assert find(picker, QCheckBox, "exactMode").isChecked()


def test_a_model_of_short_texts_has_no_long_context(qtbot: QtBot, picker: PairPicker) -> None:
    pick(picker, "targetList", OTHER.path)
    picker.show_choice(PairChoice(OTHER.path), DRAFTS)
    context = find(picker, QComboBox, "contextSize")
    assert [context.itemText(i) for i in range(context.count())] == ["1,024 tokens", "2,048 tokens"]
    assert context.currentText() == "2,048 tokens"


def test_figures_of_what_is_thought_about(picker: PairPicker) -> None:
    bar, load = find(picker, FitBar, "fitBar"), find(picker, QPushButton, "loadButton")
    assert (bar.accessibleName(), bar.words()) == ("Memory", "Working out the memory…")
    picker.show_fit(CHOICE, fit_of(Fit.FITS))
    assert bar.words() == "Needs 8.0 GB of 12.0 GB free: Fits."
    assert load.text() == "Load"
    picker.show_fit(replace(CHOICE, draft_type="none"), fit_of(Fit.DOES_NOT_FIT))  # no longer thought about
    assert load.text() == "Load"
    picker.show_fit(CHOICE, fit_of(Fit.DOES_NOT_FIT))
    assert bar.words() == "Needs 8.0 GB of 12.0 GB free: Does not fit."
    assert load.text() == "Load anyway"
    assert "smaller" in load.accessibleDescription()
    picker.show_fit(CHOICE, fit_of(Fit.TIGHT))
    assert (load.text(), load.accessibleDescription()) == ("Load", "")
    picker.show_no_fit("There is no file.")
    assert bar.words() == "There is no file."


def test_each_device_has_its_bar(picker: PairPicker) -> None:
    bar = find(picker, FitBar, "fitBar")
    picker.show_fit(CHOICE, fit_of(Fit.FITS))
    height = bar.sizeHint().height()
    gpu = replace(RAM, name="A card", verdict=Fit.TIGHT)
    picker.show_fit(CHOICE, PairFit((RAM, gpu)))
    first, second = "Computer: needs 8.0 GB of 12.0 GB free: Fits.", "A card: needs 8.0 GB of 12.0 GB free: Tight."
    assert bar.words() == f"{first} {second}"
    assert bar.sizeHint().height() > height
    picker.show_no_fit("Why")
    assert bar.sizeHint().height() > height
    picker.grab()


def test_loading(qtbot: QtBot, picker: PairPicker) -> None:
    with qtbot.waitSignal(picker.chosen) as chosen:
        find(picker, QPushButton, "loadButton").click()
    assert chosen.args == [CHOICE]
    assert not picker.isVisible()


def test_the_keyboard_alone_is_enough(qtbot: QtBot, picker: PairPicker) -> None:
    targets = find(picker, ChoiceList, "targetList")
    assert targets.hasFocus()
    with qtbot.waitSignal(picker.chosen):
        QTest.keyClick(targets, Qt.Key.Key_Return)
    picker.show()
    QTest.keyClick(targets, Qt.Key.Key_Escape)
    assert not picker.isVisible()


def test_enter_loads_nothing_while_drafts_are_looked_for(qtbot: QtBot, picker: PairPicker) -> None:
    pick(picker, "targetList", OTHER.path)
    with qtbot.assertNotEmitted(picker.chosen):
        QTest.keyClick(find(picker, ChoiceList, "targetList"), Qt.Key.Key_Return)


def test_without_models(picker: PairPicker) -> None:
    picker.show_models(())
    assert not find(picker, ChoiceList, "targetList").isVisible()
    assert not find(picker, QPushButton, "loadButton").isVisible()
    search = find(picker, QPushButton, "findModelsButton")
    assert (search.isVisible(), search.property("primary")) == (True, True)
    picker.show_models(MODELS)
    assert search.property("primary") is False
    assert not find(picker, QPushButton, "loadButton").isEnabled()


def test_a_target_that_is_gone_is_no_longer_chosen(qtbot: QtBot, picker: PairPicker) -> None:
    picker.show_models((OTHER, GONE))
    assert not find(picker, QPushButton, "loadButton").isEnabled()
    assert not find(picker, ChoiceList, "draftList").isVisible()


def test_adding_a_file(qtbot: QtBot, picker: PairPicker, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.touch()
    QTest.mouseClick(find(picker, QPushButton, "addModelButton"), Qt.MouseButton.LeftButton)
    assert not picker.isVisible()
    dialog = dialog_of(picker)
    assert dialog is not None
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile(str(path))
    with qtbot.waitSignal(picker.fileAdded) as added:
        dialog.accept()
    assert added.args == [path]
    assert picker.isVisible()
    qtbot.waitUntil(lambda: dialog_of(picker) is None)


def test_not_adding_a_file(qtbot: QtBot, picker: PairPicker) -> None:
    find(picker, QPushButton, "addModelButton").click()
    dialog = dialog_of(picker)
    assert dialog is not None
    with qtbot.assertNotEmitted(picker.fileAdded):
        dialog.reject()
    assert picker.isVisible()


def test_a_file_is_asked_for_without_the_picker(qtbot: QtBot, picker: PairPicker) -> None:
    picker.close()
    picker.ask_for_a_file()
    dialog = dialog_of(picker)
    assert dialog is not None
    dialog.reject()
    assert not picker.isVisible()


def test_removing_a_file(qtbot: QtBot, picker: PairPicker) -> None:
    targets = find(picker, ChoiceList, "targetList")
    with qtbot.waitSignal(picker.fileRemoved) as removed:
        QTest.keyClick(targets, Qt.Key.Key_Delete)
    assert removed.args == [TARGET.path]


def test_everything_has_a_name(picker: PairPicker) -> None:
    for kind, name in [
        (ChoiceList, "targetList"),
        (ChoiceList, "draftList"),
        (QComboBox, "contextSize"),
        (QComboBox, "cacheType"),
        (QComboBox, "guessesPerPass"),
        (QSpinBox, "threads"),
        (QComboBox, "targetDevice"),
        (QSpinBox, "gpuLayers"),
        (QComboBox, "draftDevice"),
        (QSpinBox, "draftGpuLayers"),
        (QCheckBox, "exactMode"),
        (FitBar, "fitBar"),
    ]:
        assert find(picker, kind, name).accessibleName()
    assert picker.accessibleName()


def test_it_stays_on_the_screen(qtbot: QtBot, picker: PairPicker) -> None:
    corner = QWidget()
    qtbot.addWidget(corner)
    screen = corner.screen().availableGeometry()
    corner.setGeometry(screen.right() - 40, screen.bottom() - 40, 40, 40)
    corner.show()
    picker.open_below(corner)
    assert screen.contains(picker.geometry())


def test_themes(picker: PairPicker) -> None:
    picker.show_fit(CHOICE, fit_of(Fit.DOES_NOT_FIT))
    light = picker.grab().toImage()
    picker.set_theme(DARK)
    assert picker.grab().toImage() != light


def test_it_costs_nothing_to_import() -> None:
    script = "import sys, specchat.ui.picker; print({'llama_cpp', 'numpy', 'jinja2'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

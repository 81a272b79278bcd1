from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from ui.pair.examples import CARD, DRAFTS, OTHER, PROCESSOR, RAM, SMALL, TARGET, fit_of
from ui.pair.pickers import CHOICE, considered, find, pick

from specchat.domain.types import CacheType, ModelSettings, PairChoice, SplitMode
from specchat.services.models.pair_fit import Fit, PairFit
from specchat.ui.pair.choice_rows import DraftKey
from specchat.ui.pair.machine_fields import MachineFields
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.pair_picker import PairPicker
from specchat.ui.pair.picker_buttons import PickerButtons


def test_each_pair_has_its_settings(qtbot: QtBot, picker: PairPicker) -> None:
    context = find(picker, QComboBox, "contextSize")
    context.setCurrentText("8,192 tokens")
    pick(picker, "draftList", DraftKey("ngram"))
    used = choice_of(TARGET.path, None, ModelSettings(n_ctx=2048), draft_type="ngram", draft_max=5)
    assert considered(qtbot, picker, lambda: picker.show_settings(used)) == used
    assert context.currentText() == "2,048 tokens"
    with qtbot.waitSignal(picker.draft_picked) as picked:
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
    considered(qtbot, picker, lambda: find(picker, QCheckBox, "exactMode").click())
    answers = find(picker, QComboBox, "answersAtOnce")
    assert [answers.itemText(i) for i in range(answers.count())] == ["auto", "1", "2", "3", "4"]
    choice = considered(qtbot, picker, lambda: answers.setCurrentText("3"))
    both = ModelSettings(threads=1, cache_type=CacheType.Q8_0, exact=True)
    assert (choice.target_settings, choice.draft_settings) == (replace(both, n_ctx=8192, slots=3), both)


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
    assert [device.itemText(i) for i in range(device.count())] == ["Automatic", "CPU", "Vulkan0 · A card"]
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
    there = replace(CHOICE, draft=SMALL.ref, draft_settings=ModelSettings(gpu_layers=5))
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
    pick(picker, "targetList", OTHER.ref)
    picker.show_choice(choice_of(OTHER.path), DRAFTS)
    context = find(picker, QComboBox, "contextSize")
    assert [context.itemText(i) for i in range(context.count())] == ["1,024 tokens", "2,048 tokens"]
    assert context.currentText() == "2,048 tokens"


def test_figures_of_what_is_thought_about(picker: PairPicker) -> None:
    bar, load = find(picker, MemoryBar, "fitBar"), find(picker, QPushButton, "loadButton")
    assert (bar.accessibleName(), bar.words()) == ("Memory", "Estimating memory…")
    picker.show_fit(CHOICE, fit_of(Fit.FITS))
    assert bar.words() == "Needs 8.0\u00a0GB of 12.0\u00a0GB free RAM: Fits."
    assert load.text() == "Load"
    picker.show_fit(replace(CHOICE, draft_type="none"), fit_of(Fit.DOES_NOT_FIT))  # no longer thought about
    assert load.text() == "Load"
    picker.show_fit(CHOICE, fit_of(Fit.DOES_NOT_FIT))
    assert bar.words() == "Needs 8.0\u00a0GB of 12.0\u00a0GB free RAM: Doesn't fit."
    assert load.text() == "Load anyway"
    assert "smaller" in load.accessibleDescription()
    picker.show_fit(CHOICE, fit_of(Fit.TIGHT))
    assert (load.text(), load.accessibleDescription()) == ("Load", "")
    picker.show_fit_note("There is no file.")
    assert bar.words() == "There is no file."


def test_each_device_has_its_bar(picker: PairPicker) -> None:
    bar = find(picker, MemoryBar, "fitBar")
    picker.show_fit(CHOICE, fit_of(Fit.FITS))
    height = bar.sizeHint().height()
    gpu = replace(RAM, name="A card", verdict=Fit.TIGHT)
    picker.show_fit(CHOICE, PairFit((RAM, gpu)))
    first, second = (
        "RAM: needs 8.0\u00a0GB of 12.0\u00a0GB free: Fits.",
        "A card: needs 8.0\u00a0GB of 12.0\u00a0GB free: Tight.",
    )
    assert bar.words() == f"{first} {second}"
    assert bar.sizeHint().height() > height
    picker.show_fit_note("Why")
    assert bar.sizeHint().height() > height
    picker.grab()


def test_other_machines(qtbot: QtBot, picker: PairPicker) -> None:
    servers, problem = find(picker, QLineEdit, "rpcServers"), find(picker, QLabel, "machineProblem")
    use = find(picker, QCheckBox, "useMachines")
    assert not servers.isVisible()
    use.click()
    assert servers.isVisible()
    servers.setText("<b>a")
    servers.editingFinished.emit()
    assert "<b>a is not the address of an RPC server" in problem.text()
    assert problem.textFormat() is Qt.TextFormat.PlainText
    servers.setText("Den, 10.0.0.2:50053")

    choice = considered(qtbot, picker, servers.editingFinished.emit)
    assert choice.target_settings.rpc == ("den:50052", "10.0.0.2:50053")
    assert choice.draft_settings.rpc == ()
    assert not problem.text()
    assert any("unencrypted" in label.text() for label in picker.findChildren(QLabel) if label.isVisible())

    found = fit_of(Fit.FITS)
    picker.show_fit(choice, PairFit((*found.devices, replace(found.devices[0], name="RPC1"))))
    shares, of_draft = find(picker, QLineEdit, "tensorSplit"), find(picker, QComboBox, "draftDevice")
    assert of_draft.findData("RPC1") > 0
    choice = considered(qtbot, picker, lambda: of_draft.setCurrentIndex(of_draft.findData("RPC1")))
    assert choice.draft_settings.rpc == choice.target_settings.rpc
    shares.setText("3, 1")
    choice = considered(qtbot, picker, shares.editingFinished.emit)
    assert choice.target_settings.tensor_split == (3, 1)
    for wrong in ("1, nan", "-1", "0, 0", "many"):
        shares.setText(wrong)
        with qtbot.assertNotEmitted(picker.choice_changed):
            shares.editingFinished.emit()
        assert "is not a valid split" in problem.text()
    shares.setText("3, 1")
    shares.editingFinished.emit()
    assert not problem.text()
    mode = find(picker, QComboBox, "splitMode")
    choice = considered(qtbot, picker, lambda: mode.setCurrentIndex(mode.findData(SplitMode.ROW)))
    assert choice.target_settings.split_mode is SplitMode.ROW

    picker.show_settings(choice)
    assert (use.isChecked(), servers.text(), shares.text()) == (True, "den:50052, 10.0.0.2:50053", "3, 1")
    choice = considered(qtbot, picker, use.click)
    assert choice.target_settings.rpc == choice.draft_settings.rpc == ()
    assert choice.draft_settings.device is None
    assert (choice.target_settings.tensor_split, choice.target_settings.split_mode) == ((), None)
    picker.show_fit(choice, fit_of(Fit.FITS))
    assert of_draft.findData("RPC1") < 0
    assert (shares.isVisible(), mode.isVisible()) == (False, False)


def test_a_wrong_address_is_forgotten_with_the_machines(qtbot: QtBot, picker: PairPicker) -> None:
    servers, problem = find(picker, QLineEdit, "rpcServers"), find(picker, QLabel, "machineProblem")
    use = find(picker, QCheckBox, "useMachines")
    use.click()
    servers.setText("a b")
    servers.editingFinished.emit()
    use.click()
    assert (problem.isVisible(), servers.text()) == (False, "")


def test_more_saved_machines_than_can_be_used(qtbot: QtBot, picker: PairPicker) -> None:
    fields = picker.findChild(MachineFields)
    assert fields is not None
    fields.show_saved([f"10.0.0.{i}:50052" for i in range(1, 19)])
    choice = considered(qtbot, picker, find(picker, QCheckBox, "useMachines").click)
    assert len(choice.target_settings.rpc) == 16
    assert any("At most 16 machines" in label.text() for label in fields.findChildren(QLabel) if label.isVisible())


def test_the_button_says_how_many_answers_loading_ends(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    buttons = PickerButtons(parent)
    for n_stopped, said in ((0, ""), (1, "This stops the current answer."), (2, "This stops 2 answers.")):
        buttons.update_load_button(ready=True, fits=True, trouble="", is_loaded=True, n_stopped=n_stopped)
        assert buttons.load.accessibleDescription() == said

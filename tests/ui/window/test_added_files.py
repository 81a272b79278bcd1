"""Files of models that are added, and such that are no models."""

from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QFileDialog
from support.choices import choice_of
from support.desks import Person, picked

from specchat.domain.model_ref import ModelFile
from specchat.domain.types import PairChoice
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import DraftKey


def test_a_first_model_is_one_file_dialog_away(newcomer: Person, tiny_llama: Path) -> None:
    newcomer.click("welcomeAddButton")
    dialog = newcomer.find(QFileDialog, "addModelDialog")
    assert not newcomer.controller.picker.isVisible()
    dialog.setDirectory(str(tiny_llama.parent))
    dialog.selectFile(str(tiny_llama))
    dialog.accept()
    newcomer.qtbot.waitUntil(newcomer.controller.picker.isVisible)
    newcomer.qtbot.waitUntil(newcomer.find(QAbstractButton, "loadButton").isEnabled)
    assert picked(newcomer.find(ChoiceList, "targetList")) == [ModelFile(tiny_llama)]


def test_a_file_that_can_guess_for_the_chosen_target_is_added_as_its_draft(
    newcomer: Person, tiny_pair: tuple[Path, Path]
) -> None:
    load = newcomer.find(QAbstractButton, "loadButton")
    targets, drafts = newcomer.find(ChoiceList, "targetList"), newcomer.find(ChoiceList, "draftList")
    target, draft = tiny_pair
    newcomer.controller.pair.picker.add_file(target)
    newcomer.qtbot.waitUntil(load.isEnabled)
    newcomer.controller.pair.picker.add_file(draft)
    newcomer.qtbot.waitUntil(lambda: picked(drafts) == [DraftKey("auto", ModelFile(draft))])
    assert picked(targets) == [ModelFile(target)]


def test_a_file_that_is_no_model_is_told_without_the_picker(newcomer: Person, tmp_path: Path) -> None:
    text = tmp_path / "text.gguf"
    text.write_text("Dear diary")
    newcomer.click("welcomeAddButton")
    dialog = newcomer.find(QFileDialog, "addModelDialog")
    dialog.setDirectory(str(tmp_path))
    dialog.selectFile(str(text))
    dialog.accept()
    newcomer.qtbot.waitUntil(newcomer.window.problem.isVisible)
    assert not newcomer.controller.picker.isVisible()


def test_what_was_wrong_with_a_file_goes_with_the_next_pair(
    person: Person, choice: PairChoice, tiny_llama: Path, tmp_path: Path
) -> None:
    text = tmp_path / "text.gguf"
    text.write_text("Dear diary")
    person.controller.pair.picker.add_file(text)
    person.qtbot.waitUntil(person.window.problem.isVisible)
    person.controller.pair.load(choice_of(tiny_llama))
    assert not person.window.problem.isVisible()
    person.controller.pair.picker.add_file(text)
    person.qtbot.waitUntil(person.window.problem.isVisible)
    person.controller.pair.picker.add_file(path_for_ref(choice.target))
    person.qtbot.waitUntil(person.controller.picker.isVisible)
    assert not person.window.problem.isVisible()

"""Files of models that are gone."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTextEdit
from support.choices import files_of
from support.desks import Person, pick, picked

from specchat.domain.model_ref import ModelFile
from specchat.domain.types import PairChoice
from specchat.services.models import demo_pair
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.models.manager_view import ManagerView
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import DraftKey
from specchat.ui.window.error_remedies import Remedy

pytestmark = pytest.mark.usefixtures("engine_here")


@pytest.mark.skipif(sys.platform == "win32", reason="keeps what is mapped")
@pytest.mark.parametrize("on_the_list", [True, False])
def test_a_file_that_is_gone_while_it_is_loaded(
    person: Person, choice: PairChoice, tmp_path: Path, on_the_list: bool
) -> None:
    target = tmp_path / "target.gguf"
    shutil.copy(path_for_ref(choice.target), target)
    if on_the_list:
        person.controller.services.models.library.add(target)
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
        person.controller.pair.load(replace(choice, target=ModelFile(target)))
    said = person.find(QLabel, "pairGone")
    elsewhere = target.rename(tmp_path / "elsewhere.gguf")
    person.click("pairButton")
    person.qtbot.waitUntil(said.isVisible)
    assert said.text() == f"{target} no longer exists. It stays loaded until you load another pair."
    person.controller.picker.close()
    person.keep_short()
    assert person.ask("one two").text
    elsewhere.rename(target)
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: not said.isVisible())


@pytest.mark.parametrize("file", ["target", "draft"])
def test_what_is_loaded_stays_where_a_file_is_missing(
    person: Person, choice: PairChoice, missing: PairChoice, file: str
) -> None:
    loaded = person.controller.pair.choice
    wanted = missing if file == "target" else replace(choice, draft=missing.target)
    with person.qtbot.waitSignal(person.controller.notifications.error_reported):
        person.controller.pair.load(wanted)
    assert person.find(QTextEdit, "problemMessage").toPlainText() == f"{missing.target.name} wasn't found."
    assert person.controller.pair.choice is loaded
    person.keep_short()
    assert person.ask("one two").text
    person.click_remedy(Remedy.OTHER_MODEL)
    assert person.controller.picker.isVisible()


@pytest.mark.skipif(sys.platform == "win32", reason="keeps what is mapped")
@pytest.mark.parametrize("file", ["target", "draft"])
def test_what_is_loaded_from_files_that_are_gone_is_not_loaded_again(
    person: Person, choice: PairChoice, tmp_path: Path, file: str
) -> None:
    """The settings are those it was loaded with all the same."""
    shelf, gone = person.controller.services.models.library, tmp_path / "gone.gguf"
    target, draft = files_of(choice)
    shutil.copy(target if file == "target" else draft, gone)
    for path in (target, draft, gone):
        shelf.add(path)
    wanted = replace(choice, target=ModelFile(gone)) if file == "target" else replace(choice, draft=ModelFile(gone))
    usual = replace(wanted, target_settings=replace(wanted.target_settings, n_ctx=None))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded):
        person.controller.pair.load(usual)
    pair, load = person.controller.session.pair, person.find(QAbstractButton, "loadButton")
    assert pair is not None
    context = person.find(QComboBox, "contextSize")
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: load.isEnabled() and context.currentData() == pair.n_ctx)
    person.controller.picker.close()
    gone.unlink()
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: not load.isEnabled() and "no longer" in load.accessibleDescription())
    assert load.accessibleDescription() == load.toolTip().replace("\n", " ")
    assert context.currentData() == pair.n_ctx
    if file == "target":
        pick(person.find(ChoiceList, "targetList"), choice.target)
    else:
        pick(person.find(ChoiceList, "draftList"), DraftKey("none"))
    person.qtbot.waitUntil(load.isEnabled)
    assert "no longer" not in load.accessibleDescription()
    assert load.accessibleDescription() == load.toolTip().replace("\n", " ")


def test_the_picker_shows_what_is_loaded_from_a_folder_that_was_taken_off_the_list(
    person: Person, choice: PairChoice, tmp_path: Path
) -> None:
    assert choice.draft is not None
    folder, shelf = tmp_path / "mine", person.controller.services.models.library
    folder.mkdir()
    target, draft = (Path(shutil.copy(file, folder)) for file in files_of(choice))
    shelf.add_folder(folder)
    with person.qtbot.waitSignal(person.controller.session.pair_loaded):
        person.controller.pair.load(
            replace(choice, target=ModelFile(target), draft=ModelFile(draft), draft_type="model")
        )
    models = person.window.findChild(QAction, "models")
    assert models is not None
    models.trigger()
    manager = person.find(ManagerView, "modelManager")
    person.qtbot.waitUntil(lambda: manager.findChild(QAbstractButton, "removeFolderButton") is not None)
    remove = manager.findChild(QAbstractButton, "removeFolderButton")
    assert remove is not None
    remove.click()
    person.qtbot.waitUntil(lambda: not shelf.folders())
    manager.close()
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: picked(person.find(ChoiceList, "draftList")) == [DraftKey("auto", ModelFile(draft))])
    assert picked(person.find(ChoiceList, "targetList")) == [ModelFile(target)]


def test_what_is_gone_keeps_its_name(person: Person, tmp_path: Path) -> None:
    pair, copy = person.controller.pair, tmp_path / "copy.gguf"
    copy.write_bytes(demo_pair.demo_files()[1].read_bytes())
    pair.picker.add_file(copy)
    named = f"specchat demo draft ({copy.name})"
    person.qtbot.waitUntil(lambda: pair.display_name(copy.name) == named, timeout=60_000)
    copy.unlink()
    with person.qtbot.waitSignal(pair.model_names_changed, timeout=60_000):
        pair.refresh_models()
    assert pair.display_name(copy.name) == named
    assert pair.display_name(demo_pair.demo_files()[1].name) == "specchat demo draft"

"""A target's first layers as its draft, tried from the page of its drafts."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QMessageBox
from support.ggufs import ModelRecipe, make_model
from ui.pair.pair_editor.planning import Desk

from specchat.container import Container


def button(desk: Desk, name: str) -> QAbstractButton:
    found = desk.tray.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


def answer(desk: Desk, which: str) -> str:
    """What the question says."""
    questions = [each for each in desk.tray.drafts.findChildren(QMessageBox) if each.isVisible()]
    (question,) = questions
    (chosen,) = (each for each in question.buttons() if each.text().strip("&") == which)
    QTest.mouseClick(chosen, Qt.MouseButton.LeftButton)
    return question.informativeText()


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return make_model(tmp_path / "layerskip.gguf", ModelRecipe(n_layer=2, name="LayerSkip Sea"))


def test_it_is_tried_when_the_user_agrees(controller: Desk, target: Path) -> None:
    controller.editor.use_target(str(target))
    controller.press("findDraftButton")
    controller.press("draftsEarlyExit")
    words = answer(controller, "Try it")
    assert words.startswith("This model was trained for early exit. ")
    assert "cache folder" in words
    controller.until(lambda: "after layer 1: " in controller.tray.drafts.note())
    assert button(controller, "draftsStop").isVisible()
    controller.until(lambda: not button(controller, "draftsStop").isVisible())
    found = Container(controller.places).early_exit_search().finding(target)
    assert found is not None
    if found.kept is None:
        assert controller.tray.drafts.note().startswith("Early exit doesn't pay off on this computer: after layer 1")
    assert button(controller, "draftsEarlyExit").isVisible()


def test_it_can_be_stopped(controller: Desk, target: Path) -> None:
    controller.editor.use_target(str(target))
    controller.press("findDraftButton")
    controller.press("draftsEarlyExit")
    answer(controller, "Try it")
    controller.press("draftsStop")
    assert controller.tray.drafts.note() == "The early exit test was stopped. Nothing was kept."
    controller.editor.close()
    assert list(controller.early_exits.folder.glob("*/*")) == []


def test_nothing_happens_without_consent(controller: Desk, target: Path) -> None:
    controller.editor.use_target(str(target))
    controller.press("findDraftButton")
    controller.press("draftsEarlyExit")
    answer(controller, "Cancel")
    assert not button(controller, "draftsStop").isVisible()
    assert not controller.early_exits.folder.exists()


def test_models_without_such_layers_are_not_asked_about(controller: Desk, tmp_path: Path) -> None:
    controller.editor.use_target(str(make_model(tmp_path / "mamba.gguf", ModelRecipe(arch="mamba"))))
    controller.press("findDraftButton")
    controller.until(lambda: controller.tray.drafts.note().startswith("No drafts found"))
    controller.editor.close()
    assert not button(controller, "draftsEarlyExit").isVisible()

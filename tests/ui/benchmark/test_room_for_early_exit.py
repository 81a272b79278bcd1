"""The loaded pair makes room while early exit is tried, as it does for a benchmark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from support.choices import files_of
from support.computers import own_computer
from support.windows import opened

from specchat.domain.types import PairChoice
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.pair.drafts_page import DraftsPage
from specchat.ui.pair.early_exit_controller import EarlyExitController
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

PATIENCE = 120_000


@pytest.fixture
def page(qtbot: QtBot, controller: AppController, choice: PairChoice) -> DraftsPage:
    return page_with_offer(qtbot, controller, choice)


@pytest.fixture
def unloaded(qapp: QApplication, tmp_path: Path, places: Paths) -> Iterator[AppController]:
    """With no pair."""
    with (
        own_computer(tmp_path / "computer"),
        opened(build_services(places), ThemeManager(qapp), load_last=False) as controller,
    ):
        yield controller


def page_with_offer(qtbot: QtBot, controller: AppController, choice: PairChoice) -> DraftsPage:
    manager = controller.models.manager()
    found = manager.view.findChild(DraftsPage)
    assert isinstance(found, DraftsPage)
    target, *_ = files_of(choice)
    found.begin("Tiny")
    found.end()
    manager.pair_editor.early_exit.begin(str(target), "Tiny")
    button = found.findChild(QAbstractButton, "draftsEarlyExit")
    assert isinstance(button, QAbstractButton)
    qtbot.waitUntil(lambda: not button.isHidden(), timeout=PATIENCE)
    return found


@pytest.fixture
def early_exit(controller: AppController) -> EarlyExitController:
    return controller.models.manager().pair_editor.early_exit


def agree(page: DraftsPage) -> None:
    page.early_exit_requested.emit()
    (question,) = (each for each in page.findChildren(QMessageBox) if each.isVisible())
    click(question, "Try it")


def click(question: QMessageBox, words: str) -> None:
    (button,) = (each for each in question.buttons() if each.text().replace("&", "") == words)
    button.click()


def answer(words: str) -> None:
    question = QApplication.activeModalWidget()
    assert isinstance(question, QMessageBox)
    assert question.text() == "An early exit test is running. Stop it?"
    click(question, words)


def test_the_pair_comes_back(
    qtbot: QtBot, controller: AppController, page: DraftsPage, early_exit: EarlyExitController
) -> None:
    before = controller.pair.choice
    with qtbot.waitSignal(early_exit.ended, timeout=PATIENCE):
        agree(page)
        assert (controller.pair.is_suspended, controller.session.pair) == (True, None)
    assert not controller.pair.is_suspended
    assert page.problem.isHidden()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    assert controller.pair.choice == before


@pytest.mark.parametrize("button", ["Stop and load", "Keep measuring"])
def test_another_pair_ends_it_only_where_that_is_wanted(
    qtbot: QtBot, controller: AppController, page: DraftsPage, choice: PairChoice, button: str
) -> None:
    other = PairChoice(choice.target, draft_type="ngram")
    agree(page)
    QTimer.singleShot(0, lambda: answer(button))
    if button.startswith("Keep"):
        assert not controller.pair.load(other)
        assert controller.pair.is_suspended
        page.stop_requested.emit()
        assert not controller.pair.is_suspended
        return
    assert controller.pair.load(other)
    assert page.note() == "The early exit test was stopped. Nothing was kept."
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    assert controller.pair.choice == other


def test_a_benchmark_needs_the_room_itself(controller: AppController, page: DraftsPage) -> None:
    agree(page)
    controller.pair.suspend(Measurement.BENCHMARK)
    assert page.note() == "The early exit test was stopped. Nothing was kept."
    assert controller.pair.is_suspended
    agree(page)
    assert not page.problem.isHidden()
    assert "A benchmark is running." in page.problem.words()
    assert controller.pair.is_suspended


def test_without_a_pair_a_benchmark_needs_the_room_too(
    qtbot: QtBot, unloaded: AppController, choice: PairChoice
) -> None:
    page = page_with_offer(qtbot, unloaded, choice)
    agree(page)
    unloaded.pair.suspend(Measurement.BENCHMARK)
    assert page.note() == "The early exit test was stopped. Nothing was kept."


@pytest.mark.parametrize("button", ["Stop and load", "Keep measuring"])
def test_without_a_pair_another_one_is_asked_about_too(
    qtbot: QtBot, unloaded: AppController, choice: PairChoice, button: str
) -> None:
    page = page_with_offer(qtbot, unloaded, choice)
    agree(page)
    QTimer.singleShot(0, lambda: answer(button))
    if button.startswith("Keep"):
        assert not unloaded.pair.load(choice)
        page.stop_requested.emit()
        assert unloaded.window.header.pair.accessibleName() == "Choose a model"
        return
    assert unloaded.pair.load(choice)
    qtbot.waitUntil(lambda: unloaded.session.pair is not None, timeout=PATIENCE)

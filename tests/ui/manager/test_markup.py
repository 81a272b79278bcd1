"""Names from outside may look like markup: they are shown as they are, and nothing in them is drawn or loaded."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.hub import FileKind, Gating, HubModel, Listing, RemoteFile, RemoteModel
from specchat.services.hub.download_jobs import Job, JobState, ShownJob
from specchat.services.hub.search import Found, FoundModel, OfferedFile, Repository, Wanted
from specchat.services.models.chosen_model import ChosenModel
from specchat.services.models.pair_values import Fit, Origin, ShelfModel
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.manager.download_question import CancelQuestion
from specchat.ui.manager.here_pane import HerePane
from specchat.ui.manager.hub_pane import HubPane
from specchat.ui.manager.question import whether_to_delete
from specchat.ui.manager.tray_slot import Slot
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.widgets.tooltip import tooltip

EVIL = '<img src="file:///x.png"><a href="https://evil.example">Free</a>'
FILE = RemoteFile(f"sea/{EVIL}", "c" * 40, f"{EVIL}.gguf", 5, "a" * 64)
REMOTE = RemoteModel((FILE,), FileKind.MODEL, EVIL)
HERE = ShelfModel(Path(f"/models/{EVIL}.gguf"), EVIL, Origin.FOLDER, 5, quantization=EVIL, reference=EVIL, ours=True)
FOUND = HubModel(f"sea/{EVIL}", licence=EVIL, architecture=EVIL, downloads=1)
JOB = ShownJob(Job(1, (REMOTE,), "main", JobState.RUNNING), 1, 1, 0.0, is_checking=False)


def here_pane() -> QWidget:
    pane = HerePane(LIGHT)
    pane.show_models([HERE, replace(HERE, path=Path("/b.gguf"), missing=True)], [Path(f"/models/{EVIL}")])
    return pane


def results() -> QWidget:
    pane = HubPane(LIGHT)
    pane.show_found(Found(Wanted(), (FoundModel(FOUND),)))
    return pane


def repository() -> QWidget:
    pane = HubPane(LIGHT)
    listing = Listing(FOUND.repo, "c" * 40, Gating.AUTO, EVIL, (REMOTE,))
    pane.show_looking(FOUND.repo)
    pane.show_repository(Repository(listing, (OfferedFile(REMOTE, Fit.FITS, here=False),), (REMOTE,), 9))
    return pane


def downloads() -> QWidget:
    pane = DownloadPane(LIGHT)
    pane.show_jobs([JOB])
    return pane


def slot() -> QWidget:
    place = QWidget()
    Slot("slot", "Target", LIGHT, place).show_model(ChosenModel(EVIL, EVIL, EVIL, True, 5, EVIL))
    return place


def questions() -> QWidget:
    place = QWidget()
    CancelQuestion(JOB, place)
    whether_to_delete(HERE, place, is_loaded=False)
    return place


@pytest.mark.parametrize(
    "make",
    [here_pane, results, repository, downloads, slot, questions],
    ids=lambda make: make.__name__,
)
def test_names_are_shown_as_they_are(qtbot: QtBot, make: Callable[[], QWidget]) -> None:
    widget = make()
    qtbot.addWidget(widget)
    widget.resize(900, 700)
    widget.show()
    widget.grab()
    labels = [label for label in widget.findChildren(QLabel) if "<" in label.text()]
    assert labels
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    assert not [part.toolTip() for part in widget.findChildren(QWidget) if "<img" in part.toolTip()]


def test_tooltips() -> None:
    assert tooltip("a & b\nc") == "a & b\nc"
    assert tooltip(f"{EVIL}\nc") == f"<p>{escape(EVIL)}<br>c</p>"

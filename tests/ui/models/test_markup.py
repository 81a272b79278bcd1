"""Names from outside may look like markup: they are shown as they are, and nothing in them is drawn or loaded."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from support.settings import make_settings_model

from specchat.domain.hub import Gating, HubFileKind, HubModel, HubQuery, RemoteFile, RemoteModel, RepoListing
from specchat.services.hub.download_jobs import DownloadJob, DownloadStatus, JobState
from specchat.services.hub.hub_search import (
    FoundModel,
    HubSearchResults,
    RepositoryDetails,
    RepositoryFile,
)
from specchat.services.models.model_description import ModelDescription
from specchat.services.models.pair_fit import Fit, LocalModel, Origin
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.removal_questions import CancelDownloadDialog, delete_question
from specchat.ui.pair.model_slot import ModelSlot
from specchat.ui.widgets.form_fields import CheckBox
from specchat.ui.widgets.tooltip import tooltip_text

EVIL = '<img src="file:///x.png"><a href="https://evil.example">Free</a>'
FILE = RemoteFile(f"sea/{EVIL}", "c" * 40, f"{EVIL}.gguf", 5, "a" * 64)
REMOTE = RemoteModel((FILE,), HubFileKind.MODEL, EVIL)
HERE = LocalModel(Path(f"/models/{EVIL}.gguf"), EVIL, Origin.FOLDER, 5, quantization=EVIL, reference=EVIL, ours=True)
FOUND = HubModel(f"sea/{EVIL}", licence=EVIL, architecture=EVIL, downloads=1)
JOB = DownloadStatus(DownloadJob(1, (REMOTE,), "main", JobState.RUNNING), 1, 1, 0.0, is_checking=False)


def here_pane() -> QWidget:
    pane = LocalModelsPane(ManagerRequests())
    pane.show_models([HERE, replace(HERE, path=Path("/b.gguf"), missing=True)], [Path(f"/models/{EVIL}")])
    return pane


def results() -> QWidget:
    pane = HubPane(ManagerRequests())
    pane.results.show_results(HubSearchResults(HubQuery(), (FoundModel(FOUND),)))
    return pane


def repository() -> QWidget:
    pane = HubPane(ManagerRequests())
    listing = RepoListing(FOUND.repo, "c" * 40, Gating.AUTO, EVIL, (REMOTE,))
    pane.show_repository_loading(FOUND.repo)
    pane.repository.show_repository(
        RepositoryDetails(listing, (RepositoryFile(REMOTE, Fit.FITS, here=False),), (REMOTE,))
    )
    return pane


def downloads() -> QWidget:
    pane = DownloadPane(make_settings_model(Path("nowhere")), ManagerRequests())
    pane.show_jobs([JOB])
    return pane


def slot() -> QWidget:
    place = QWidget()
    ModelSlot("slot", "Target", place).show_model(ModelDescription(EVIL, EVIL, EVIL, True, 5, EVIL))
    return place


def questions() -> QWidget:
    place = QWidget()
    CancelDownloadDialog(JOB, place)
    delete_question(HERE, place, is_loaded=False)
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


def test_ampersands_are_shown_and_make_no_shortcuts(qtbot: QtBot) -> None:
    pane = HubPane(ManagerRequests())
    qtbot.addWidget(pane)
    pane.repository.show_loading("sea&land/model")
    author = pane.findChild(QPushButton, "hubAuthorButton")
    assert author is not None
    assert author.text() == "More by sea&&land"
    for button in (author, CheckBox("read&write")):
        qtbot.addWidget(button)
        assert button.shortcut().isEmpty()


def test_tooltips() -> None:
    assert tooltip_text("a & b\nc") == "a & b\nc"
    assert tooltip_text(f"{EVIL}\nc") == f"<p>{escape(EVIL)}<br>c</p>"

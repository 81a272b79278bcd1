"""File dialogs begin where the last file was chosen."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets import last_folder
from specchat.ui.widgets.documents_folder import documents_folder


@pytest.fixture(autouse=True)
def nothing_chosen_yet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "started here").mkdir()
    monkeypatch.chdir(tmp_path / "started here")
    monkeypatch.setattr(last_folder, "_last", {})


@pytest.fixture
def attaching(qtbot: QtBot) -> AttachmentLoader:
    window = QWidget()
    qtbot.addWidget(window)
    return AttachmentLoader(window)


def asked(parent: QWidget) -> QFileDialog:
    return next(dialog for dialog in parent.findChildren(QFileDialog) if dialog.isVisible())


def choose(dialog: QFileDialog, path: Path) -> None:
    dialog.setDirectory(str(path.parent))
    dialog.selectFile(str(path))
    dialog.accept()


def begins_in(dialog: QFileDialog) -> Path:
    return Path(dialog.directory().absolutePath())


def write(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("words")
    return path


def test_attaching(attaching: AttachmentLoader, tmp_path: Path) -> None:
    window = attaching.parent()
    assert isinstance(window, QWidget)
    note = write(tmp_path / "texts" / "note.txt")
    attaching.choose_files()
    assert begins_in(asked(window)) == documents_folder()
    choose(asked(window), note)
    attaching.choose_files()
    assert begins_in(asked(window)) == note.parent
    asked(window).reject()
    note.unlink()
    note.parent.rmdir()
    attaching.choose_files()
    assert begins_in(asked(window)) == documents_folder()


def test_files_and_folders_with_models_are_in_the_same_places(qtbot: QtBot, tmp_path: Path) -> None:
    pane = LocalModelsPane(ManagerRequests())
    qtbot.addWidget(pane)
    model = write(tmp_path / "models" / "a.gguf")
    pane._ask_for_a_file()
    assert begins_in(asked(pane)) == documents_folder()
    choose(asked(pane), model)
    pane._ask_for_a_folder()
    assert begins_in(asked(pane)) == model.parent
    write(tmp_path / "others" / "b.gguf")
    choose(asked(pane), tmp_path / "others")
    pane._ask_for_a_file()
    assert begins_in(asked(pane)) == tmp_path / "others"


def test_each_purpose_has_its_own(qtbot: QtBot, attaching: AttachmentLoader, tmp_path: Path) -> None:
    window = attaching.parent()
    assert isinstance(window, QWidget)
    attaching.choose_files()
    choose(asked(window), write(tmp_path / "texts" / "note.txt"))
    pane = LocalModelsPane(ManagerRequests())
    qtbot.addWidget(pane)
    pane._ask_for_a_file()
    assert begins_in(asked(pane)) == documents_folder()

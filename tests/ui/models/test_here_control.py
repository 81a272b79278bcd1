"""The pane with the real shelf behind it, on real files."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QTextEdit, QToolButton
from pytestqt.qtbot import QtBot
from support.downloading import model as remote_model
from support.early_exits import keep_early_exit
from support.model_homes import put_into_hub_cache, put_into_ollama, remote, small_model

from specchat.domain.model_ref import ModelFile
from specchat.services.hub.download_jobs import DownloadJob, JobState
from specchat.services.models.download_registry import DownloadRegistry
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_discovery import find_in_hub_cache, find_in_ollama
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import LocalModel, Origin
from specchat.sources.hub_cache import HubCache
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile
from specchat.ui.models.cards import CardList
from specchat.ui.models.local_model_card import LocalModelCard
from specchat.ui.models.local_models_controller import LocalModelsController
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.threads.task_queue import TaskQueue

SMALL, OTHER = small_model("Small"), small_model("Other", 64)


class Place:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = HubCache(folder / "hub")
        self.owned = DownloadRegistry(JsonFile(folder / "owned.json"), self.cache)
        self.early_exits = EarlyExitStore(folder / "early-exits")
        facts, verdicts = (JsonCache(folder / name) for name in ("facts.json", "verdicts.json"))
        self.library = ModelLibrary(
            JsonFile(folder / "added.json"),
            folder / "own",
            facts,
            verdicts,
            finders=(
                lambda: find_in_hub_cache(self.cache),
                lambda: find_in_ollama(folder),
                self.early_exits.found_files,
            ),
            ours=self.owned.paths,
        )
        self.tasks = TaskQueue(folder)
        self.pane = LocalModelsPane(ManagerRequests())
        self.control = LocalModelsController(
            self.pane,
            self.library,
            lambda: self.owned,
            lambda: self.early_exits,
            self.tasks,
            folder,
        )

    def download(self, data: bytes) -> Path:
        file = remote("small.gguf", data)
        place = put_into_hub_cache(self.cache.folder, "small.gguf", data)
        arrived = {f"{file.repo}/{self.cache.blob(file).name}": file.size}
        self.owned.record(DownloadJob(1, (remote_model(file),), "main", JobState.DONE, arrived))
        return place

    def file(self, name: str, data: bytes = SMALL) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    @property
    def cards(self) -> list[LocalModelCard]:
        shown = self.pane.findChild(CardList, "hereList")
        assert isinstance(shown, CardList)
        return [each for each in shown.cards if isinstance(each, LocalModelCard)]

    def names(self) -> list[str]:
        return [card.model.name for card in self.cards]

    def listed(self, qtbot: QtBot) -> LocalModel:
        """The only one."""
        self.control.refresh()
        qtbot.waitUntil(lambda: len(self.cards) == 1)
        return self.cards[0].model

    def note(self) -> str:
        found = self.cards[0].findChild(QObject, "noteWords")
        return str(found.property("text")) if found else ""

    def problem(self) -> str:
        parts = (self.pane.findChild(QTextEdit, f"problem{part}") for part in ("Message", "Hint"))
        return " ".join(part.toPlainText() for part in parts if isinstance(part, QTextEdit))


@pytest.fixture
def place(qtbot: QtBot, tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    qtbot.addWidget(made.pane)
    yield made
    made.control.close()
    made.tasks.close()


class Files(QObject):
    """In place of the desktop's own program."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Path] = []

    @Slot(QUrl)
    def open(self, url: QUrl) -> None:
        self.opened.append(Path(url.toLocalFile()))


@pytest.fixture
def files() -> Iterator[Files]:
    made = Files()
    QDesktopServices.setUrlHandler("file", made, "open")  # type: ignore[arg-type]
    yield made
    QDesktopServices.unsetUrlHandler("file")


def test_a_file_is_added_and_taken_off_again(qtbot: QtBot, place: Place) -> None:
    path = place.file("some where/small.gguf")
    with qtbot.waitSignal(place.control.changed):
        place.pane.requests.add_file_requested.emit(path)
    assert place.names() == ["Small"]
    with qtbot.waitSignal(place.control.changed):
        place.pane.requests.model_removal_requested.emit(place.cards[0].model)
    assert place.names() == []
    assert path.is_file()


def test_what_is_no_model_is_not_added(qtbot: QtBot, place: Place) -> None:
    path = place.file("notes.gguf", b"Dear diary")
    place.pane.requests.add_file_requested.emit(path)
    qtbot.waitUntil(lambda: "notes.gguf" in place.problem())
    assert place.names() == []


def test_a_folder_is_added_and_taken_off_again(qtbot: QtBot, place: Place) -> None:
    path = place.file("mine/deep/small.gguf")
    with qtbot.waitSignal(place.control.changed):
        place.pane.requests.add_folder_requested.emit(place.folder / "mine")
    assert place.names() == ["Small"]
    with qtbot.waitSignal(place.control.changed):
        place.pane.requests.remove_folder_requested.emit(place.folder / "mine")
    assert place.names() == []
    assert path.is_file()


def test_only_what_was_downloaded_here_is_deleted(qtbot: QtBot, place: Place) -> None:
    path = place.download(SMALL)
    assert place.listed(qtbot).ours
    with qtbot.waitSignal(place.control.changed):
        place.pane.requests.model_removal_requested.emit(place.cards[0].model)
    assert place.names() == []
    assert not path.exists()


def test_what_was_made_of_a_model_is_deleted(qtbot: QtBot, place: Place) -> None:
    target = place.file("own/target.gguf", OTHER)
    made = keep_early_exit(place.early_exits, target, 1, SMALL)
    place.control.refresh()
    qtbot.waitUntil(lambda: len(place.cards) == 2)
    (card,) = (card for card in place.cards if card.model.early_exit_of is not None)
    assert card.model.path == made
    assert [action.text() for action in card.build_menu().actions()][-1].startswith("Delete the file (")
    place.pane.requests.model_removal_requested.emit(card.model)
    qtbot.waitUntil(lambda: place.names() == ["Other"])
    assert not made.exists()


def test_what_belongs_to_another_program_stays(qtbot: QtBot, place: Place) -> None:
    blob = put_into_ollama(place.folder / ".ollama/models", "registry.ollama.ai/library/tiny/latest", SMALL)
    with qtbot.assertNotEmitted(place.control.changed):
        place.pane.requests.model_removal_requested.emit(place.listed(qtbot))
        qtbot.waitUntil(lambda: "Ollama" in place.problem())
    assert "ollama rm tiny" in place.problem()
    assert blob.is_file()


def test_a_whole_file_is_found_whole(qtbot: QtBot, place: Place) -> None:
    place.download(SMALL)
    place.pane.requests.check_requested.emit(place.listed(qtbot))
    assert place.note().startswith("Verifying: 0")
    qtbot.waitUntil(lambda: place.note() == "The file matches its checksum.")


def test_a_damaged_file_is_found_damaged(qtbot: QtBot, place: Place) -> None:
    path = place.download(SMALL)
    model = place.listed(qtbot)
    path.resolve().write_bytes(SMALL[:-1] + b"!")
    place.pane.requests.check_requested.emit(model)
    qtbot.waitUntil(lambda: "damaged" in place.note())
    assert place.note().endswith("Delete it and download it again.")


def test_checks_wait_for_one_another_and_can_be_stopped(qtbot: QtBot, place: Place) -> None:
    place.file("own/small.gguf")
    place.file("own/other.gguf", OTHER)
    place.control.refresh()
    qtbot.waitUntil(lambda: place.names() == ["Other", "Small"])
    other, small = (card.model for card in place.cards)
    place.pane.requests.check_requested.emit(small)
    place.pane.requests.check_requested.emit(other)
    assert place.note() == "Waiting for another file to be verified"
    place.pane.requests.stop_check_requested.emit(other)
    assert place.note() == "Verification stopped."
    place.pane.requests.check_requested.emit(other)
    qtbot.waitUntil(lambda: "header is valid" in place.note())


def test_a_file_is_shown_in_its_folder(qtbot: QtBot, place: Place, files: Files) -> None:
    path = place.file("own/small.gguf")
    place.pane.requests.show_in_folder_requested.emit(place.listed(qtbot))
    assert files.opened == [path.parent]


def test_a_reference_is_copied(qtbot: QtBot, place: Place) -> None:
    place.download(SMALL)
    place.pane.requests.copy_reference_requested.emit(place.listed(qtbot))
    assert QGuiApplication.clipboard().text() == "someone/small-GGUF:small.gguf"
    assert place.note() == "Copied: someone/small-GGUF:small.gguf"


def test_a_file_without_a_name_elsewhere_goes_by_its_path(qtbot: QtBot, place: Place) -> None:
    path = place.file("own/small.gguf")
    place.pane.requests.copy_reference_requested.emit(place.listed(qtbot))
    assert QGuiApplication.clipboard().text() == str(path)


def test_what_is_loaded_stays_listed_when_its_folder_goes(qtbot: QtBot, place: Place) -> None:
    folder = place.file("mine/small.gguf").parent
    place.file("mine/other.gguf", OTHER)
    place.library.add_folder(folder)
    place.control.refresh()
    qtbot.waitUntil(lambda: sorted(place.names()) == ["Other", "Small"])
    place.pane.set_loaded_models({ModelFile(folder / "small.gguf")})
    button = place.pane.findChild(QToolButton, "removeFolderButton")
    assert isinstance(button, QToolButton)
    with qtbot.waitSignal(place.control.changed):
        button.click()
    qtbot.waitUntil(lambda: place.names() == ["Small"])
    assert place.library.folders() == []
    assert place.cards[0].model.origin is Origin.ADDED

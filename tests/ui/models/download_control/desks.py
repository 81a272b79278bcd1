import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from support.downloading import BLOCK, IMPATIENT, content, manner
from support.hub import Fault, LocalHub
from support.settings import make_settings_model

from specchat.domain.hub import RemoteModel, parse_hub_reference
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore
from specchat.services.hub.download_manager import DownloadManager
from specchat.services.hub.hub import Hub
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace
from specchat.sources.transfer import TransferSettings
from specchat.store.json_file import JsonFile
from specchat.ui.models.download_controller import DownloadController
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.manager_requests import ManagerRequests

PATIENCE_MS = 60_000
TARGET, DRAFT = content(12 * BLOCK, seed=1), content(5 * BLOCK + 9, seed=2)
PAIR = ["alice/target-GGUF:target-Q8_0.gguf", "bob/draft-GGUF:draft-Q8_0.gguf"]
STALLED = Fault(stalled=3600)
PATIENT = manner(patience=replace(IMPATIENT, silence=3600))


class Desk:
    """A pane, its control, and what was heard of them. The Hub sees no token unless one is given here."""

    def __init__(self, qtbot: QtBot, endpoint: str, folder: Path, how: TransferSettings | None = None) -> None:
        self._qtbot = qtbot
        self.token: str | None = None
        self.cache, self.file = HubCache(folder / "hub"), folder / "jobs.json"
        self.how = how or manner()
        self.made: list[DownloadManager] = []
        self.ended: list[DownloadJob] = []
        self.counts: list[int] = []
        self.hugging_face = HuggingFace(lambda: self.token, endpoint, patience=self.how.patience)
        self.settings = make_settings_model(folder)
        self.pane = DownloadPane(self.settings, ManagerRequests())
        qtbot.addWidget(self.pane)
        self.pane.resize(640, 480)
        self.pane.show()
        jobs = DownloadJobStore(JsonFile(self.file))
        self.control = DownloadController(
            self.settings, self._make, jobs, lambda: Hub(self.hugging_face), self._those_here, self.pane, folder
        )
        self.control.download_ended.connect(self.ended.append)
        self.control.active_count_changed.connect(self.counts.append)
        self.failures: list[int] = []
        self.control.failed_count_changed.connect(self.failures.append)

    def _make(self, changed: Callable[[], None], ended: Callable[[DownloadJob], None]) -> DownloadManager:
        assert threading.current_thread() is not threading.main_thread()
        loader = Downloader(self.cache, self.hugging_face.location, self.how)
        self.made.append(DownloadManager(loader, DownloadJobStore(JsonFile(self.file)), changed, ended))
        return self.made[-1]

    def _those_here(self, models: Sequence[RemoteModel]) -> list[RemoteModel]:
        return [model for model in models if self.cache.holds(model)]

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=PATIENCE_MS)

    def said(self) -> list[str]:
        """The state of each row."""
        return [row.accessibleDescription().partition(",")[0] for row in self.pane._rows.values()]

    def until_said(self, *states: str) -> None:
        self.until(lambda: self.said() == list(states))

    def press(self, name: str, row: int = 0) -> None:
        """What is in a row."""
        rows = list(self.pane._rows.values())
        self.press_in(rows[row], name)

    def press_in(self, place: QWidget, name: str) -> None:
        button = place.findChild(QWidget, name)
        assert isinstance(button, QWidget)
        self.until(lambda: button.isVisible() and button.isEnabled())
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    @property
    def trouble(self) -> QWidget:
        found = self.pane.findChild(QWidget, "downloadTrouble")
        assert isinstance(found, QWidget)
        return found

    def found(self, *references: str) -> list[bytes]:
        parsed = [parse_hub_reference(each) for each in references]
        places = [self.cache.find(each) for each in parsed if each]
        return [each.read_bytes() for each in places if each]


def stop_half_way(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*/target-Q8_0.gguf", STALLED, after_bytes=BLOCK // 2, origin="cdn")
    patient.control.download(PAIR)
    patient.until(lambda: bool(hub.bytes_sent("/repos/*/target*") >= BLOCK // 2))
    patient.until(lambda: [len(shown.job.arrived) for shown in patient.pane._jobs] == [1])

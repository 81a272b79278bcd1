"""Downloads from a local Hub, as whoever sits before the window drives and sees them."""

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import close_session
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot
from support.downloading import BLOCK, IMPATIENT, content, manner
from support.hub import Fault, LfsFile, LocalHub

from specchat.domain.hub import parse_reference
from specchat.services.download_jobs import Job, JobFile, JobState
from specchat.services.downloads import Downloads
from specchat.services.hub import Hub
from specchat.services.ui_settings import UiSettings
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace
from specchat.sources.transfer import Manner
from specchat.store.json_file import JsonFile
from specchat.ui.manager.download_control import DownloadControl
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.theme import LIGHT

PATIENCE_MS = 60_000
TARGET, DRAFT = content(12 * BLOCK, seed=1), content(5 * BLOCK + 9, seed=2)
PAIR = ["alice/target-GGUF:target-Q8_0.gguf", "bob/draft-GGUF:draft-Q8_0.gguf"]
STALLED = Fault(stalled=3600)
PATIENT = manner(patience=replace(IMPATIENT, silence=3600))


class Desk:
    """A pane, its control, and what was heard of them. The Hub sees no token unless one is given here."""

    def __init__(self, qtbot: QtBot, endpoint: str, folder: Path, how: Manner | None = None) -> None:
        self._qtbot = qtbot
        self.token: str | None = None
        self.cache, self.file = HubCache(folder / "hub"), folder / "jobs.json"
        self.how = how or manner()
        self.made: list[Downloads] = []
        self.ended: list[Job] = []
        self.counts: list[int] = []
        self.hugging_face = HuggingFace(lambda: self.token, endpoint, patience=self.how.patience)
        self.pane = DownloadPane(LIGHT)
        qtbot.addWidget(self.pane)
        self.pane.resize(640, 480)
        self.pane.show()
        jobs = JobFile(JsonFile(self.file))
        self.control = DownloadControl(self._make, jobs, lambda: Hub(self.hugging_face), self.pane, folder)
        self.control.ended.connect(self.ended.append)
        self.control.count_changed.connect(self.counts.append)
        self.failures: list[int] = []
        self.control.failed_changed.connect(self.failures.append)

    def _make(self, changed: Callable[[], None], ended: Callable[[Job], None]) -> Downloads:
        assert threading.current_thread() is not threading.main_thread()
        loader = Downloader(self.cache, self.hugging_face.location, self.how)
        self.made.append(Downloads(loader, JobFile(JsonFile(self.file)), changed, ended))
        return self.made[-1]

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
        parsed = [parse_reference(each) for each in references]
        places = [self.cache.find(each) for each in parsed if each]
        return [each.read_bytes() for each in places if each]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as local_hub:
        local_hub.add("alice/target-GGUF", {"target-Q8_0.gguf": TARGET})
        local_hub.add("bob/draft-GGUF", {"draft-Q8_0.gguf": DRAFT})
        yield local_hub
    close_session()


@pytest.fixture
def desk(qtbot: QtBot, hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(qtbot, hub.endpoint, tmp_path)
    yield made
    made.control.close()


@pytest.fixture
def patient(qtbot: QtBot, hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    """Waits for silent servers."""
    made = Desk(qtbot, hub.endpoint, tmp_path, PATIENT)
    yield made
    made.control.close()


def stop_half_way(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*/target-Q8_0.gguf", STALLED, after_bytes=BLOCK // 2, origin="cdn")
    patient.control.download(PAIR)
    patient.until(lambda: bool(hub.bytes_sent("/repos/*/target*") >= BLOCK // 2))
    patient.until(lambda: [len(shown.job.arrived) for shown in patient.pane._jobs] == [1])


def test_a_pair_arrives_as_one_job(desk: Desk) -> None:
    desk.control.download(PAIR)
    desk.until_said("Done")
    desk.until(lambda: [job.state for job in desk.ended] == [JobState.DONE])
    assert [len(job.models) for job in desk.ended] == [2]
    assert desk.found(*PAIR) == [TARGET, DRAFT]
    assert desk.counts == [1, 0]
    assert not desk.trouble.isVisible()
    desk.press("clearDownload")
    desk.until_said()
    assert desk.found(*PAIR) == [TARGET, DRAFT]


def test_a_connection_that_breaks_is_no_trouble(hub: LocalHub, desk: Desk) -> None:
    hub.fault("*/target-Q8_0.gguf", Fault(reset=True), times=3, after_bytes=BLOCK // 2, origin="cdn")
    hub.fault("*/draft-Q8_0.gguf", Fault(truncated=True), times=2, after_bytes=100, origin="cdn")
    desk.control.download(PAIR)
    desk.until_said("Done")
    assert desk.found(*PAIR) == [TARGET, DRAFT]


def test_what_is_refused_can_be_tried_again(qtbot: QtBot, hub: LocalHub, desk: Desk) -> None:
    hub.fault("*/resolve/*/draft-Q8_0.gguf", Fault(status=403, error_code="GatedRepo"), times=None)
    desk.control.download(PAIR)
    desk.until_said("Failed")
    desk.until(lambda: [job.state for job in desk.ended] == [JobState.FAILED])
    assert desk.found(*PAIR) == []
    assert desk.failures == [1]
    with qtbot.waitSignal(desk.pane.tokenWanted):
        desk.press("enterToken")
    hub.clear_faults()
    desk.press("tryDownloadAgain")
    desk.until_said("Done")
    assert desk.found(*PAIR) == [TARGET, DRAFT]
    assert desk.failures == [1, 0]


def test_a_hub_that_is_busy(hub: LocalHub, desk: Desk) -> None:
    hub.fault("*/resolve/*/target-Q8_0.gguf", Fault(status=429, retry_after=29))
    desk.control.download(PAIR[:1])
    desk.until_said("Trying again")
    (row,) = desk.pane._rows.values()
    assert "asked too often" in row.accessibleDescription()
    desk.press("pauseDownload")
    desk.until_said("Paused")
    desk.press("pauseDownload")
    desk.until_said("Done")


def test_a_licence_to_accept(hub: LocalHub, desk: Desk) -> None:
    reference = "carol/gated-GGUF:gated-Q8_0.gguf"
    hub.add("carol/gated-GGUF", {"gated-Q8_0.gguf": DRAFT}, gating="auto")
    hub.token(token := "hf_canary")
    desk.token = token
    desk.control.download([reference])
    desk.until_said("Failed")
    asked: list[str] = []

    def refuse() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.informativeText())
        box.reject()

    QTimer.singleShot(0, refuse)
    desk.press("openLicence")
    assert asked == [f"{hub.endpoint}/carol/gated-GGUF"]
    hub.token(token, accepted=["carol/gated-GGUF"])
    desk.press("tryDownloadAgain")
    desk.until_said("Done")
    assert desk.found(reference) == [DRAFT]
    assert token not in desk.file.read_text()


def test_no_room(hub: LocalHub, desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    hub.add("carol/vast-GGUF", {"vast-Q8_0.gguf": LfsFile(tmp_path / "empty", "ab" * 32, 1 << 60)})
    desk.control.download(["carol/vast-GGUF:vast-Q8_0.gguf"])
    desk.until_said("Failed")
    (row,) = desk.pane._rows.values()
    problem = row.findChild(QWidget, "downloadProblem")
    assert problem is not None
    assert "still to come" in problem.property("plainText")


# Looking it up


def test_what_is_not_found_can_be_looked_for_again(hub: LocalHub, desk: Desk) -> None:
    desk.control.download([*PAIR, "carol/late-GGUF:late-Q8_0.gguf"])
    asking = desk.pane.findChild(QLabel, "downloadAsking")
    assert asking is not None
    assert asking.isVisible()
    assert "target-Q8_0, draft-Q8_0 and late-Q8_0" in asking.text()
    desk.until(desk.trouble.isVisible)
    assert not asking.isVisible()
    assert "carol/late-GGUF" in desk.trouble.accessibleName()
    assert desk.made == []
    hub.add("carol/late-GGUF", {"late-Q8_0.gguf": DRAFT})
    desk.press_in(desk.trouble, "tryDownloadAgain")
    desk.until_said("Done")
    assert not desk.trouble.isVisible()
    assert [len(job.models) for job in desk.ended] == [3]


@pytest.mark.parametrize(
    ("references", "said"),
    [
        (["alice/target-GGUF"], "not a model on the Hub"),
        (["alice/target-GGUF:other.gguf"], "no model file other.gguf"),
        ([PAIR[0], "bob/draft-GGUF@v2:draft-Q8_0.gguf"], "different revisions"),
    ],
)
def test_what_cannot_be_looked_up(desk: Desk, references: list[str], said: str) -> None:
    desk.control.download(references)
    desk.until(desk.trouble.isVisible)
    assert said in desk.trouble.accessibleName()
    desk.press_in(desk.trouble, "closeDownloadTrouble")
    assert not desk.trouble.isVisible()


def test_other_downloads_go_on_meanwhile(hub: LocalHub, desk: Desk) -> None:
    hub.fault("/api/models/alice/*", Fault(stalled=3600))
    desk.control.download(PAIR[:1])
    desk.control.download(PAIR[1:])
    desk.until_said("Done")
    assert desk.found(PAIR[1]) == [DRAFT]


def test_a_silent_hub_does_not_hold_up_the_end(hub: LocalHub, patient: Desk) -> None:
    hub.fault("/api/models/*", STALLED, times=None)
    patient.control.download(PAIR)
    hub.wait_until(lambda: len(hub.requests) == 1)
    patient.control.close()
    assert not patient.file.exists()


# Changing one's mind


def test_pause_and_resume(hub: LocalHub, patient: Desk) -> None:
    stop_half_way(hub, patient)
    assert patient.counts == [1]
    patient.press("pauseDownload")
    patient.until_said("Paused")
    patient.until(lambda: patient.counts == [1, 0])
    patient.press("pauseDownload")
    patient.until_said("Done")
    assert patient.found(*PAIR) == [TARGET, DRAFT]
    assert hub.bytes_sent("/repos/*") <= len(TARGET) + len(DRAFT) + BLOCK


@pytest.mark.parametrize("answer", ["Keep what has arrived", "Delete it"])
def test_cancelling(hub: LocalHub, patient: Desk, answer: str) -> None:
    stop_half_way(hub, patient)
    patient.press("cancelDownload")
    asked = patient.pane.findChild(QMessageBox, "cancelQuestion")
    assert asked is not None
    next(button for button in asked.buttons() if button.text() == answer).click()
    patient.until_said()
    patient.control.close()
    left = list(patient.cache.folder.glob("models--*/blobs/*"))
    assert bool(left) is (answer == "Keep what has arrived")


def test_the_order_can_be_changed(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*", STALLED, times=None, after_bytes=100, origin="cdn")
    patient.control.set_pace(UiSettings(downloads_at_once=1))
    patient.control.download(PAIR[:1])
    patient.until_said("Downloading")
    patient.control.download(PAIR[1:])
    patient.until_said("Downloading", "Waiting")
    first, second = patient.pane._rows
    patient.press("moveDownloadUp", 1)
    patient.until(lambda: list(patient.pane._rows) == [second, first])


def test_the_pace(qtbot: QtBot, hub: LocalHub, patient: Desk) -> None:
    patient.control.set_pace(UiSettings(downloads_at_once=1, download_limit=5_000_000))
    stop_half_way_in_turn(hub, patient)
    (queue,) = patient.made
    assert (queue.parallel, queue.limit) == (1, 5_000_000)
    at_once = patient.pane.findChild(QComboBox, "downloadsAtOnce")
    assert at_once is not None
    assert at_once.currentText() == "1 at a time"
    at_once.setCurrentIndex(2)
    with qtbot.waitSignal(patient.control.pace_chosen) as chosen:
        at_once.activated.emit(2)
    assert chosen.args == [3, 5_000_000]
    patient.control.set_pace(UiSettings(downloads_at_once=3))
    patient.until(lambda: (queue.parallel, queue.limit) == (3, None))


def stop_half_way_in_turn(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*", STALLED, times=None, after_bytes=100, origin="cdn")
    patient.control.download(PAIR)
    patient.until_said("Downloading")


# From one run to the next


def test_it_goes_on_after_a_restart(qtbot: QtBot, hub: LocalHub, patient: Desk, tmp_path: Path) -> None:
    stop_half_way(hub, patient)
    patient.control.close()
    again = Desk(qtbot, hub.endpoint, tmp_path)
    again.control.start()
    again.until_said("Done")
    assert again.found(*PAIR) == [TARGET, DRAFT]
    assert hub.bytes_sent("/repos/*") <= len(TARGET) + len(DRAFT) + BLOCK
    again.control.close()


def test_what_is_done_is_shown_without_the_client(qtbot: QtBot, hub: LocalHub, desk: Desk, tmp_path: Path) -> None:
    desk.control.download(PAIR)
    desk.until_said("Done")
    desk.control.close()
    again = Desk(qtbot, hub.endpoint, tmp_path)
    again.control.start()
    again.until_said("Done")
    assert again.made == []
    again.press("clearDownload")
    again.until_said()
    again.control.close()


def test_with_nothing_to_do_the_client_is_not_imported(tmp_path: Path) -> None:
    script = f"""
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtWidgets import QApplication
from specchat.services.download_jobs import JobFile
from specchat.store.json_file import JsonFile
from specchat.ui.manager.download_control import DownloadControl
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.theme import LIGHT
application = QApplication([])
folder = Path({str(tmp_path)!r})
pane = DownloadPane(LIGHT)
control = DownloadControl(None, JobFile(JsonFile(folder / "jobs.json")), None, pane, folder)
control._tasks._finished.connect(application.quit)
control.start()
application.exec()
control.close()
print({{"huggingface_hub", "httpx2", "numpy", "keyring"}} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

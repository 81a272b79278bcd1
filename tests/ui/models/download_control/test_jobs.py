"""Downloads from a local Hub, as whoever sits before the window drives and sees them."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QMessageBox
from pytestqt.qtbot import QtBot
from support.downloading import BLOCK
from support.hub import LocalHub
from ui.models.download_control.desks import DRAFT, PAIR, STALLED, TARGET, Desk, stop_half_way

from specchat.services.hub.download_jobs import JobState
from specchat.services.settings.application_settings import ApplicationSettings


def test_a_pair_arrives_as_one_job(controller: Desk) -> None:
    controller.control.download(PAIR)
    controller.until_said("Done")
    controller.until(lambda: [job.state for job in controller.ended] == [JobState.DONE])
    assert [len(job.models) for job in controller.ended] == [2]
    assert controller.found(*PAIR) == [TARGET, DRAFT]
    assert controller.counts == [1, 0]
    assert not controller.trouble.isVisible()
    controller.press("clearDownload")
    controller.until_said()
    assert controller.found(*PAIR) == [TARGET, DRAFT]


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


@pytest.mark.parametrize("answer", ["Keep partial download", "Delete"])
def test_cancelling(hub: LocalHub, patient: Desk, answer: str) -> None:
    stop_half_way(hub, patient)
    patient.press("cancelDownload")
    asked = patient.pane.findChild(QMessageBox, "cancelQuestion")
    assert asked is not None
    next(button for button in asked.buttons() if button.text() == answer).click()
    patient.until_said()
    patient.control.close()
    left = list(patient.cache.folder.glob("models--*/blobs/*"))
    assert bool(left) is (answer == "Keep partial download")


def test_the_order_can_be_changed(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*", STALLED, times=None, after_bytes=100, origin="cdn")
    patient.settings.change(ApplicationSettings(downloads_at_once=1))
    patient.control.download(PAIR[:1])
    patient.until_said("Downloading")
    patient.control.download(PAIR[1:])
    patient.until_said("Downloading", "Waiting")
    first, second = patient.pane._rows
    patient.press("moveDownloadUp", 1)
    patient.until(lambda: list(patient.pane._rows) == [second, first])


def test_the_limits(hub: LocalHub, patient: Desk) -> None:
    patient.settings.change(ApplicationSettings(downloads_at_once=1, download_limit=5_000_000))
    stop_half_way_in_turn(hub, patient)
    (queue,) = patient.made
    assert (queue.parallel, queue.limit) == (1, 5_000_000)
    at_once = patient.pane.findChild(QComboBox, "downloadsAtOnce")
    assert at_once is not None
    assert at_once.currentText() == "1 at a time"
    at_once.setCurrentIndex(2)
    at_once.activated.emit(2)
    patient.until(lambda: (queue.parallel, queue.limit) == (3, 5_000_000))
    patient.settings.change(ApplicationSettings(downloads_at_once=3))
    patient.until(lambda: (queue.parallel, queue.limit) == (3, None))


def stop_half_way_in_turn(hub: LocalHub, patient: Desk) -> None:
    hub.fault("*", STALLED, times=None, after_bytes=100, origin="cdn")
    patient.control.download(PAIR)
    patient.until_said("Downloading")


def test_it_goes_on_after_a_restart(qtbot: QtBot, hub: LocalHub, patient: Desk, tmp_path: Path) -> None:
    stop_half_way(hub, patient)
    patient.control.close()
    again = Desk(qtbot, hub.endpoint, tmp_path)
    again.control.start()
    again.until_said("Done")
    assert again.found(*PAIR) == [TARGET, DRAFT]
    assert hub.bytes_sent("/repos/*") <= len(TARGET) + len(DRAFT) + BLOCK
    again.control.close()


def test_what_is_done_is_shown_without_the_client(
    qtbot: QtBot, hub: LocalHub, controller: Desk, tmp_path: Path
) -> None:
    controller.control.download(PAIR)
    controller.until_said("Done")
    controller.control.close()
    again = Desk(qtbot, hub.endpoint, tmp_path)
    again.control.start()
    again.until_said("Done")
    assert again.made == []
    again.press("clearDownload")
    again.until_said()
    again.control.close()


def test_what_was_deleted_can_be_downloaded_anew(qtbot: QtBot, hub: LocalHub, controller: Desk, tmp_path: Path) -> None:
    controller.control.download(PAIR)
    controller.until_said("Done")
    (done,) = controller.ended
    cache = controller.cache
    cache.remove(cache.snapshot_path(done.models[1].first))
    controller.control.refresh()
    controller.until_said("Incomplete")
    cache.remove(cache.snapshot_path(done.models[0].first))
    controller.control.refresh()
    controller.until_said("Deleted")
    controller.control.close()
    again = Desk(qtbot, hub.endpoint, tmp_path)
    again.control.start()
    again.until_said("Deleted")
    assert again.made == []
    again.press("downloadAnew")
    again.until_said("Done")
    assert again.found(*PAIR) == [TARGET, DRAFT]
    again.control.close()


def test_with_nothing_to_do_the_client_is_not_imported(tmp_path: Path) -> None:
    script = f"""
import os, sys
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from pathlib import Path
from PySide6.QtWidgets import QApplication
from specchat.services.hub.download_jobs import DownloadJobStore
from specchat.store.json_file import JsonFile
from specchat.ui.models.download_controller import DownloadController
from specchat.ui.models.download_pane import DownloadPane
from specchat.services.settings.application_settings import ApplicationSettingsFile
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.settings.settings_model import SettingsModel
application = QApplication([])
folder = Path({str(tmp_path)!r})
settings = SettingsModel(ApplicationSettingsFile(JsonFile(folder / "settings.json")))
pane = DownloadPane(settings, ManagerRequests())
jobs = DownloadJobStore(JsonFile(folder / "jobs.json"))
control = DownloadController(settings, None, jobs, None, None, pane, folder)
control._tasks._finished.connect(application.quit)
control.start()
application.exec()
control.close()
print({{"huggingface_hub", "httpx2", "numpy", "keyring"}} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

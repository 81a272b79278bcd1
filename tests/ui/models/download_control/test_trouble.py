from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot
from support.downloading import BLOCK
from support.hub import Fault, LfsFile, LocalHub
from ui.models.download_control.desks import DRAFT, PAIR, STALLED, TARGET, Desk

from specchat.services.hub.download_jobs import JobState


def test_a_connection_that_breaks_is_no_trouble(hub: LocalHub, controller: Desk) -> None:
    hub.fault("*/target-Q8_0.gguf", Fault(reset=True), times=3, after_bytes=BLOCK // 2, origin="cdn")
    hub.fault("*/draft-Q8_0.gguf", Fault(truncated=True), times=2, after_bytes=100, origin="cdn")
    controller.control.download(PAIR)
    controller.until_said("Done")
    assert controller.found(*PAIR) == [TARGET, DRAFT]


def test_what_is_refused_can_be_tried_again(qtbot: QtBot, hub: LocalHub, controller: Desk) -> None:
    hub.fault("*/resolve/*/draft-Q8_0.gguf", Fault(status=403, error_code="GatedRepo"), times=None)
    controller.control.download(PAIR)
    controller.until_said("Failed")
    controller.until(lambda: [job.state for job in controller.ended] == [JobState.FAILED])
    assert controller.found(*PAIR) == []
    assert controller.failures == [1]
    with qtbot.waitSignal(controller.pane.requests.token_requested):
        controller.press("enterToken")
    hub.clear_faults()
    controller.press("tryDownloadAgain")
    controller.until_said("Done")
    assert controller.found(*PAIR) == [TARGET, DRAFT]
    assert controller.failures == [1, 0]


def test_a_hub_that_is_busy(hub: LocalHub, controller: Desk) -> None:
    hub.fault("*/resolve/*/target-Q8_0.gguf", Fault(status=429, retry_after=29))
    controller.control.download(PAIR[:1])
    controller.until_said("Retrying")
    (row,) = controller.pane._rows.values()
    assert "Too many requests" in row.accessibleDescription()
    controller.press("pauseDownload")
    controller.until_said("Paused")
    controller.press("pauseDownload")
    controller.until_said("Done")


def test_a_licence_to_accept(qtbot: QtBot, hub: LocalHub, controller: Desk) -> None:
    reference = "carol/gated-GGUF:gated-Q8_0.gguf"
    hub.add("carol/gated-GGUF", {"gated-Q8_0.gguf": DRAFT}, gating="auto")
    hub.token(token := "hf_canary")
    controller.token = token
    controller.control.download([reference])
    controller.until_said("Failed")
    with qtbot.waitSignal(controller.pane.requests.web_page_requested) as asked:
        controller.press("openLicence")
    assert asked.args == [f"{hub.endpoint}/carol/gated-GGUF"]
    hub.token(token, accepted=["carol/gated-GGUF"])
    controller.press("tryDownloadAgain")
    controller.until_said("Done")
    assert controller.found(reference) == [DRAFT]
    assert token not in controller.file.read_text()


def test_no_room(hub: LocalHub, controller: Desk, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    hub.add("carol/vast-GGUF", {"vast-Q8_0.gguf": LfsFile(tmp_path / "empty", "ab" * 32, 1 << 60)})
    controller.control.download(["carol/vast-GGUF:vast-Q8_0.gguf"])
    controller.until_said("Failed")
    (row,) = controller.pane._rows.values()
    problem = row.findChild(QWidget, "downloadProblem")
    assert problem is not None
    said = problem.property("plainText")
    assert "GB more" in said
    assert "GB free" in said


def test_what_is_not_found_can_be_looked_for_again(hub: LocalHub, controller: Desk) -> None:
    controller.control.download([*PAIR, "carol/late-GGUF:late-Q8_0.gguf"])
    asking = controller.pane.findChild(QLabel, "downloadAsking")
    assert asking is not None
    assert asking.isVisible()
    assert "target-Q8_0, draft-Q8_0 and late-Q8_0" in asking.text()
    controller.until(controller.trouble.isVisible)
    assert not asking.isVisible()
    assert "carol/late-GGUF" in controller.trouble.accessibleName()
    assert controller.made == []
    hub.add("carol/late-GGUF", {"late-Q8_0.gguf": DRAFT})
    controller.press_in(controller.trouble, "tryDownloadAgain")
    controller.until_said("Done")
    assert not controller.trouble.isVisible()
    controller.until(lambda: bool(controller.ended))
    assert [len(job.models) for job in controller.ended] == [3]


@pytest.mark.parametrize(
    ("references", "said"),
    [
        (["alice/target-GGUF"], "not a model on the Hub"),
        (["alice/target-GGUF:other.gguf"], "no model file other.gguf"),
        ([PAIR[0], "bob/draft-GGUF@v2:draft-Q8_0.gguf"], "different revisions"),
    ],
)
def test_what_cannot_be_looked_up(controller: Desk, references: list[str], said: str) -> None:
    controller.control.download(references)
    controller.until(controller.trouble.isVisible)
    assert said in controller.trouble.accessibleName()
    controller.press_in(controller.trouble, "closeDownloadTrouble")
    assert not controller.trouble.isVisible()


def test_other_downloads_go_on_meanwhile(hub: LocalHub, controller: Desk) -> None:
    hub.fault("/api/models/alice/*", Fault(stalled=3600))
    controller.control.download(PAIR[:1])
    controller.control.download(PAIR[1:])
    controller.until_said("Done")
    assert controller.found(PAIR[1]) == [DRAFT]


def test_a_silent_hub_does_not_hold_up_the_end(hub: LocalHub, patient: Desk) -> None:
    hub.fault("/api/models/*", STALLED, times=None)
    patient.control.download(PAIR)
    hub.wait_until(lambda: len(hub.requests) == 1)
    patient.control.close()
    assert not patient.file.exists()

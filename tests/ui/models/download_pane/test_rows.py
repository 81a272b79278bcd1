from dataclasses import replace
from datetime import datetime

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from ui.models.download_pane.panes import (
    BUSY,
    DRAFT,
    FULL,
    LICENCE,
    NO_REVISION,
    NO_TOKEN,
    TARGET,
    job,
    offered,
    part,
    press,
    rows,
)

from specchat.domain.errors import UserError
from specchat.domain.hub import RetryPause
from specchat.services.hub.download_jobs import DownloadStatus, JobState
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.widgets.controls import ElidedLabel

PAUSE = RetryPause(60, datetime(2026, 5, 1, 14, 5), datetime(2026, 5, 1, 14, 15))


@pytest.mark.parametrize(
    ("shown", "spoken", "buttons"),
    [
        (job(JobState.WAITING, part=0), "Waiting, 0.0 of 5.2\u00a0GB", {"pauseDownload", "cancelDownload"}),
        (job(JobState.RUNNING), "Downloading, 3.1 of 5.2\u00a0GB", {"pauseDownload", "cancelDownload"}),
        (
            replace(job(JobState.RUNNING, part=1), is_checking=True),
            "Checking, 5.2 of 5.2\u00a0GB",
            {"pauseDownload", "cancelDownload"},
        ),
        (
            replace(job(JobState.RUNNING, part=0), again=BUSY),
            "Retrying, 0.0 of 5.2\u00a0GB, The Hub is busy.",
            {"pauseDownload", "cancelDownload"},
        ),
        (job(JobState.INSTALLING, part=1), "Installing, 5.2 of 5.2\u00a0GB", set()),
        (job(JobState.PAUSED), "Paused, 3.1 of 5.2\u00a0GB", {"pauseDownload", "cancelDownload"}),
        (job(JobState.FAILED, error=FULL), "Failed, 3.1 of 5.2\u00a0GB", {"cancelDownload", "tryDownloadAgain"}),
        (job(JobState.DONE, part=1), "Done, 5.2\u00a0GB", {"chatWithDownload", "clearDownload"}),
        (
            replace(job(JobState.DONE, part=1), gone=(TARGET, DRAFT)),
            "Deleted, 5.2\u00a0GB",
            {"downloadAnew", "clearDownload"},
        ),
        (
            replace(job(JobState.DONE, part=1), gone=(DRAFT,)),
            "Incomplete, 500\u00a0MB, Deleted: Sea-1B-Q8_0",
            {"downloadAnew", "clearDownload"},
        ),
    ],
)
def test_states(pane: DownloadPane, shown: DownloadStatus, spoken: str, buttons: set[str]) -> None:
    pane.show_jobs([shown])
    (row,) = rows(pane)
    assert row.accessibleName() == "Sea-7B-Q4_K_M and Sea-1B-Q8_0"
    assert row.accessibleDescription() == spoken
    assert offered(row) == buttons


def test_a_pair_is_one_row_with_two_names(pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING), job(JobState.WAITING, 2, models=(DRAFT,))])
    names = [[label.text() for label in row.findChildren(ElidedLabel)] for row in rows(pane)]
    assert names == [["Sea-7B-Q4_K_M", "with Sea-1B-Q8_0"], ["Sea-1B-Q8_0", "sea/fish-GGUF"]]


def test_why_it_is_tried_again_stands_in_the_second_line(pane: DownloadPane) -> None:
    running = job(JobState.RUNNING, speed=1e6)
    for shown, second in (
        (running, "with Sea-1B-Q8_0"),
        (replace(running, again=BUSY), "The Hub is busy."),
        (
            replace(running, again=BUSY, pause=PAUSE),
            "The Hub is busy. specchat will retry at 2:05\u202fPM and give up at 2:15\u202fPM.",
        ),
        (running, "with Sea-1B-Q8_0"),
        (replace(job(JobState.PAUSED), again=BUSY), "with Sea-1B-Q8_0"),
    ):
        pane.show_jobs([shown])
        assert [label.text() for label in rows(pane)[0].findChildren(ElidedLabel)][1] == second


def test_buttons_say_what_is_wanted(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING, 4)])
    (row,) = rows(pane)
    with qtbot.waitSignal(pane.requests.pause_requested) as paused:
        press(row, "pauseDownload")
    pane.show_jobs([job(JobState.PAUSED, 4)])
    assert part(row, "pauseDownload").accessibleName() == "Resume"
    with qtbot.waitSignal(pane.requests.resume_requested) as resumed:
        press(row, "pauseDownload")
    pane.show_jobs([job(JobState.FAILED, 4, error=FULL)])
    with qtbot.waitSignal(pane.requests.resume_requested) as again:
        press(row, "tryDownloadAgain")
    pane.show_jobs([done := job(JobState.DONE, 4)])
    with qtbot.waitSignal(pane.requests.chat_requested) as chat:
        press(row, "chatWithDownload")
    with qtbot.waitSignal(pane.requests.download_removal_requested) as cleared:
        press(row, "clearDownload")
    assert [each.args for each in (paused, resumed, again, chat)] == [[4], [4], [4], [done.job]]
    assert cleared.args == [4, False]
    pane.show_jobs([replace(done, gone=done.job.models)])
    with qtbot.waitSignal(pane.requests.redownload_requested) as anew:
        press(row, "downloadAnew")
    assert anew.args == [done.job]


@pytest.mark.parametrize(
    ("error", "extra"),
    [(FULL, set()), (LICENCE, {"openLicence"}), (NO_TOKEN, {"enterToken"}), (NO_REVISION, set())],
)
def test_what_can_be_done_about_a_failure(pane: DownloadPane, error: UserError, extra: set[str]) -> None:
    pane.show_jobs([job(JobState.FAILED, error=error)])
    (row,) = rows(pane)
    assert offered(row) == {"cancelDownload", "tryDownloadAgain"} | extra
    assert part(row, "downloadProblem").property("plainText") == error.message
    assert part(row, "downloadHint").property("plainText") == error.hint


def test_ways_out_of_a_failure(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.FAILED, error=LICENCE), job(JobState.FAILED, 2, error=NO_TOKEN)])
    first, second = rows(pane)
    with qtbot.waitSignal(pane.requests.web_page_requested) as page:
        press(first, "openLicence")
    assert page.args == ["https://hub.example/sea/fish-GGUF"]
    with qtbot.waitSignal(pane.requests.token_requested):
        press(second, "enterToken")


def question(pane: DownloadPane) -> QMessageBox:
    asked = pane.findChild(QMessageBox, "cancelQuestion")
    assert isinstance(asked, QMessageBox)
    return asked


@pytest.mark.parametrize(("answer", "keep"), [("Keep partial download", True), ("Delete", False)])
def test_cancelling_asks_about_what_has_arrived(qtbot: QtBot, pane: DownloadPane, answer: str, keep: bool) -> None:
    pane.show_jobs([job(JobState.RUNNING, 3)])
    press(rows(pane)[0], "cancelDownload")
    asked = question(pane)
    assert "Sea-7B-Q4_K_M and Sea-1B-Q8_0" in asked.text()
    assert "3.1\u00a0GB" in asked.informativeText()
    with qtbot.waitSignal(pane.requests.download_removal_requested) as removed:
        next(button for button in asked.buttons() if button.text() == answer).click()
    assert removed.args == [3, keep]


def test_cancelling_can_be_thought_better_of(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING)])
    press(rows(pane)[0], "cancelDownload")
    with qtbot.assertNotEmitted(pane.requests.download_removal_requested):
        QTest.keyClick(question(pane), Qt.Key.Key_Escape)


def test_where_nothing_has_arrived_nothing_is_asked(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.WAITING, 3, part=0)])
    with qtbot.waitSignal(pane.requests.download_removal_requested) as removed:
        press(rows(pane)[0], "cancelDownload")
    assert removed.args == [3, False]


def test_moving_goes_past_what_is_done(qtbot: QtBot, pane: DownloadPane) -> None:
    states = (JobState.RUNNING, JobState.DONE, JobState.WAITING, JobState.PAUSED)
    pane.show_jobs([job(state, number) for number, state in enumerate(states, 1)])
    first, done, third, last = rows(pane)
    assert "moveDownloadUp" not in offered(first) | offered(done)
    assert "moveDownloadDown" not in offered(last) | offered(done)
    with qtbot.waitSignal(pane.requests.move_requested) as up:
        press(third, "moveDownloadUp")
    with qtbot.waitSignal(pane.requests.move_requested) as down:
        press(first, "moveDownloadDown")
    assert (up.args, down.args) == ([3, 0], [1, 2])


def test_the_focus_stays_with_the_button(qtbot: QtBot, pane: DownloadPane) -> None:
    jobs = [job(JobState.WAITING, number) for number in (1, 2, 3)]
    pane.show_jobs(jobs)
    pane.activateWindow()
    button = part(rows(pane)[2], "moveDownloadUp")
    qtbot.waitUntil(button.isVisible)
    button.setFocus()
    for order in ((0, 2, 1), (2, 0, 1)):
        pane.show_jobs([jobs[number] for number in order])
        row = pane._rows[3]
        wanted = part(row, "moveDownloadUp") if order[0] == 0 else row
        qtbot.waitUntil(lambda: wanted.isVisible() and wanted.hasFocus())  # noqa: B023


def test_rows_stay_while_numbers_change(pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING, 1), job(JobState.WAITING, 2)])
    before = rows(pane)
    pane.show_jobs([job(JobState.RUNNING, 1, part=0.7), job(JobState.RUNNING, 2)])
    assert rows(pane) == before
    pane.show_jobs([job(JobState.RUNNING, 2)])
    assert [row.number for row in rows(pane)] == [2]

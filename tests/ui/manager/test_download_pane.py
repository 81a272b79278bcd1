from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QMessageBox, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.errors import HubAccessError, SettingError, StorageFullError, UserError
from specchat.domain.hub import FileKind, RemoteFile, RemoteModel
from specchat.domain.said import Said
from specchat.services.download_jobs import Job, JobState, Problem, ShownJob
from specchat.ui.controls import ElidedLabel
from specchat.ui.manager import download_words as words
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.manager.download_row import DownloadRow
from specchat.ui.theme import DARK, LIGHT

GIGA = 1_000_000_000
BUTTONS = (
    "moveDownloadUp",
    "moveDownloadDown",
    "pauseDownload",
    "cancelDownload",
    "chatWithDownload",
    "clearDownload",
    "tryDownloadAgain",
    "openLicence",
    "enterToken",
)
LICENCE = HubAccessError(
    "You have not accepted the licence of {repo} yet.",
    "Open {page}, accept it there, then try again.",
    repo="sea/fish-GGUF",
    page="https://hub.example/sea/fish-GGUF",
)
NO_TOKEN = HubAccessError("{repo} is not open.", "Make a token at {tokens}.", repo="sea/fish-GGUF", tokens="https://x")
NO_REVISION = UserError("There is no such revision.", "Choose one from {page}.", page="https://hub.example/sea")
BUSY = Said("{host} is busy.", host="The Hub")
FULL = StorageFullError("There is no room.", "Free some space.")


def model(path: str, size: float, repo: str = "sea/fish-GGUF") -> RemoteModel:
    return RemoteModel((RemoteFile(repo, "c" * 40, path, round(size * GIGA), "a" * 64),), FileKind.MODEL, "Q4_K_M")


TARGET, DRAFT = model("Sea-7B-Q4_K_M.gguf", 4.7), model("folder/Sea-1B-Q8_0-00001-of-00002.gguf", 0.5)


def job(
    state: JobState,
    number: int = 1,
    part: float = 0.6,
    speed: float = 0.0,
    error: UserError | None = None,
    models: tuple[RemoteModel, ...] = (TARGET, DRAFT),
) -> ShownJob:
    made = Job(number, models, "main", state, problem=Problem.of(error) if error else None)
    done = round(part * made.size)
    return ShownJob(made, done, done, speed, is_checking=False)


@pytest.fixture
def pane(qtbot: QtBot) -> DownloadPane:
    made = DownloadPane(LIGHT)
    qtbot.addWidget(made)
    made.resize(640, 480)
    made.show()
    qtbot.waitExposed(made)
    return made


def rows(pane: DownloadPane) -> list[DownloadRow]:
    return [pane._rows[number] for number in pane._rows]


def part(row: QWidget, name: str) -> QWidget:
    found = row.findChild(QWidget, name)
    assert isinstance(found, QWidget)
    return found


def press(row: QWidget, name: str) -> None:
    QTest.mouseClick(part(row, name), Qt.MouseButton.LeftButton)


def offered(row: DownloadRow) -> set[str]:
    """Buttons that can be pressed."""
    found = {name: part(row, name) for name in BUTTONS}
    return {name for name, button in found.items() if button.isVisibleTo(row) and button.isEnabled()}


@pytest.mark.parametrize(
    ("shown", "spoken", "buttons"),
    [
        (job(JobState.WAITING, part=0), "Waiting, 0.0 of 5.2 GB", {"pauseDownload", "cancelDownload"}),
        (job(JobState.RUNNING), "Downloading, 3.1 of 5.2 GB", {"pauseDownload", "cancelDownload"}),
        (
            replace(job(JobState.RUNNING, part=1), is_checking=True),
            "Checking, 5.2 of 5.2 GB",
            {"pauseDownload", "cancelDownload"},
        ),
        (
            replace(job(JobState.RUNNING, part=0), again=BUSY),
            "Trying again, 0.0 of 5.2 GB, The Hub is busy.",
            {"pauseDownload", "cancelDownload"},
        ),
        (job(JobState.INSTALLING, part=1), "Installing, 5.2 of 5.2 GB", set()),
        (job(JobState.PAUSED), "Paused, 3.1 of 5.2 GB", {"pauseDownload", "cancelDownload"}),
        (job(JobState.FAILED, error=FULL), "Failed, 3.1 of 5.2 GB", {"cancelDownload", "tryDownloadAgain"}),
        (job(JobState.DONE, part=1), "Done, 5.2 GB", {"chatWithDownload", "clearDownload"}),
    ],
)
def test_states(pane: DownloadPane, shown: ShownJob, spoken: str, buttons: set[str]) -> None:
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
        (running, "with Sea-1B-Q8_0"),
        (replace(job(JobState.PAUSED), again=BUSY), "with Sea-1B-Q8_0"),
    ):
        pane.show_jobs([shown])
        assert [label.text() for label in rows(pane)[0].findChildren(ElidedLabel)][1] == second


def test_what_is_fetched_again_has_a_speed_and_no_end() -> None:
    shown = replace(job(JobState.RUNNING, part=1, speed=2e6), again=BUSY)
    pace = words.Pace()
    assert [pace.words(shown) for _ in range(9)] == 9 * [("2.0 MB/s", "")]


def test_buttons_say_what_is_wanted(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING, 4)])
    (row,) = rows(pane)
    with qtbot.waitSignal(pane.pauseWanted) as paused:
        press(row, "pauseDownload")
    pane.show_jobs([job(JobState.PAUSED, 4)])
    assert part(row, "pauseDownload").accessibleName() == "Resume"
    with qtbot.waitSignal(pane.resumeWanted) as resumed:
        press(row, "pauseDownload")
    pane.show_jobs([job(JobState.FAILED, 4, error=FULL)])
    with qtbot.waitSignal(pane.resumeWanted) as again:
        press(row, "tryDownloadAgain")
    pane.show_jobs([done := job(JobState.DONE, 4)])
    with qtbot.waitSignal(pane.chatWanted) as chat:
        press(row, "chatWithDownload")
    with qtbot.waitSignal(pane.removeWanted) as cleared:
        press(row, "clearDownload")
    assert [each.args for each in (paused, resumed, again, chat)] == [[4], [4], [4], [done.job]]
    assert cleared.args == [4, False]


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
    with qtbot.waitSignal(pane.pageWanted) as page:
        press(first, "openLicence")
    assert page.args == ["https://hub.example/sea/fish-GGUF"]
    with qtbot.waitSignal(pane.tokenWanted):
        press(second, "enterToken")


# Cancelling


def question(pane: DownloadPane) -> QMessageBox:
    asked = pane.findChild(QMessageBox, "cancelQuestion")
    assert isinstance(asked, QMessageBox)
    return asked


@pytest.mark.parametrize(("answer", "keep"), [("Keep what has arrived", True), ("Delete it", False)])
def test_cancelling_asks_about_what_has_arrived(qtbot: QtBot, pane: DownloadPane, answer: str, keep: bool) -> None:
    pane.show_jobs([job(JobState.RUNNING, 3)])
    press(rows(pane)[0], "cancelDownload")
    asked = question(pane)
    assert "Sea-7B-Q4_K_M and Sea-1B-Q8_0" in asked.text()
    assert "3.1 GB" in asked.informativeText()
    with qtbot.waitSignal(pane.removeWanted) as removed:
        next(button for button in asked.buttons() if button.text() == answer).click()
    assert removed.args == [3, keep]


def test_cancelling_can_be_thought_better_of(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING)])
    press(rows(pane)[0], "cancelDownload")
    with qtbot.assertNotEmitted(pane.removeWanted):
        QTest.keyClick(question(pane), Qt.Key.Key_Escape)


def test_where_nothing_has_arrived_nothing_is_asked(qtbot: QtBot, pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.WAITING, 3, part=0)])
    with qtbot.waitSignal(pane.removeWanted) as removed:
        press(rows(pane)[0], "cancelDownload")
    assert removed.args == [3, False]


# Order


def test_moving_goes_past_what_is_done(qtbot: QtBot, pane: DownloadPane) -> None:
    states = (JobState.RUNNING, JobState.DONE, JobState.WAITING, JobState.PAUSED)
    pane.show_jobs([job(state, number) for number, state in enumerate(states, 1)])
    first, done, third, last = rows(pane)
    assert "moveDownloadUp" not in offered(first) | offered(done)
    assert "moveDownloadDown" not in offered(last) | offered(done)
    with qtbot.waitSignal(pane.moveWanted) as up:
        press(third, "moveDownloadUp")
    with qtbot.waitSignal(pane.moveWanted) as down:
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


# Figures


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, ""),
        (0, "less than a minute"),
        (29, "less than a minute"),
        (50, "about a minute"),
        (4 * 60 + 10, "about 4 minutes"),
        (38 * 60, "about 40 minutes"),
        (100 * 60, "about 2 hours"),
        (26 * 3600, "about 26 hours"),
        (70 * 3600, "about 3 days"),
    ],
)
def test_time_left(seconds: float | None, said: str) -> None:
    assert words.time_left(seconds, words.Steady()) == said


@pytest.mark.parametrize(
    ("per_second", "said"),
    [(0, ""), (340, "0 kB/s"), (47_200, "47 kB/s"), (3_140_000, "3.1 MB/s"), (112e6, "112 MB/s")],
)
def test_speed(per_second: float, said: str) -> None:
    assert words.speed(per_second, words.Steady()) == said


@pytest.mark.parametrize(
    ("done", "whole", "said"),
    [
        (0, 12_345, "0 of 12 kB"),
        (3_000_000, 40_000_000, "3 of 40 MB"),
        (999_999_999, 5 * GIGA, "1.0 of 5.0 GB"),
    ],
)
def test_amounts(done: int, whole: int, said: str) -> None:
    assert words.amount(done, whole) == said


def test_no_digit_flickers() -> None:
    speed, time = words.Steady(), words.Steady()
    assert {words.speed(each, speed) for each in (12.4e6, 12.6e6, 12.4e6, 11.5e6)} == {"12 MB/s"}
    assert {words.time_left(each, time) for each in (4 * 60, 4.6 * 60, 3.4 * 60)} == {"about 4 minutes"}


def test_the_time_left_waits_for_a_speed_to_trust() -> None:
    pace, shown = words.Pace(), job(JobState.RUNNING, speed=10e6)
    said = [pace.words(shown)[1] for _ in range(7)]
    assert said[0] == ""
    assert said[-1] == "about 3 minutes"
    assert pace.words(job(JobState.PAUSED)) == ("", "")
    assert pace.words(shown)[1] == ""


# Around the list


def test_nothing_to_download(qtbot: QtBot, pane: DownloadPane) -> None:
    assert part(pane, "noDownloads").isVisible()
    assert pane.findChild(QLabel, "noDownloads").text() == "Nothing is being downloaded"  # type: ignore[union-attr]
    with qtbot.waitSignal(pane.hubWanted):
        press(pane, "findModelsToDownload")
    pane.show_jobs([job(JobState.RUNNING)])
    assert not part(pane, "noDownloads").isVisible()


def test_the_pace(qtbot: QtBot, pane: DownloadPane) -> None:
    at_once, limit = pane.findChild(QComboBox, "downloadsAtOnce"), pane.findChild(QComboBox, "downloadLimit")
    assert at_once is not None
    assert limit is not None
    pane.show_pace(3, 5_000_000)
    assert (at_once.currentText(), limit.currentText()) == ("3 at a time", "Up to 5 MB/s")
    assert [at_once.itemText(index) for index in range(at_once.count())] == [f"{n} at a time" for n in (1, 2, 3, 4)]
    limit.setCurrentIndex(limit.findText("No speed limit"))
    with qtbot.waitSignal(pane.paceWanted) as chosen:
        limit.activated.emit(limit.currentIndex())
    assert chosen.args == [3, 0]
    pane.show_pace(9, 2_500_000)
    assert (at_once.currentText(), limit.currentText()) == ("9 at a time", "Up to 2.5 MB/s")


def test_a_problem_of_no_row(qtbot: QtBot, pane: DownloadPane) -> None:
    card = part(pane, "downloadTrouble")
    pane.show_problem(NO_TOKEN)
    assert card.isVisible()
    assert card.accessibleName() == f"{NO_TOKEN.message} {NO_TOKEN.hint}"
    with qtbot.waitSignal(pane.tokenWanted):
        press(card, "enterToken")
    with qtbot.waitSignal(pane.againWanted):
        press(card, "tryDownloadAgain")
    with qtbot.waitSignal(pane.dismissed):
        press(card, "closeDownloadTrouble")
    assert not card.isVisible()
    pane.show_problem(SettingError("No.", "Try."))
    pane.show_problem(None)
    assert not card.isVisible()


def test_what_is_looked_up(pane: DownloadPane) -> None:
    asking = part(pane, "downloadAsking")
    assert not asking.isVisible()
    pane.show_asking(["Sea-7B", "Sea-1B"])
    assert asking.isVisible()
    assert asking.property("text") == "Asking the Hub for Sea-7B and Sea-1B…"


# Looks


@pytest.mark.parametrize("pixels", [15, 17])
def test_everything_fits_at_any_width(
    qtbot: QtBot, pane: DownloadPane, choose_text_size: Callable[[int], None], pixels: int
) -> None:
    choose_text_size(pixels)
    long = model(f"{'Sea-of-long-names-' * 6}Q4_K_M.gguf", 42.8, repo=f"sea/{'fish-' * 20}GGUF")
    pane.show_problem(LICENCE)
    pane.show_asking(["Sea-7B" * 20])
    failed = job(JobState.FAILED, 2, error=LICENCE, models=(long, long))
    pane.show_jobs([job(JobState.RUNNING, 1, speed=112e6, models=(long,)), failed, job(JobState.DONE, 3)])
    pane.resize(379, 700)
    qtbot.waitUntil(lambda: pane.width() == 379)
    texts = [text for text in pane.findChildren(QTextEdit) if text.isVisible()]
    assert len(texts) == 4
    for text in texts:
        qtbot.waitUntil(lambda: text.viewport().height() >= text.document().size().height())  # noqa: B023
    for row in rows(pane):
        for name in offered(row):
            place = part(row, name)
            right = place.mapTo(pane, place.rect().bottomRight())
            assert right.x() < pane.width(), name


def test_themes(pane: DownloadPane) -> None:
    states = [JobState.RUNNING, JobState.PAUSED, JobState.DONE]
    pane.show_jobs([job(state, number) for number, state in enumerate(states)])
    pane.show_problem(FULL)
    light = pane.grab().toImage()
    pane.set_theme(DARK)
    assert pane.grab().toImage() != light


def test_names_for_tests_and_screen_readers(pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING)])
    assert part(pane, "downloadList").accessibleName() == "Downloads"
    for name in ("moveDownloadUp", "moveDownloadDown", "pauseDownload", "cancelDownload"):
        assert part(rows(pane)[0], name).accessibleName()
    for name in ("downloadsAtOnce", "downloadLimit"):
        assert part(pane, name).accessibleName()

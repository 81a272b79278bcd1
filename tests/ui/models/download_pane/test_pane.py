from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QTextEdit
from pytestqt.qtbot import QtBot
from ui.models.download_pane.panes import FULL, LICENCE, NO_TOKEN, job, model, offered, part, press, rows

from specchat.domain.errors import SettingError
from specchat.services.hub.download_jobs import JobState
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.download_progress import DownloadStatsLine
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme


def test_nothing_to_download(qtbot: QtBot, pane: DownloadPane) -> None:
    assert part(pane, "noDownloads").isVisible()
    assert pane.findChild(QLabel, "noDownloads").text() == "No downloads"  # type: ignore[union-attr]
    with qtbot.waitSignal(pane.requests.pane_requested) as page:
        press(pane, "findModelsToDownload")
    assert page.args == [ManagerSection.HUB]
    pane.show_jobs([job(JobState.RUNNING)])
    assert not part(pane, "noDownloads").isVisible()


def test_the_limits(pane: DownloadPane, settings_model: SettingsModel) -> None:
    at_once, limit = pane.findChild(QComboBox, "downloadsAtOnce"), pane.findChild(QComboBox, "downloadLimit")
    assert at_once is not None
    assert limit is not None
    settings_model.change(ApplicationSettings(downloads_at_once=3, download_limit=5_000_000))
    assert (at_once.currentText(), limit.currentText()) == ("3 at a time", "Up to 5 MB/s")
    assert [at_once.itemText(index) for index in range(at_once.count())] == [f"{n} at a time" for n in (1, 2, 3, 4)]
    limit.setCurrentIndex(limit.findText("No speed limit"))
    limit.activated.emit(limit.currentIndex())
    assert settings_model.value == ApplicationSettings(downloads_at_once=3, download_limit=0)
    settings_model.change(ApplicationSettings(downloads_at_once=9, download_limit=2_500_000))
    assert (at_once.currentText(), limit.currentText()) == ("9 at a time", "Up to 2.5 MB/s")


def test_a_problem_of_no_row(qtbot: QtBot, pane: DownloadPane) -> None:
    card = part(pane, "downloadTrouble")
    pane.show_problem(NO_TOKEN)
    assert card.isVisible()
    assert (card.accessibleName(), card.accessibleDescription()) == (NO_TOKEN.message, NO_TOKEN.hint)
    with qtbot.waitSignal(pane.requests.token_requested):
        press(card, "enterToken")
    with qtbot.waitSignal(pane.requests.downloads_retry_requested):
        press(card, "tryDownloadAgain")
    with qtbot.waitSignal(pane.requests.download_problem_dismissed):
        press(card, "closeDownloadTrouble")
    assert not card.isVisible()
    pane.show_problem(SettingError("No.", "Try."))
    pane.show_problem(None)
    assert not card.isVisible()


def test_what_is_looked_up(pane: DownloadPane) -> None:
    asking = part(pane, "downloadAsking")
    assert not asking.isVisible()
    pane.show_lookups(["Sea-7B", "Sea-1B"])
    assert asking.isVisible()
    assert asking.property("text") == "Looking up Sea-7B and Sea-1B on Hugging Face…"


@pytest.mark.parametrize("pixels", [15, 17])
def test_everything_fits_at_any_width(
    qtbot: QtBot, pane: DownloadPane, choose_text_size: Callable[[int], None], pixels: int
) -> None:
    choose_text_size(pixels)
    long = model(f"{'Sea-of-long-names-' * 6}Q4_K_M.gguf", 42.8, repo=f"sea/{'fish-' * 20}GGUF")
    pane.show_problem(LICENCE)
    pane.show_lookups(["Sea-7B" * 20])
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
    set_current_theme(DARK)
    assert pane.grab().toImage() != light


def test_what_is_done_is_told_in_the_colours_of_the_theme(
    qtbot: QtBot, pane: DownloadPane, settings_model: SettingsModel
) -> None:
    pane.show_jobs([job(JobState.DONE)])
    set_current_theme(DARK)
    other = DownloadPane(settings_model, ManagerRequests())
    qtbot.addWidget(other)
    other.show_jobs([job(JobState.DONE)])
    other.resize(pane.size())
    figures = [each.findChildren(DownloadStatsLine)[0].grab().toImage() for each in (pane, other)]
    assert figures[0] == figures[1]


def test_names_for_tests_and_screen_readers(pane: DownloadPane) -> None:
    pane.show_jobs([job(JobState.RUNNING)])
    assert part(pane, "downloadList").accessibleName() == "Downloads"
    for name in ("moveDownloadUp", "moveDownloadDown", "pauseDownload", "cancelDownload"):
        assert part(rows(pane)[0], name).accessibleName()
    for name in ("downloadsAtOnce", "downloadLimit"):
        assert part(pane, name).accessibleName()

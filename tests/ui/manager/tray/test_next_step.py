from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui.manager.tray.trays import HERE, THERE, click, find, shown_job

from specchat.services.hub.download_jobs import JobState
from specchat.services.models.pair_values import Fit
from specchat.ui.manager.tray import PairTray
from specchat.ui.manager.tray_step import Act, Situation, Step, next_step

DOWNLOADING = {THERE.reference: shown_job(JobState.RUNNING, 430)}
PAIR = Situation(HERE, replace(THERE, here=True), checked=True, fit=Fit.FITS)
REMOTE = Situation(replace(THERE, reference="a/sea:t.gguf", size=4_500_000_000), THERE, checked=True, fit=Fit.FITS)


@pytest.mark.parametrize(
    ("now", "act", "words", "note"),
    [
        (Situation(), Act.WAIT, "Chat with this pair", "Choose a target first."),
        (Situation(draft=THERE), Act.WAIT, "Download 700 MB", "Choose a target first."),
        (replace(PAIR, checked=False), Act.WAIT, "Chat with this pair", "Reading what the models say of themselves…"),
        (replace(PAIR, obstacle="No."), Act.WAIT, "Chat with this pair", "No."),
        (replace(REMOTE, obstacle="No."), Act.WAIT, "Download 5.2 GB", "No."),
        *(
            (
                replace(PAIR, draft=THERE, obstacle="No.", downloads={THERE.reference: shown_job(state, 430)}),
                Act.WAIT,
                words,
                "No.",
            )
            for state, words in ((JobState.FAILED, "Download failed"), (JobState.PAUSED, "Paused at 43 %"))
        ),
        (PAIR, Act.CHAT, "Chat with this pair", ""),
        (REMOTE, Act.DOWNLOAD, "Download 5.2 GB", ""),
        (replace(PAIR, draft=THERE), Act.DOWNLOAD, "Download 700 MB", ""),
        (replace(PAIR, draft=replace(THERE, size=0)), Act.DOWNLOAD, "Download", ""),
        (
            replace(PAIR, draft=None),
            Act.CHAT,
            "Chat with this model",
            "Without a draft, guesses come from earlier text: they repeat what was said before.",
        ),
        (
            replace(PAIR, fit=Fit.TIGHT),
            Act.CHAT,
            "Chat with this pair",
            "Hardly anything stays free: other programs may become slow.",
        ),
        (
            replace(PAIR, fit=Fit.DOES_NOT_FIT),
            Act.CHAT,
            "Load anyway",
            "It does not fit: loading may fail or be very slow.",
        ),
        (
            replace(PAIR, fit=Fit.DOES_NOT_FIT, suggestion=""),
            Act.CHAT,
            "Load anyway",
            "No settings fit: choose a smaller model.",
        ),
        (
            replace(REMOTE, fit=Fit.DOES_NOT_FIT, suggestion="cache q8_0 instead of f16"),
            Act.DOWNLOAD,
            "Download 5.2 GB anyway",
            "It would fit with cache q8_0 instead of f16.",
        ),
        (replace(PAIR, changed="this"), Act.CHAT, "Chat with this pair", "Changed: this."),
        (
            replace(PAIR, draft=THERE, downloads=DOWNLOADING),
            Act.SHOW_DOWNLOADS,
            "Downloading 43 %",
            "Click to see the list of downloads.",
        ),
        (
            replace(PAIR, draft=THERE, downloads={THERE.reference: shown_job(JobState.FAILED, 430)}),
            Act.RESUME,
            "Try again",
            "The download failed at 43 %. No network.",
        ),
        (replace(REMOTE, downloads=DOWNLOADING), Act.DOWNLOAD, "Download 4.5 GB", ""),
    ],
)
def test_what_to_do_next(now: Situation, act: Act, words: str, note: str) -> None:
    step = next_step(now)
    assert (step.act, step.words, step.note) == (act, words, note)


def test_of_several_downloads_the_worst_is_told() -> None:
    assert REMOTE.target is not None
    jobs = {
        THERE.reference: shown_job(JobState.RUNNING, 900),
        REMOTE.target.reference: shown_job(JobState.PAUSED, 100, REMOTE.target, number=2),
    }
    assert next_step(replace(REMOTE, downloads=jobs)).words == "Paused at 50 %"
    one = shown_job(JobState.WAITING, 250)
    assert next_step(replace(REMOTE, downloads=dict.fromkeys(jobs, one))).words == "Waiting at 25 %"


def test_there_is_one_thing_to_do(qtbot: QtBot, tray: PairTray) -> None:
    button, fitting = find(tray, QPushButton, "trayButton"), find(tray, QPushButton, "useFittingSettings")
    tray.show_step(next_step(Situation()))
    assert (button.isEnabled(), button.accessibleDescription()) == (False, "Choose a target first.")
    assert not fitting.isVisible()
    tray.show_step(Step(Act.CHAT, "Load anyway", "It fits with less.", suggests=True, warns=True))
    assert [each.property("primary") for each in (button, fitting)] == [False, True]
    for name, act in (("trayButton", Act.CHAT), ("useFittingSettings", Act.USE_SUGGESTION)):
        with qtbot.waitSignal(tray.acted) as acted:
            click(tray, name)
        assert acted.args == [act]
    tray.show_step(Step(Act.SHOW_DOWNLOADS, "Downloading 43 %", share=0.43))
    assert (button.property("primary"), fitting.isVisible()) == (False, False)
    button.grab()
    tray.show_step(Step(Act.CHAT, "Chat"))
    assert button.property("primary") is True


@pytest.mark.parametrize("goes_elsewhere", [False, True])
def test_who_downloads_by_keyboard_chats_by_keyboard(qtbot: QtBot, tray: PairTray, goes_elsewhere: bool) -> None:
    """Between the two there is nothing to press for a moment."""
    button = find(tray, QPushButton, "trayButton")
    tray.show_step(Step(Act.SHOW_DOWNLOADS, "Downloading 43 %"))
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    tray.show_step(Step(Act.WAIT, "Chat with this pair"))
    assert not button.hasFocus()
    if goes_elsewhere:
        elsewhere = QPushButton("Elsewhere", tray)
        elsewhere.show()
        elsewhere.setFocus()
    tray.show_step(Step(Act.CHAT, "Chat with this pair"))
    assert button.hasFocus() is not goes_elsewhere

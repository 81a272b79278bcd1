from dataclasses import replace

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui.pair.tray.trays import HERE, THERE, click, find, shown_job

from specchat.services.hub.download_jobs import JobState
from specchat.services.models.pair_fit import Fit
from specchat.ui.pair.next_step import NextStep, PairStatus, StepAction, next_step
from specchat.ui.pair.pair_editor import PairEditor

DOWNLOADING = {THERE.reference: shown_job(JobState.RUNNING, 430)}
PAIR = PairStatus(HERE, replace(THERE, here=True), checked=True, fit=Fit.FITS)
REMOTE = PairStatus(replace(THERE, reference="a/sea:t.gguf", size=4_500_000_000), THERE, checked=True, fit=Fit.FITS)


@pytest.mark.parametrize(
    ("now", "act", "words", "note"),
    [
        (PairStatus(), StepAction.WAIT, "Chat with this model", "Choose a target first."),
        (PairStatus(draft=THERE), StepAction.WAIT, "Download 700\u00a0MB", "Choose a target first."),
        (
            replace(PAIR, checked=False),
            StepAction.WAIT,
            "Chat with this pair",
            "Reading model headers…",
        ),
        (replace(PAIR, obstacle="No."), StepAction.WAIT, "Chat with this pair", "No."),
        (replace(REMOTE, obstacle="No."), StepAction.WAIT, "Download 5.2\u00a0GB", "No."),
        *(
            (
                replace(PAIR, draft=THERE, obstacle="No.", downloads={THERE.reference: shown_job(state, 430)}),
                StepAction.WAIT,
                words,
                "No.",
            )
            for state, words in ((JobState.FAILED, "Download failed"), (JobState.PAUSED, "Paused at 43\u00a0%"))
        ),
        (PAIR, StepAction.CHAT, "Chat with this pair", ""),
        (REMOTE, StepAction.DOWNLOAD, "Download 5.2\u00a0GB", ""),
        (replace(PAIR, draft=THERE), StepAction.DOWNLOAD, "Download 700\u00a0MB", ""),
        (replace(PAIR, draft=replace(THERE, size=0)), StepAction.DOWNLOAD, "Download", ""),
        (
            replace(PAIR, draft=None),
            StepAction.CHAT,
            "Chat with this model",
            "Without a draft, specchat guesses from earlier text.",
        ),
        (
            replace(PAIR, fit=Fit.TIGHT),
            StepAction.CHAT,
            "Chat with this pair",
            "Almost no free memory will be left: other programs may slow down.",
        ),
        (
            replace(PAIR, fit=Fit.DOES_NOT_FIT),
            StepAction.CHAT,
            "Load anyway",
            "Doesn't fit: loading may fail or be very slow.",
        ),
        (
            replace(PAIR, fit=Fit.DOES_NOT_FIT, suggestion=""),
            StepAction.CHAT,
            "Load anyway",
            "No settings make it fit. Choose a smaller model.",
        ),
        (
            replace(REMOTE, fit=Fit.DOES_NOT_FIT, suggestion="KV cache q8_0 instead of f16"),
            StepAction.DOWNLOAD,
            "Download 5.2\u00a0GB anyway",
            "Fits with KV cache q8_0 instead of f16.",
        ),
        (replace(PAIR, changed="this"), StepAction.CHAT, "Chat with this pair", "Changed: this."),
        (
            replace(PAIR, draft=THERE, downloads=DOWNLOADING),
            StepAction.SHOW_DOWNLOADS,
            "Downloading 43\u00a0%",
            "Click to see downloads.",
        ),
        (
            replace(PAIR, draft=THERE, downloads={THERE.reference: shown_job(JobState.FAILED, 430)}),
            StepAction.RESUME,
            "Try again",
            "The download failed at 43\u00a0%. No network.",
        ),
        (replace(REMOTE, downloads=DOWNLOADING), StepAction.DOWNLOAD, "Download 4.5\u00a0GB", ""),
    ],
)
def test_what_to_do_next(now: PairStatus, act: StepAction, words: str, note: str) -> None:
    step = next_step(now)
    assert (step.act, step.words, step.note) == (act, words, note)


def test_of_several_downloads_the_worst_is_told() -> None:
    assert REMOTE.target is not None
    jobs = {
        THERE.reference: shown_job(JobState.RUNNING, 900),
        REMOTE.target.reference: shown_job(JobState.PAUSED, 100, REMOTE.target, number=2),
    }
    assert next_step(replace(REMOTE, downloads=jobs)).words == "Paused at 50\u00a0%"
    one = shown_job(JobState.WAITING, 250)
    assert next_step(replace(REMOTE, downloads=dict.fromkeys(jobs, one))).words == "Waiting at 25\u00a0%"


def test_there_is_one_thing_to_do(qtbot: QtBot, tray: PairEditor) -> None:
    button, fitting = find(tray, QPushButton, "trayButton"), find(tray, QPushButton, "useFittingSettings")
    tray.step.show_step(next_step(PairStatus()))
    assert (button.isEnabled(), button.accessibleDescription()) == (False, "Choose a target first.")
    assert not fitting.isVisible()
    tray.step.show_step(NextStep(StepAction.CHAT, "Load anyway", "It fits with less.", suggests=True, warns=True))
    assert [each.property("primary") for each in (button, fitting)] == [False, True]
    for name, act in (("trayButton", StepAction.CHAT), ("useFittingSettings", StepAction.USE_SUGGESTION)):
        with qtbot.waitSignal(tray.step.action_requested) as acted:
            click(tray, name)
        assert acted.args == [act]
    tray.step.show_step(NextStep(StepAction.SHOW_DOWNLOADS, "Downloading 43\u00a0%", share=0.43))
    assert (button.property("primary"), fitting.isVisible()) == (False, False)
    button.grab()
    tray.step.show_step(NextStep(StepAction.CHAT, "Chat"))
    assert button.property("primary") is True


@pytest.mark.parametrize("goes_elsewhere", [False, True])
def test_who_downloads_by_keyboard_chats_by_keyboard(qtbot: QtBot, tray: PairEditor, goes_elsewhere: bool) -> None:
    """Between the two there is nothing to press for a moment."""
    button = find(tray, QPushButton, "trayButton")
    tray.step.show_step(NextStep(StepAction.SHOW_DOWNLOADS, "Downloading 43\u00a0%"))
    button.setFocus()
    qtbot.waitUntil(button.hasFocus)
    tray.step.show_step(NextStep(StepAction.WAIT, "Chat with this pair"))
    assert not button.hasFocus()
    if goes_elsewhere:
        elsewhere = QPushButton("Elsewhere", tray)
        elsewhere.show()
        elsewhere.setFocus()
    tray.step.show_step(NextStep(StepAction.CHAT, "Chat with this pair"))
    assert button.hasFocus() is not goes_elsewhere

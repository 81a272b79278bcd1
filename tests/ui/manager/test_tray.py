import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QPushButton, QSlider, QWidget
from pytestqt.qtbot import QtBot
from ui.picker.examples import GB, RAM

from specchat.domain.errors import HubAbsentError, HubAccessError, HubOfflineError, UserError
from specchat.domain.hub import FileKind, RemoteFile, RemoteModel
from specchat.domain.memory import Parts
from specchat.domain.said import Said
from specchat.domain.types import CacheType, Verdict
from specchat.gguf.compatibility import Compatibility
from specchat.gguf.differences import TokenDifference
from specchat.gguf.reasons import Reason
from specchat.services.chosen_model import ChosenModel
from specchat.services.download_jobs import Job, JobState, Problem, ShownJob
from specchat.services.draft_values import DraftCandidate, Expected, Where
from specchat.services.pair_values import DeviceFit, DraftVerdict, Fit, Method, PairFit
from specchat.ui.manager.cards import CardList
from specchat.ui.manager.pair_plan_settings import LoadSettings, changes
from specchat.ui.manager.tray import PairTray
from specchat.ui.manager.tray_step import Act, Situation, Step, next_step
from specchat.ui.picker.fit_bar import FitBar
from specchat.ui.theme import DARK, LIGHT

W = TypeVar("W", bound=QWidget)

HERE = ChosenModel("/m/sea.gguf", "Sea 7B", "/m/sea.gguf", True, 4_700_000_000, "Q4_K_M", 32768)
THERE = ChosenModel("a/sea:d.gguf", "sea-1b", "a/sea", False, 700_000_000, "Q8_0", 8192)
CARD = DeviceFit("A card", 12 * GB, 11 * GB, Parts(4 * GB, GB), Parts(GB), Fit.FITS)
WITH_GPU = PairFit((RAM, CARD), Method.ENGINE, 8192, 33, 17)
SETTINGS = LoadSettings(8192)
STRANGERS = Compatibility(
    Verdict.INCOMPATIBLE,
    (
        Reason("token-text", "Token 9 is 'a' in the target, 'b' in the draft.", "Tokens in use that differ: 4."),
        Reason("pre-tokenizer", "Another one."),
    ),
    TokenDifference(9, "a", "\n"),
    151936,
    32000,
)
RELATED = Compatibility(
    Verdict.COMPATIBLE, (Reason("same-tokens", "Same tokens."), Reason("x", "But one.")), None, 9, 9
)


@pytest.fixture
def tray(qtbot: QtBot) -> PairTray:
    made = PairTray(LIGHT)
    qtbot.addWidget(made)
    made.resize(400, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


def find(tray: QWidget, kind: type[W], name: str) -> W:
    found = tray.findChild(kind, name)
    assert found is not None, name
    return found


def click(tray: QWidget, name: str) -> None:
    QTest.mouseClick(find(tray, QAbstractButton, name), Qt.MouseButton.LeftButton)


def with_memory(tray: PairTray, fit: PairFit = WITH_GPU, settings: LoadSettings = SETTINGS) -> None:
    tray.show_parts(memory=True)
    tray.memory.show_settings(settings, 32768)
    tray.memory.show_fit(fit, has_gpu=len(fit.devices) > 1)


def shown_job(state: JobState, done: int, model: ChosenModel = THERE, number: int = 1) -> ShownJob:
    file = RemoteFile(model.place, "c" * 40, model.reference.partition(":")[2], 1000, None)
    problem = Problem(Said("No network."), Said("Look for one.")) if state is JobState.FAILED else None
    models = (RemoteModel((file,), FileKind.MODEL, model.quantization),)
    job = Job(number, models, "main", state, problem=problem)
    return ShownJob(job, done, done, 0, is_checking=False)


def test_an_empty_tray_says_what_to_do(tray: PairTray) -> None:
    assert tray.target.words() == "Target. Choose a target: the model whose answers you want."
    assert tray.draft.words().startswith("Draft. Then a draft")
    assert not any(find(tray, QPushButton, name).isVisible() for name in ("findDraftButton", "withoutDraftButton"))
    assert not tray.memory.isVisible()
    assert not tray.verdict.isVisible()


def test_a_model_in_its_slot(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_target(HERE)
    assert tray.target.words() == "Target: Sea 7B. Q4_K_M · 4.7 GB · on this computer"
    tray.show_draft(THERE, has_target=True)
    assert tray.draft.words() == "Draft: sea-1b. Q8_0 · 700 MB · not downloaded yet"
    for name, signal in (("targetSlotRemove", tray.targetRemoved), ("draftSlotRemove", tray.draftRemoved)):
        assert find(tray, QAbstractButton, name).accessibleName().startswith("Remove ")
        with qtbot.waitSignal(signal):
            click(tray, name)
    with qtbot.waitSignal(tray.draftsWanted):
        click(tray, "findAnotherDraft")


def test_a_draft_is_found_or_done_without(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_target(HERE)
    tray.show_draft(None, has_target=True)
    with qtbot.waitSignal(tray.draftsWanted):
        click(tray, "findDraftButton")
    with qtbot.waitSignal(tray.noDraftWanted):
        click(tray, "withoutDraftButton")
    tray.show_draft(None, has_target=True, without=True)
    assert tray.draft.words().startswith("Draft: No draft: the text itself guesses")
    with qtbot.waitSignal(tray.draftRemoved):
        click(tray, "draftSlotRemove")


def test_the_verdict_has_its_reason(tray: PairTray) -> None:
    tray.show_parts(verdict=True)
    badge, details = find(tray, QLabel, "compatBadge"), find(tray, QWidget, "compatDetails")
    tray.verdict.show_verdict(RELATED)
    assert tray.verdict.words() == "Compatible. Same tokens. But one."
    assert badge.property("badge") == "good"
    tray.verdict.show_verdict(STRANGERS)
    assert tray.verdict.words() == (
        "Incompatible. Their vocabularies differ: choose a draft of the target's own family."
    )
    assert badge.property("badge") == "danger"
    assert badge.accessibleName() == "Do they go together? Incompatible"
    assert not details.isVisible()
    click(tray, "compatMore")
    assert details.isVisible()
    assert details.property("plainText").splitlines() == [
        "Vocabulary: 151,936 tokens in the target, 32,000 in the draft.",
        "• Token 9 is 'a' in the target, 'b' in the draft. Tokens in use that differ: 4.",
        "• Another one.",
    ]
    tray.verdict.show_verdict(replace(STRANGERS, reasons=STRANGERS.reasons[1:]))
    assert "First difference: token 9 is 'a' in the target, '\\n' in the draft." in details.property("plainText")
    click(tray, "compatMore")
    assert not details.isVisible()


def test_the_way_out_stands_below_the_verdict(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_parts(verdict=True)
    names = ("verdictFindDraft", "verdictWithoutDraft")
    tray.verdict.show_verdict(RELATED)
    assert not any(find(tray, QPushButton, name).isVisible() for name in names)
    tray.verdict.show_verdict(STRANGERS)
    for name, signal in zip(names, (tray.draftsWanted, tray.noDraftWanted), strict=True):
        with qtbot.waitSignal(signal):
            click(tray, name)
    tray.verdict.show_wait()
    assert not any(find(tray, QPushButton, name).isVisible() for name in names)


def test_why_they_do_not_go_together(tray: PairTray) -> None:
    def words(code: str) -> str:
        tray.verdict.show_verdict(replace(STRANGERS, reasons=(Reason(code, "As it is."),)))
        return tray.verdict.words()

    assert words("add-bos").startswith("Incompatible. They mark the ends of a text differently: ")
    assert words("no-vocabulary") == "Incompatible. As it is."


def test_what_the_draft_should_bring(tray: PairTray) -> None:
    tray.show_parts(verdict=True)
    tray.verdict.show_verdict(RELATED, expected=Expected(1.74, 5, 0.7, is_known=False))
    assert tray.verdict.words() == "Compatible, about 1.7× as fast. Same tokens. But one."
    badge = find(tray, QLabel, "expectedBadge")
    assert badge.property("badge") == "good"
    assert badge.accessibleDescription().startswith("Expected: 1.7 times as fast")
    tray.verdict.show_verdict(RELATED, expected=Expected(0.8, 1, 0.4, is_known=True))
    assert badge.property("badge") == "warning"
    tray.verdict.show_verdict(RELATED)
    assert not badge.isVisible()


def test_what_the_draft_brought_here(tray: PairTray) -> None:
    tray.show_parts(verdict=True)
    badge = find(tray, QLabel, "expectedBadge")
    for speedup, words, tone, said in (
        (1.62, "measured here: 1.6×", "good", "1.6 times as fast as"),
        (0.88, "measured here: 12\xa0% slower", "warning", "12\xa0% slower than"),
    ):
        tray.verdict.show_verdict(RELATED, expected=Expected(speedup, 5, 0.7, is_known=True, measured=True))
        assert (badge.text(), badge.property("badge")) == (words, tone)
        assert badge.accessibleDescription() == (
            f"Measured on this computer: {said} the target alone. 70\xa0% of the draft's guesses were accepted."
        )


def test_the_whole_of_each_device_is_shown(tray: PairTray) -> None:
    with_memory(tray, replace(WITH_GPU, beyond_estimate=12_000_000))
    bar = find(tray, FitBar, "fitBar")
    assert bar.accessibleName() == "Memory"
    assert bar.words() == (
        "Computer: needs 8.0 GB of 12.0 GB free: Fits. 4.0 GB left. Other programs use 4.0 GB. "
        "A card: needs 6.0 GB of 11.0 GB free: Fits. 5.0 GB left. Other programs use 1.0 GB."
    )
    assert find(tray, QLabel, "fitNotes").text() == "The last load took 12 MB more than estimated."
    with_memory(tray, PairFit((replace(RAM, free=7 * GB, verdict=Fit.DOES_NOT_FIT),)))
    assert "Does not fit. 1.0 GB too much." in bar.words()
    assert find(tray, QLabel, "fitNotes").text() == "Estimated by a formula: llama.cpp could not be asked."
    bar.grab()


def test_where_memory_ends_there_is_a_line(qtbot: QtBot) -> None:
    bar = FitBar(LIGHT, whole=True)
    qtbot.addWidget(bar)
    bar.resize(300, 200)
    too_much = replace(RAM, free=4 * GB, verdict=Fit.DOES_NOT_FIT)
    bar.show_fit(PairFit((too_much,)))
    image = bar.grab().toImage()
    red = {x for x in range(240) for y in range(14, 40) if image.pixelColor(x, y) == LIGHT.danger}
    expected = 300 * too_much.free / (too_much.needed + too_much.other)
    assert {abs(x - expected) <= 2 for x in red} == {True}


def test_sliders_ask_for_figures(qtbot: QtBot, tray: PairTray) -> None:
    with_memory(tray)
    context = find(tray, QSlider, "contextSlider")
    assert (context.accessibleName(), context.accessibleDescription()) == ("Context", "8,192 tokens")
    with qtbot.waitSignal(tray.memory.changed) as changed:
        QTest.keyClick(context, Qt.Key.Key_Right)
    assert changed.args == [LoadSettings(16384)]
    cache = find(tray, QComboBox, "trayCacheType")
    with qtbot.waitSignal(tray.memory.changed) as changed:
        cache.setCurrentIndex(cache.findData(CacheType.Q8_0))
    assert changed.args == [LoadSettings(16384, CacheType.Q8_0)]
    layers = find(tray, QSlider, "draftLayers")
    with qtbot.waitSignal(tray.memory.changed) as changed:
        QTest.mouseClick(layers, Qt.MouseButton.LeftButton, pos=QPoint(layers.width() // 2, 12))
    (settings,) = changed.args or [None]
    assert isinstance(settings, LoadSettings)
    assert (settings.target_layers, settings.draft_layers in (8, 9)) == (None, True)
    with qtbot.waitSignal(tray.memory.changed) as changed:
        QTest.keyClick(layers, Qt.Key.Key_End)
    assert changed.args == [LoadSettings(16384, CacheType.Q8_0)]


def test_settings_can_be_chosen_before_there_are_figures(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_parts(memory=True)
    with qtbot.waitSignal(tray.memory.changed) as changed:
        QTest.keyClick(find(tray, QSlider, "contextSlider"), Qt.Key.Key_Right)
    assert changed.args == [LoadSettings(8192)]


def test_what_is_shown_asks_for_nothing(qtbot: QtBot, tray: PairTray) -> None:
    with_memory(tray)
    with qtbot.assertNotEmitted(tray.memory.changed):
        with_memory(tray, settings=LoadSettings(2048, CacheType.Q4_0, 5, 0))
    assert find(tray, QSlider, "targetLayers").accessibleDescription() == "5 of 33"
    assert find(tray, QSlider, "draftLayers").accessibleDescription() == "0 of 17"


def test_a_handle_that_is_pulled_stays_with_the_mouse(tray: PairTray) -> None:
    with_memory(tray)
    layers = find(tray, QSlider, "targetLayers")
    QTest.mousePress(layers, Qt.MouseButton.LeftButton, pos=QPoint(0, 12))
    tray.memory.show_fit(WITH_GPU, has_gpu=True)
    assert layers.value() == 0
    QTest.mouseMove(layers, QPoint(layers.width(), 12))
    QTest.mouseRelease(layers, Qt.MouseButton.LeftButton, pos=QPoint(layers.width(), 12))
    assert not layers.isSliderDown()


@pytest.mark.parametrize(
    ("fit", "visible"),
    [
        (PairFit((RAM,), target_layers=33, draft_layers=17), (False, False)),
        (replace(WITH_GPU, draft_layers=0), (True, False)),
        (WITH_GPU, (True, True)),
    ],
)
def test_layers_are_for_those_who_have_a_gpu(tray: PairTray, fit: PairFit, visible: tuple[bool, bool]) -> None:
    with_memory(tray, fit)
    assert tuple(find(tray, QSlider, name).isVisible() for name in ("targetLayers", "draftLayers")) == visible


def test_what_a_suggestion_changes_is_said() -> None:
    assert changes(SETTINGS, SETTINGS, WITH_GPU) == ""
    other = LoadSettings(4096, CacheType.Q8_0, 20, 0)
    assert changes(SETTINGS, other, WITH_GPU) == (
        "context 4,096 instead of 8,192 tokens, cache q8_0 instead of f16, "
        "20 of the target's 33 layers on the GPU, 0 of the draft's 17 layers on the GPU"
    )


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
        (PAIR, Act.CHAT, "Chat with this pair", ""),
        (REMOTE, Act.DOWNLOAD, "Download 5.2 GB", ""),
        (replace(PAIR, draft=THERE), Act.DOWNLOAD, "Download 700 MB", ""),
        (replace(PAIR, draft=replace(THERE, size=0)), Act.DOWNLOAD, "Download", ""),
        (
            replace(PAIR, draft=None),
            Act.CHAT,
            "Chat with this model",
            "Without a draft, guesses come from the text itself: they repeat what was said before.",
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


def candidate(reference: str, verdict: DraftVerdict = DraftVerdict.IDENTICAL, speedup: float = 1.9) -> DraftCandidate:
    usable = verdict in (DraftVerdict.IDENTICAL, DraftVerdict.COMPATIBLE)
    return DraftCandidate(
        reference,
        name=reference,
        size=400_000_000,
        quantization="Q8_0",
        where=Where.HERE if reference.startswith("/") else Where.HUB,
        known=False,
        verdict=verdict,
        reason="Because.",
        expected=Expected(speedup, 5, 0.7, is_known=False) if usable else None,
        fit=Fit.TIGHT if usable else None,
    )


CANDIDATES = (
    candidate("/strange", DraftVerdict.INCOMPATIBLE),
    candidate("a/far"),
    candidate("/near", DraftVerdict.COMPATIBLE, 1.4),
)


def test_drafts_to_choose_from(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_drafts(shown=True)
    page, cards = tray.drafts, find(tray, CardList, "draftCandidates")
    page.begin("Sea 7B")
    assert page.note() == "Looking on this computer and on Hugging Face…"
    page.show_candidates(CANDIDATES[:1])
    page.show_candidates(CANDIDATES)
    assert [card.accessibleName() for card in cards.cards] == ["/near", "a/far", "/strange"]
    near, _, strange = cards.cards
    assert near.accessibleDescription() == "about 1.4×, tight, Q8_0 · 400 MB · on this computer, Because."
    assert strange.accessibleDescription() == "incompatible, Q8_0 · 400 MB · on this computer, Because."
    assert strange.findChild(QPushButton) is None
    with qtbot.assertNotEmitted(page.used):
        QTest.keyClick(strange, Qt.Key.Key_Return)
    with qtbot.waitSignal(page.used) as used:
        click(near, "useDraftButton")
    assert used.args == ["/near"]
    with qtbot.waitSignal(page.used):
        QTest.keyClick(near, Qt.Key.Key_Return)
    page.end()
    assert page.note() == ""
    with qtbot.waitSignal(page.closed):
        click(tray, "draftsBack")


def test_a_search_that_finds_nothing_or_not_all(qtbot: QtBot, tray: PairTray) -> None:
    tray.show_drafts(shown=True)
    page = tray.drafts
    page.begin("Sea 7B")
    page.show_candidates(CANDIDATES[:1])
    page.end()
    assert page.note().startswith("No draft was found.")
    with qtbot.waitSignal(tray.noDraftWanted):
        click(tray, "draftsWithout")
    page.end("The Hub could not be asked.")
    assert page.note() == "The Hub could not be asked."
    with qtbot.waitSignal(page.againRequested):
        click(tray, "draftsAgain")
    page.begin("Sea 7B")
    assert not find(tray, QPushButton, "draftsAgain").isVisible()
    page.fail(UserError("It broke.", "Mend it."))
    assert page.problem.words() == "It broke. Mend it."
    with qtbot.waitSignal(page.againRequested):
        click(tray, "draftsProblemAgain")


@pytest.mark.parametrize(
    ("error", "visible"),
    [
        (HubAccessError("Not accepted.", "Open {page}.", page="https://hub/a/b"), ["trayProblemPage"]),
        (
            HubAccessError("{repo} wants a token.", "Make one at {tokens}.", repo="a/b", tokens="https://hub/tokens"),
            ["trayProblemPage", "trayProblemToken"],
        ),
        (HubAccessError("No token.", "Make one at {tokens}.", tokens="https://hub/tokens"), ["trayProblemToken"]),
        (HubAbsentError("No file.", "Choose one from {page}.", page="https://hub/a/b"), []),
        (HubOfflineError("No network.", "Look for one."), []),
    ],
)
def test_problems_and_what_can_be_done(qtbot: QtBot, tray: PairTray, error: UserError, visible: list[str]) -> None:
    with_memory(tray)
    tray.show_problem(error)
    assert tray.problem.words() == f"{error.message} {error.hint}"
    assert not tray.memory.isVisible()
    names = ("trayProblemPage", "trayProblemToken", "trayProblemAgain")
    assert [name for name in names if find(tray, QPushButton, name).isVisible()] == [
        *visible,
        "trayProblemAgain",
    ]
    with qtbot.waitSignal(tray.problem.againRequested):
        click(tray, "trayProblemAgain")
    if "trayProblemPage" in visible:
        with qtbot.waitSignal(tray.problem.pageRequested) as requested:
            click(tray, "trayProblemPage")
        assert requested.args is not None
        assert requested.args[0].endswith("/a/b")
    if "trayProblemToken" in visible:
        with qtbot.waitSignal(tray.problem.tokenRequested):
            click(tray, "trayProblemToken")
    tray.show_parts()
    assert not tray.problem.isVisible()


def test_themes_and_text_sizes(tray: PairTray, choose_text_size: Callable[[int], None]) -> None:
    tray.show_target(HERE)
    tray.show_draft(THERE, has_target=True)
    with_memory(tray)
    tray.verdict.show_verdict(STRANGERS)
    light = tray.grab().toImage()
    tray.set_theme(DARK)
    assert tray.grab().toImage() != light
    choose_text_size(17)
    tray.set_theme(DARK)
    assert tray.width() == 400
    tray.drafts.show_candidates(CANDIDATES)
    tray.show_drafts(shown=True)
    tray.grab()


def test_everything_has_a_name(tray: PairTray) -> None:
    assert (tray.objectName(), tray.accessibleName()) == ("pairTray", "The pair")
    for name in ("contextSlider", "targetLayers", "draftLayers", "trayCacheType", "fitBar", "draftCandidates"):
        assert find(tray, QWidget, name).accessibleName()


def test_it_costs_little_to_import() -> None:
    heavy = "{'llama_cpp', 'numpy', 'huggingface_hub', 'httpx2', 'keyring'}"
    script = f"import sys, specchat.ui.manager.pair_plan; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"

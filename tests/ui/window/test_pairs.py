"""The way from one pair to another, and back."""

import weakref
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel
from support.choices import choice_of, files_of
from support.desks import Person, pick, picked, wait_for_pair

from specchat.domain.model_ref import ModelFile
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.models.model_refs import path_for_ref
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.overlay.stats_pill import StatsPill
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.pair.choice_rows import DraftKey

pytestmark = pytest.mark.usefixtures("engine_here")


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def damaged(tmp_path: Path) -> PairChoice:
    text = tmp_path / "text.gguf"
    text.write_text("Dear diary")
    return choice_of(text, draft_type="none")


def fields(person: Person) -> tuple[object, object]:
    context, cache = (person.find(QComboBox, name).currentData() for name in ("contextSize", "cacheType"))
    return context, cache


def test_the_picker_brings_back_how_a_pair_was_used(person: Person, choice: PairChoice) -> None:
    services, drafts = person.controller.services, person.find(ChoiceList, "draftList")
    for path in files_of(choice):
        services.models.library.add(path)
    other = ModelSettings(n_ctx=256, cache_type=CacheType.Q8_0)
    services.pair_settings.save(PairChoice(choice.target, None, other, draft_type="ngram", draft_max=2))
    person.click("pairButton")
    with_draft = DraftKey("auto", choice.draft)
    person.qtbot.waitUntil(lambda: picked(drafts) == [with_draft])
    assert fields(person) == (512, CacheType.F16)
    pick(drafts, DraftKey("ngram"))
    assert fields(person) == (256, CacheType.Q8_0)
    pick(drafts, DraftKey("none"))
    assert fields(person) == (512, CacheType.F16)
    pick(drafts, with_draft)
    pick(drafts, DraftKey("ngram"))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
        person.click("loadButton")
    loaded = services.pair_settings.last_pair()
    assert loaded is not None
    assert (loaded.draft_type, loaded.draft_max, loaded.target_settings.n_ctx) == ("ngram", 2, 256)


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_was_picked_outlives_a_click_beside_the_picker(
    person: Person, choice: PairChoice, tiny_llama: Path, is_kept: bool
) -> None:
    """But not Escape, nor another pair."""
    services, targets = person.controller.services, person.find(ChoiceList, "targetList")
    picker, load = person.controller.picker, person.find(QAbstractButton, "loadButton")
    for path in (path_for_ref(choice.target), tiny_llama):
        services.models.library.add(path)
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: picked(targets) == [choice.target] and load.isEnabled())
    pick(targets, ModelFile(tiny_llama))
    person.qtbot.waitUntil(load.isEnabled)
    if is_kept:
        picker.close()
    else:
        QTest.keyClick(picker, Qt.Key.Key_Escape)
    assert not picker.isVisible()
    with person.qtbot.waitSignal(person.controller.pair.model_names_changed):
        person.click("pairButton")
    person.qtbot.waitUntil(
        lambda: picked(targets) == [ModelFile(tiny_llama) if is_kept else choice.target] and load.isEnabled()
    )
    picker.close()
    with person.qtbot.waitSignal(person.controller.session.pair_loaded):
        person.controller.pair.load(choice)
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: picked(targets) == [choice.target] and load.isEnabled())


def test_another_target_comes_as_it_was_used_last(person: Person, choice: PairChoice, tiny_llama: Path) -> None:
    services, targets = person.controller.services, person.find(ChoiceList, "targetList")
    for path in (path_for_ref(choice.target), tiny_llama):
        services.models.library.add(path)
    services.pair_settings.save(choice_of(tiny_llama, None, ModelSettings(n_ctx=1024), draft_type="ngram"))
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: picked(targets) == [choice.target])
    pick(targets, ModelFile(tiny_llama))
    person.qtbot.waitUntil(lambda: fields(person) == (1024, CacheType.F16))
    assert picked(person.find(ChoiceList, "draftList")) == [DraftKey("ngram")]


def test_what_is_being_done_is_named(person: Person, choice: PairChoice) -> None:
    shares: list[float] = []
    said: list[str] = []
    titles: set[str] = set()
    button = person.window.header.pair
    person.controller.pair.load_progressed.connect(lambda *_: titles.add(button.accessibleName().rsplit(" ", 1)[0]))
    person.controller.pair.load_progressed.connect(lambda _, share: shares.append(share))
    person.controller.pair.load_progressed.connect(lambda *_: said.append(person.window.status.text()))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
        person.controller.pair.load(choice)
    assert len(titles) == 2, "the one over the chat names the same model"
    assert shares == sorted(shares)
    assert {f"Loading {name}… Press Esc to stop." for name in (path_for_ref(choice.target).stem, "draft")} <= set(said)


def test_a_draft_and_the_text_guess_together(person: Person, choice: PairChoice) -> None:
    """As in the commands, also where the draft was chosen before that was so."""
    loaded = person.controller.pair.choice
    assert choice.draft_type == "model"
    assert loaded is not None
    assert (loaded.draft, loaded.draft_type) == (choice.draft, "auto")
    assert "Draft: draft. Guesses per pass: up to 3." in person.find(QAbstractButton, "pairButton").accessibleName()


def test_after_a_failure_the_pair_before_comes_back(person: Person, choice: PairChoice, damaged: PairChoice) -> None:
    back = person.find(QAbstractButton, "problemAction")
    for _ in range(2):
        with person.qtbot.waitSignal(person.controller.notifications.error_reported):
            person.controller.pair.load(damaged)
        assert back.isVisible()
        assert person.controller.session.pair is None
    assert back.text() == f"Reload {path_for_ref(choice.target).stem}"
    person.click("problemAction")
    assert not person.window.problem.isVisible()
    assert wait_for_pair(person) == (choice.target.name, "draft.gguf", 512)


def test_after_stopping_the_pair_before_comes_back(person: Person, choice: PairChoice, damaged: PairChoice) -> None:
    person.controller.pair.load(damaged)
    person.controller.handle_escape()
    assert person.find(QLabel, "noticeText").text() == "Loading stopped"
    assert person.find(QAbstractButton, "noticeAction").text() == f"Reload {path_for_ref(choice.target).stem}"
    person.controller.notifications.undo()
    assert not person.controller.pair.is_loading
    person.click("noticeAction")
    assert wait_for_pair(person) == (choice.target.name, "draft.gguf", 512)
    assert not person.window.problem.isVisible()


def test_the_way_back_fits_on_a_button(person: Person, choice: PairChoice, damaged: PairChoice, tmp_path: Path) -> None:
    long = tmp_path / f"{'a-long-name-' * 8}&-more.gguf"
    long.hardlink_to(path_for_ref(choice.target))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
        person.controller.pair.load(replace(choice, target=ModelFile(long)))
    with person.qtbot.waitSignal(person.controller.notifications.error_reported):
        person.controller.pair.load(damaged)
    back = person.find(QAbstractButton, "problemAction")
    assert back.text().startswith("Reload a-long")
    assert back.text().endswith("&&-more")
    assert back.width() < 400


def test_where_nothing_was_loaded_there_is_no_way_back(newcomer: Person, missing: PairChoice) -> None:
    pair, window = newcomer.controller.pair, newcomer.window
    pair.load(missing)
    newcomer.controller.handle_escape()
    assert not window.notice.isVisible()
    pair.load(missing)
    newcomer.qtbot.waitUntil(window.problem.isVisible)
    assert newcomer.find(QAbstractButton, "problemAction").isHidden()


def test_where_no_guesses_are_wanted_none_are_awaited(person: Person, choice: PairChoice) -> None:
    pill = person.window.overlay.findChild(StatsPill)
    assert isinstance(pill, StatsPill)
    assert pill._readout.pill[0] == "No guesses yet"
    person.controller.pair.load(replace(choice, draft=None, draft_type="none"))
    person.qtbot.waitUntil(lambda: pill._readout.pill[0] == "No speculation", timeout=60_000)
    person.keep_short()
    person.ask("one two")
    assert pill._readout.pill[0] == "No speculation"
    person.controller.pair.load(choice)
    person.qtbot.waitUntil(lambda: pill._readout.pill[0] == "No guesses yet", timeout=60_000)


def test_the_button_tells_a_pair_that_is_loaded_from_another_one(person: Person, choice: PairChoice) -> None:
    person.controller.services.models.library.add(path_for_ref(choice.target))
    load = person.find(QAbstractButton, "loadButton")
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: load.isEnabled() and load.text() == "Reload")
    pick(person.find(ChoiceList, "draftList"), DraftKey("none"))
    assert load.text() == "Load"
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
        person.click("loadButton")
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: load.isEnabled() and load.text() == "Reload")


@pytest.mark.parametrize("n_ctx", [4096])
def test_the_button_says_that_loading_ends_the_answer(person: Person, choice: PairChoice, n_ctx: int) -> None:
    person.controller.services.models.library.add(path_for_ref(choice.target))
    load = person.find(QAbstractButton, "loadButton")
    person.keep_short(n_ctx - 200)
    person.write("Count to a hundred")
    person.click("sendButton")
    person.wait_for_first_words()
    person.click("pairButton")
    person.qtbot.waitUntil(lambda: load.isEnabled() and load.text() == "Stop and load")
    assert load.toolTip() == "This stops the current answer."
    person.controller.generation.stop()
    person.qtbot.waitUntil(lambda: load.text() == "Reload")
    assert load.toolTip() == ""


def test_what_belonged_to_the_pair_before_is_freed(person: Person, choice: PairChoice, tiny_llama: Path) -> None:
    """Also what refers to itself, as errors with their frames do: it is there while the other pair is loaded."""
    held: Cycle | None = Cycle()
    seen = weakref.ref(held)
    for pair in (choice_of(tiny_llama, None, choice.target_settings, draft_type="none"), choice):
        with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=60_000):
            person.controller.pair.load(pair)
        held = None
    assert seen() is None


def test_what_is_still_loading_when_the_window_closes_is_loaded_next_time(person: Person, choice: PairChoice) -> None:
    exact = replace(choice, target_settings=replace(choice.target_settings, exact=True))
    person.controller.pair.load(exact)
    person.controller.close()
    kept = person.controller.services.pair_settings.last_pair()
    assert kept is not None
    assert (kept.target, kept.draft, kept.target_settings.exact) == (choice.target, choice.draft, True)


def test_an_escape_too_many_does_not_stop_the_pair_that_comes_back(person: Person, choice: PairChoice) -> None:
    pair = person.controller.pair
    pair.suspend(Measurement.COMPARISON)
    pair.resume(Measurement.COMPARISON)
    person.controller.handle_escape()
    assert pair.is_loading
    wait_for_pair(person)
    pair.load(choice)
    person.controller.handle_escape()
    assert not pair.is_loading


@pytest.mark.parametrize("is_automatic", [False, True])
def test_the_models_page_keeps_what_was_loaded_elsewhere(
    person: Person, choice: PairChoice, *, is_automatic: bool
) -> None:
    """Also settings that it doesn't show, and an automatic draft."""
    session, models = person.controller.session, person.controller.models
    for path in files_of(choice):
        person.controller.services.models.library.add(path)
    models.open()
    editor = models.manager().pair_editor
    for use, path in zip((editor.use_target, editor.use_draft), files_of(choice), strict=True):
        use(str(path))
    with person.qtbot.waitSignal(session.pair_loaded, timeout=60_000):
        editor.start_chat_when_ready()
    settings = replace(choice.target_settings, n_ctx=256)
    draft = None if is_automatic else choice.draft
    wanted = PairChoice(choice.target, draft, settings, replace(settings, n_ctx=None), draft_max=8)
    with person.qtbot.waitSignal(session.pair_loaded, timeout=60_000):
        person.controller.pair.load(wanted)
    models.open()
    editor.use_target(str(path_for_ref(choice.target)))
    with person.qtbot.waitSignal(session.pair_loaded, timeout=60_000):
        editor.start_chat_when_ready()
    loaded = session.choice
    assert loaded is not None
    assert (loaded.draft, loaded.draft_max, loaded.target_settings.n_ctx) == (draft, 8, 256)

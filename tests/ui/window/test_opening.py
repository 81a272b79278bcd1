"""Model files that are opened from outside: with the start, by another start, or dropped on the window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTextEdit
from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.desks import Person, picked
from support.paced_engine import PacedEngine
from support.sparse import Shape, make_sparse
from support.windows import opened

from specchat.domain.model_ref import ModelFile
from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.models import demo_pair
from specchat.services.models.model_refs import file_of
from specchat.store.paths import Paths
from specchat.ui.desk import Desk
from specchat.ui.picker.choice_list import ChoiceList
from specchat.ui.start.application import Look
from specchat.window_parts import services_at

PATIENCE_MS = 60_000
HUGE = Shape("llama", n_vocab=4096, n_embd=16384, n_layer=64, n_head=128, n_head_kv=128, n_ff=65536, n_merges=1000)


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    path = tmp_path / "diary.gguf"
    path.write_text("Dear diary")
    return path


@pytest.fixture
def starting(qtbot: QtBot, desk: Desk) -> Person:
    """The window is there, and nothing is loaded yet."""
    return Person(qtbot, desk)


@pytest.fixture
def writing(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> Iterator[Person]:
    """An answer is being written, and does not end by itself."""
    services = services_at(places)
    services.pair_settings.remember(choice)
    services = replace(services, make_engine=lambda: PacedEngine(lambda _: ["word "] * 20, holds=True))
    with opened(services, Look(qapp)) as desk:
        person = Person(qtbot, desk)
        qtbot.waitUntil(lambda: desk.asking.pair is not None, timeout=PATIENCE_MS)
        person.write("Go on and on")
        person.click("sendButton")
        person.wait_for_first_words()
        yield person


def loaded(person: Person) -> tuple[str, str | None]:
    person.qtbot.waitUntil(lambda: person.desk.asking.pair is not None, timeout=PATIENCE_MS)
    pair = person.desk.asking.pair
    assert pair is not None
    return pair.target, pair.draft


def problem(person: Person) -> str:
    person.qtbot.waitUntil(person.window.problem.isVisible, timeout=PATIENCE_MS)
    return person.find(QTextEdit, "problemMessage").toPlainText()


def wait_for_tasks(person: Person) -> None:
    done: list[None] = []
    person.desk.tasks.run(lambda: None, done.append, lambda error: None)
    person.qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)


def files(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def drop(person: Person, data: QMimeData) -> None:
    copy, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), copy, data, button, keys)
    QApplication.sendEvent(person.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(person.window, QDropEvent(QPointF(5, 5), copy, data, button, keys))


def test_a_start_with_a_file_loads_it_with_the_best_draft_here(
    starting: Person, tiny_llama: Path, choice: PairChoice
) -> None:
    shelf = starting.desk.services.models.shelf
    shelf.add(files_of(choice)[1])
    told: list[str] = []
    starting.desk.pair.loading.connect(lambda name, _: told.append(name))
    starting.desk.opener.open([tiny_llama])
    assert loaded(starting) == ("tiny-llama.gguf", "draft.gguf")
    assert told[0] == "tiny-llama"
    assert shelf.at(tiny_llama) is not None
    last = starting.desk.services.pair_settings.last()
    assert last is not None
    assert last.target == ModelFile(tiny_llama)


def test_a_file_comes_as_it_was_used_last(starting: Person, tiny_llama: Path) -> None:
    used = choice_of(tiny_llama, None, ModelSettings(n_ctx=256), draft_type="none")
    starting.desk.services.pair_settings.remember(used)
    starting.desk.services.pair_settings.remember(choice_of(tiny_llama.with_name("another.gguf")))
    starting.desk.opener.open([tiny_llama])
    loaded(starting)
    assert starting.desk.pair.choice == used


def test_a_start_with_a_file_that_is_no_model_loads_what_was_used_last(
    starting: Person, diary: Path, choice: PairChoice
) -> None:
    starting.desk.opener.open([diary])
    assert loaded(starting) == (choice.target.name, "draft.gguf")
    assert problem(starting) == "diary.gguf is not a GGUF model but another kind of file."


def test_a_start_with_a_missing_file_where_there_is_no_model(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_pair, "resources", lambda: tmp_path / "nothing")
    with opened(services_at(places), Look(qapp)) as desk:
        person = Person(qtbot, desk)
        desk.opener.open([tmp_path / "gone.gguf"])
        assert "There is no file" in problem(person)
        assert not desk.pair.is_loading
        assert person.find(QAbstractButton, "welcomeAddButton").isVisible()


def test_what_may_crash_again_is_not_loaded_in_place_of_a_bad_file(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, diary: Path
) -> None:
    services = services_at(places)
    services.pair_settings.remember(choice)
    with opened(services, Look(qapp), load_last=False) as desk:
        person = Person(qtbot, desk)
        desk.opener.open([diary])
        assert "not a GGUF model" in problem(person)
        assert desk.pair.wanted is None


def test_escape_at_the_start_ends_it(starting: Person, tiny_llama: Path) -> None:
    starting.desk.pair.loading.connect(starting.desk.stop)
    starting.desk.opener.open([tiny_llama])
    starting.qtbot.waitUntil(lambda: starting.desk.chat.conversation is not None, timeout=PATIENCE_MS)
    wait_for_tasks(starting)
    assert starting.desk.pair.wanted is None
    assert starting.desk.asking.pair is None


def test_a_file_opened_later_takes_the_place_of_the_pair(person: Person, tiny_llama: Path) -> None:
    with person.qtbot.waitSignal(person.desk.pair.loaded, timeout=PATIENCE_MS):
        person.desk.opener.open([tiny_llama])
    assert loaded(person)[0] == "tiny-llama.gguf"
    assert not person.desk.picker.isVisible()


@pytest.mark.parametrize("used", [None, 8])
def test_exact_mode_stays_and_how_much_is_guessed_is_the_model_s(
    person: Person, choice: PairChoice, tiny_llama: Path, used: int | None
) -> None:
    """As it was used with it before, else as much as pays."""
    desk, exact = person.desk, replace(choice.target_settings, exact=True)
    if used is not None:
        desk.services.pair_settings.remember(choice_of(tiny_llama, draft_type="none", draft_max=used))
    for load in (
        lambda: desk.pair.load(replace(choice, target_settings=exact, draft_max=2)),
        lambda: desk.opener.open([tiny_llama]),
    ):
        with person.qtbot.waitSignal(desk.pair.loaded, timeout=PATIENCE_MS):
            load()
    assert desk.pair.choice is not None
    assert desk.pair.choice.target == ModelFile(tiny_llama)
    assert (desk.pair.choice.target_settings.exact, desk.pair.choice.draft_max) == (True, used)
    assert "exact" in person.window.header.pair._words()[1]


def test_the_demo_has_its_own_number_of_guesses(person: Person, choice: PairChoice) -> None:
    """What another pair is used with does not show what the demo is for."""
    desk, exact = person.desk, replace(choice.target_settings, exact=True)
    for load in (
        lambda: desk.pair.load(replace(choice, target_settings=exact, draft_max=None)),
        lambda: desk.opener.open([demo_pair.demo_files()[0]]),
    ):
        with person.qtbot.waitSignal(desk.pair.loaded, timeout=PATIENCE_MS):
            load()
    assert desk.pair.choice is not None
    assert (desk.pair.choice.target_settings.exact, desk.pair.choice.draft_max) == (False, demo_pair.DEMO_GUESSES)


def test_what_is_no_model_leaves_the_pair_as_it_is(person: Person, diary: Path) -> None:
    before = person.desk.pair.choice
    person.desk.opener.open([diary])
    assert "not a GGUF model" in problem(person)
    assert person.desk.pair.choice is before is not None
    assert person.desk.asking.pair is not None
    assert person.desk.services.models.shelf.at(diary) is None


def test_what_is_loaded_is_not_loaded_again(person: Person, choice: PairChoice) -> None:
    with person.qtbot.assertNotEmitted(person.desk.pair.loading):
        person.desk.opener.open([file_of(choice.target)])
        person.qtbot.waitUntil(person.window.notice.isVisible, timeout=PATIENCE_MS)
    assert person.find(QLabel, "noticeText").text().endswith("is loaded already")


def test_what_is_loading_is_not_begun_again(person: Person, tiny_llama: Path) -> None:
    begun: list[float] = []
    person.desk.pair.loading.connect(lambda _, share: begun.append(share))
    with person.qtbot.waitSignal(person.desk.pair.loaded, timeout=PATIENCE_MS):
        person.desk.pair.load(choice_of(tiny_llama, draft_type="none"))
        person.desk.opener.open([tiny_llama])
    wait_for_tasks(person)
    assert begun == sorted(begun)


def test_an_answer_is_not_interrupted_the_picker_asks(writing: Person, tiny_llama: Path) -> None:
    desk = writing.desk
    desk.opener.open([tiny_llama])
    writing.qtbot.waitUntil(desk.picker.isVisible, timeout=PATIENCE_MS)
    writing.qtbot.waitUntil(writing.find(QAbstractButton, "loadButton").isEnabled, timeout=PATIENCE_MS)
    assert picked(writing.find(ChoiceList, "targetList")) == [ModelFile(tiny_llama)]
    assert desk.chat.is_answering
    with writing.qtbot.waitSignal(desk.pair.loaded, timeout=PATIENCE_MS):
        writing.click("loadButton")
    assert loaded(writing)[0] == "tiny-llama.gguf"


def test_what_has_no_room_here_is_left_to_the_picker(person: Person, tmp_path: Path) -> None:
    before = person.desk.pair.choice
    huge = make_sparse(tmp_path / "huge.gguf", HUGE, "F16")
    person.desk.opener.open([huge])
    person.qtbot.waitUntil(person.desk.picker.isVisible, timeout=PATIENCE_MS)
    person.qtbot.waitUntil(
        lambda: picked(person.find(ChoiceList, "targetList")) == [ModelFile(huge)], timeout=PATIENCE_MS
    )
    assert person.desk.pair.choice is before is not None


def test_a_model_dropped_on_the_window_is_opened(person: Person, tiny_llama: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Some notes")
    with person.qtbot.waitSignal(person.desk.pair.loaded, timeout=PATIENCE_MS):
        drop(person, files(tiny_llama, notes))
    assert loaded(person)[0] == "tiny-llama.gguf"
    assert [attached.name for attached in person.window.composer.attachments] == ["notes.txt"]
    assert not person.window.problem.isVisible()


def test_a_pair_dropped_together_is_loaded_as_one(person: Person, bad_pair: tuple[Path, Path]) -> None:
    target, draft = bad_pair
    with person.qtbot.waitSignal(person.desk.pair.loaded, timeout=PATIENCE_MS):
        drop(person, files(draft, target))
    assert loaded(person) == (target.name, draft.name)
    assert person.desk.pair.choice == choice_of(target, draft)


def test_of_a_pair_that_is_given_the_draft_is_the_one(person: Person, bad_pair: tuple[Path, Path]) -> None:
    """Also where another one is thought to be better, or is loaded."""
    target, draft = bad_pair
    for used in (choice_of(target, draft_type="none"), choice_of(target, draft, ModelSettings(n_ctx=256))):
        person.desk.services.pair_settings.remember(used)
    person.desk.services.pair_settings.remember(choice_of(target, draft_type="ngram"))
    for files_given in ([target], [target, draft]):
        with person.qtbot.waitSignal(person.desk.pair.loaded, timeout=PATIENCE_MS):
            person.desk.opener.open(files_given)
    assert loaded(person) == (target.name, draft.name)
    assert person.desk.pair.choice == choice_of(target, draft, ModelSettings(n_ctx=256))
    with person.qtbot.assertNotEmitted(person.desk.pair.loading):
        person.desk.opener.open([draft, target])
        person.qtbot.waitUntil(person.window.notice.isVisible, timeout=PATIENCE_MS)


def test_a_draft_that_cannot_guess_is_named(starting: Person, tiny_llama: Path, tiny_spm: Path) -> None:
    draft, target = sorted((tiny_llama, tiny_spm), key=lambda path: path.stat().st_size)
    starting.desk.opener.open([draft, target])
    assert loaded(starting)[0] == target.name
    told = problem(starting)
    assert told.startswith("Tiny cannot guess for Tiny: ")
    assert told.endswith(".")
    assert starting.find(QAbstractButton, "problemAction").text() == "Choose a pair…"
    starting.window.problem.dismiss()
    starting.desk.opener.open([draft, target])
    assert problem(starting) == told

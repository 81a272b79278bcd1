"""Model files that are opened from outside: with the start, by another start, or dropped on the window."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QMenu, QTextEdit
from pytestqt.qtbot import QtBot
from support.choices import choice_of, files_of
from support.desks import Person, picked
from support.paced_engine import PacedEngine
from support.sparse import Shape, make_sparse
from support.windows import opened

from specchat.domain.model_ref import ModelFile
from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.models import demo_pair
from specchat.services.models.model_refs import path_for_ref
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.pair.choice_list import ChoiceList
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.error_remedies import Remedy
from specchat.window_bootstrap import build_services

PATIENCE_MS = 60_000
HUGE = Shape("llama", n_vocab=4096, n_embd=16384, n_layer=64, n_head=128, n_head_kv=128, n_ff=65536, n_merges=1000)


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    path = tmp_path / "diary.gguf"
    path.write_text("Dear diary")
    return path


@pytest.fixture
def starting(qtbot: QtBot, controller: AppController) -> Person:
    """The window is there, and nothing is loaded yet."""
    return Person(qtbot, controller)


@pytest.fixture
def writing(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> Iterator[Person]:
    """An answer is being written, and does not end by itself."""
    services = build_services(places)
    services.pair_settings.save(choice)
    services = replace(services, make_engine=lambda: PacedEngine(lambda _: ["word "] * 20, holds=True))
    with opened(services, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE_MS)
        person.write("Go on and on")
        person.click("sendButton")
        person.wait_for_first_words()
        yield person


def loaded(person: Person) -> tuple[str, str | None]:
    person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=PATIENCE_MS)
    pair = person.controller.session.pair
    assert pair is not None
    return pair.target, pair.draft


def problem(person: Person) -> str:
    person.qtbot.waitUntil(person.window.problem.isVisible, timeout=PATIENCE_MS)
    return person.find(QTextEdit, "problemMessage").toPlainText()


def wait_for_tasks(person: Person) -> None:
    done: list[None] = []
    person.controller.tasks.run(lambda: None, done.append, lambda error: None)
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
    shelf = starting.controller.services.models.library
    shelf.add(files_of(choice)[1])
    told: list[str] = []
    starting.controller.pair.load_progressed.connect(lambda name, _: told.append(name))
    starting.controller.file_opener.open([tiny_llama])
    assert loaded(starting) == ("tiny-llama.gguf", "draft.gguf")
    assert told[0] == "tiny-llama"
    assert shelf.find_model(tiny_llama) is not None
    last = starting.controller.services.pair_settings.last_pair()
    assert last is not None
    assert last.target == ModelFile(tiny_llama)


def test_a_file_comes_as_it_was_used_last(starting: Person, tiny_llama: Path) -> None:
    used = choice_of(tiny_llama, None, ModelSettings(n_ctx=256), draft_type="none")
    starting.controller.services.pair_settings.save(used)
    starting.controller.services.pair_settings.save(choice_of(tiny_llama.with_name("another.gguf")))
    starting.controller.file_opener.open([tiny_llama])
    loaded(starting)
    assert starting.controller.pair.choice == used


def test_a_start_with_a_file_that_is_no_model_loads_what_was_used_last(
    starting: Person, diary: Path, choice: PairChoice
) -> None:
    starting.controller.file_opener.open([diary])
    assert loaded(starting) == (choice.target.name, "draft.gguf")
    assert problem(starting) == "diary.gguf is not a GGUF model."


def test_a_start_with_a_missing_file_where_there_is_no_model(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_pair, "resources", lambda: tmp_path / "nothing")
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        controller.file_opener.open([tmp_path / "gone.gguf"])
        assert "File not found" in problem(person)
        assert not controller.pair.is_loading
        assert person.find(QAbstractButton, "welcomeAddButton").isVisible()


def test_what_may_crash_again_is_not_loaded_in_place_of_a_bad_file(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, diary: Path
) -> None:
    services = build_services(places)
    services.pair_settings.save(choice)
    with opened(services, ThemeManager(qapp), load_last=False) as controller:
        person = Person(qtbot, controller)
        controller.file_opener.open([diary])
        assert "not a GGUF model" in problem(person)
        assert controller.pair.current_choice is None


def test_escape_at_the_start_ends_it(starting: Person, tiny_llama: Path) -> None:
    starting.controller.pair.load_progressed.connect(starting.controller.handle_escape)
    starting.controller.file_opener.open([tiny_llama])
    starting.qtbot.waitUntil(lambda: starting.controller.session.conversation is not None, timeout=PATIENCE_MS)
    wait_for_tasks(starting)
    assert starting.controller.pair.current_choice is None
    assert starting.controller.session.pair is None


def test_a_file_opened_later_takes_the_place_of_the_pair(person: Person, tiny_llama: Path) -> None:
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
        person.controller.file_opener.open([tiny_llama])
    assert loaded(person)[0] == "tiny-llama.gguf"
    assert not person.controller.picker.isVisible()


@pytest.mark.parametrize("used", [None, 8])
def test_exact_mode_stays_and_how_much_is_guessed_is_the_model_s(
    person: Person, choice: PairChoice, tiny_llama: Path, used: int | None
) -> None:
    """As it was used with it before, else as much as pays."""
    controller, exact = person.controller, replace(choice.target_settings, exact=True)
    if used is not None:
        controller.services.pair_settings.save(choice_of(tiny_llama, draft_type="none", draft_max=used))
    for load in (
        lambda: controller.pair.load(replace(choice, target_settings=exact, draft_max=2)),
        lambda: controller.file_opener.open([tiny_llama]),
    ):
        with person.qtbot.waitSignal(controller.session.pair_loaded, timeout=PATIENCE_MS):
            load()
    assert controller.pair.choice is not None
    assert controller.pair.choice.target == ModelFile(tiny_llama)
    assert (controller.pair.choice.target_settings.exact, controller.pair.choice.draft_max) == (True, used)
    assert "exact" in person.window.header.pair._words()[1]


def test_the_demo_has_its_own_number_of_guesses(person: Person, choice: PairChoice) -> None:
    """What another pair is used with does not show what the demo is for."""
    controller, exact = person.controller, replace(choice.target_settings, exact=True)
    for load in (
        lambda: controller.pair.load(replace(choice, target_settings=exact, draft_max=None)),
        lambda: controller.file_opener.open([demo_pair.demo_files()[0]]),
    ):
        with person.qtbot.waitSignal(controller.session.pair_loaded, timeout=PATIENCE_MS):
            load()
    assert controller.pair.choice is not None
    assert (controller.pair.choice.target_settings.exact, controller.pair.choice.draft_max) == (
        False,
        demo_pair.DEMO_GUESSES,
    )


def test_what_is_no_model_leaves_the_pair_as_it_is(person: Person, diary: Path) -> None:
    before = person.controller.pair.choice
    person.controller.file_opener.open([diary])
    assert "not a GGUF model" in problem(person)
    assert person.controller.pair.choice is before is not None
    assert person.controller.session.pair is not None
    assert person.controller.services.models.library.find_model(diary) is None


def test_what_is_loaded_is_not_loaded_again(person: Person, choice: PairChoice) -> None:
    with person.qtbot.assertNotEmitted(person.controller.pair.load_progressed):
        person.controller.file_opener.open([path_for_ref(choice.target)])
        person.qtbot.waitUntil(person.window.notice.isVisible, timeout=PATIENCE_MS)
    assert person.find(QLabel, "noticeText").text().endswith("is already loaded")


def test_what_is_loading_is_not_begun_again(person: Person, tiny_llama: Path) -> None:
    begun: list[float] = []
    person.controller.pair.load_progressed.connect(lambda _, share: begun.append(share))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
        person.controller.pair.load(choice_of(tiny_llama, draft_type="none"))
        person.controller.file_opener.open([tiny_llama])
    wait_for_tasks(person)
    assert begun == sorted(begun)


def test_an_answer_is_not_interrupted_the_picker_asks(writing: Person, tiny_llama: Path) -> None:
    controller = writing.controller
    controller.file_opener.open([tiny_llama])
    writing.qtbot.waitUntil(controller.picker.isVisible, timeout=PATIENCE_MS)
    writing.qtbot.waitUntil(writing.find(QAbstractButton, "loadButton").isEnabled, timeout=PATIENCE_MS)
    assert picked(writing.find(ChoiceList, "targetList")) == [ModelFile(tiny_llama)]
    assert controller.chat.is_answering
    with writing.qtbot.waitSignal(controller.session.pair_loaded, timeout=PATIENCE_MS):
        writing.click("loadButton")
    assert loaded(writing)[0] == "tiny-llama.gguf"


def test_what_has_no_room_here_is_left_to_the_picker(person: Person, tmp_path: Path) -> None:
    before = person.controller.pair.choice
    huge = make_sparse(tmp_path / "huge.gguf", HUGE, "F16")
    person.controller.file_opener.open([huge])
    person.qtbot.waitUntil(person.controller.picker.isVisible, timeout=PATIENCE_MS)
    person.qtbot.waitUntil(
        lambda: picked(person.find(ChoiceList, "targetList")) == [ModelFile(huge)], timeout=PATIENCE_MS
    )
    assert person.controller.pair.choice is before is not None


def choose_role(person: Person, words: str) -> list[str]:
    """In the menu of a dropped model; returns what it offers."""
    person.qtbot.waitUntil(lambda: person.window.findChild(QMenu, "droppedModelMenu") is not None, timeout=PATIENCE_MS)
    menu = person.window.findChild(QMenu, "droppedModelMenu")
    assert isinstance(menu, QMenu)
    offered = {action.text(): action for action in menu.actions() if action.isEnabled() and action.text()}
    offered[words].trigger()
    menu.close()
    return list(offered)


def test_a_model_dropped_on_the_window_is_opened(person: Person, tiny_llama: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("Some notes")
    drop(person, files(tiny_llama, notes))
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
        choose_role(person, "Use as the target")
    assert loaded(person)[0] == "tiny-llama.gguf"
    assert [attached.name for attached in person.window.composer.attachments] == ["notes.txt"]
    assert not person.window.problem.isVisible()


def test_a_dropped_model_can_be_the_draft(person: Person, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    drop(person, files(draft))
    words = f"Use as the draft of {person.controller.pair.display_name(target.name)}"
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
        assert choose_role(person, words) == ["Use as the target", words]
    assert loaded(person) == (target.name, draft.name)
    drop(person, files(target))
    person.qtbot.waitUntil(person.window.notice.isVisible, timeout=PATIENCE_MS)
    assert person.window.findChild(QMenu, "droppedModelMenu") is None


def test_a_pair_dropped_together_is_loaded_as_one(person: Person, bad_pair: tuple[Path, Path]) -> None:
    target, draft = bad_pair
    with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
        drop(person, files(draft, target))
    assert loaded(person) == (target.name, draft.name)
    assert person.controller.pair.choice == choice_of(target, draft)


def test_of_a_pair_that_is_given_the_draft_is_the_one(person: Person, bad_pair: tuple[Path, Path]) -> None:
    """Also where another one is thought to be better, or is loaded."""
    target, draft = bad_pair
    for used in (choice_of(target, draft_type="none"), choice_of(target, draft, ModelSettings(n_ctx=256))):
        person.controller.services.pair_settings.save(used)
    person.controller.services.pair_settings.save(choice_of(target, draft_type="ngram"))
    for files_given in ([target], [target, draft]):
        with person.qtbot.waitSignal(person.controller.session.pair_loaded, timeout=PATIENCE_MS):
            person.controller.file_opener.open(files_given)
    assert loaded(person) == (target.name, draft.name)
    assert person.controller.pair.choice == choice_of(target, draft, ModelSettings(n_ctx=256))
    with person.qtbot.assertNotEmitted(person.controller.pair.load_progressed):
        person.controller.file_opener.open([draft, target])
        person.qtbot.waitUntil(person.window.notice.isVisible, timeout=PATIENCE_MS)


def test_a_draft_that_cannot_guess_is_named(starting: Person, tiny_llama: Path, tiny_t5: Path) -> None:
    draft, target = sorted((tiny_llama, tiny_t5), key=lambda path: path.stat().st_size)
    starting.controller.file_opener.open([draft, target])
    assert loaded(starting)[0] == target.name
    told = problem(starting)
    assert told.startswith("Tiny can't draft for Tiny: ")
    assert told.endswith(".")
    assert starting.remedies() == [Remedy.OTHER_DRAFT]
    starting.window.problem.dismiss()
    starting.controller.file_opener.open([draft, target])
    assert problem(starting) == told

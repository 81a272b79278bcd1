"""The real window, the real engine, small models."""

from itertools import count
from pathlib import Path

import llama_cpp.llama_cpp as llama
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from support.choices import choice_of
from support.desks import Person

from specchat.domain.conversations import MessageState
from specchat.domain.types import PairChoice, Role
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths
from specchat.ui.overlay.stats_overlay import StatsOverlay
from specchat.ui.overlay.step_strip import StepStrip

NO_MEMORY = -2
NAMES = (
    "newChatButton",
    "conversationList",
    "searchBox",
    "transcript",
    "composer",
    "sendButton",
    "stopButton",
    "pairButton",
    "acceptanceOverlay",
    "contextMeter",
    "statusMessage",
)


def test_everything_has_its_name(person: Person) -> None:
    assert person.window.objectName() == "mainWindow"
    for name in NAMES:
        assert person.find(QWidget, name).accessibleName(), name


def test_an_answer_is_written_and_kept(person: Person, places: Paths) -> None:
    person.keep_short()
    answer = person.ask("Tell me more.")
    assert answer.role is Role.ASSISTANT
    assert answer.text
    assert person.path[0].text == "Tell me more."
    kept = person.controller.services.messages.answer(answer.id)
    assert kept is not None
    assert kept.stats.n_drafted > 0
    assert kept.stats.n_generated == 24
    assert person.window.windowTitle().startswith("Tell me more")
    assert person.find(QPlainTextEdit, "composer").toPlainText() == ""


def test_a_draft_has_one_name_wherever_it_is_told(person: Person, choice: PairChoice) -> None:
    assert choice.draft is not None
    person.keep_short()
    person.ask("Tell me more.")
    person.controller.stats_overlay.show_details()
    cell = person.find(QTableView, "replyTable").model().index(1, 8).data()
    assert cell == person.controller.pair.display_name(choice.draft.name) != choice.draft.name


@pytest.mark.parametrize("n_ctx", [2048])
def test_an_answer_can_be_stopped_and_continued(person: Person) -> None:
    person.keep_short(1800)
    person.write("Go on.")
    person.click("sendButton")
    person.wait_for_first_words()
    assert person.find(QAbstractButton, "stopButton").isVisible()
    person.click("stopButton")
    stopped = person.wait_for_answer()
    assert stopped.state is MessageState.STOPPED
    person.keep_short(8)
    person.window.transcript.continue_requested.emit(stopped.id)
    continued = person.wait_for_answer()
    assert continued.id == stopped.id
    assert continued.text.startswith(stopped.text)
    assert len(continued.text) > len(stopped.text)
    answer = person.controller.services.messages.answer(continued.id)
    assert answer is not None
    said = person.find(StatsOverlay, "acceptanceOverlay").accessibleDescription()
    assert f"percent of {answer.stats.n_drafted} guesses accepted" in said


def test_the_columns_stay_when_the_models_are_read_again(person: Person) -> None:
    """As the picker does when it opens."""
    person.keep_short()
    person.ask("Hello there")
    steps = person.find(StepStrip, "stepStrip")
    shown = steps._steps
    assert shown
    with person.qtbot.waitSignal(person.controller.pair.model_names_changed):
        person.controller.pair.refresh_models()
    assert steps._steps == shown


def test_exported_and_imported_nothing_is_lost(person: Person, tmp_path: Path) -> None:
    person.keep_short()
    answer = person.ask("Keep this")
    conversation = person.controller.session.conversation
    assert conversation is not None
    file = tmp_path / "chat.json"
    person.controller.chat_files.export_to(file, [conversation.id])
    person.qtbot.waitUntil(lambda: not person.controller.chat_files.is_busy, timeout=60_000)
    person.controller.services.conversations.rename(conversation.id, "Another")
    person.controller.chat_files.import_from(file)
    person.qtbot.waitUntil(lambda: not person.controller.chat_files.is_busy, timeout=60_000)
    person.click("noticeAction")
    imported = person.controller.session.conversation
    assert imported is not None
    assert imported.id != conversation.id
    assert [message.text for message in person.path] == ["Keep this", answer.text]
    before, after = (person.controller.services.messages.answer(id_) for id_ in (answer.id, person.path[-1].id))
    assert before == after


@pytest.mark.parametrize("n_ctx", [4096])
@pytest.mark.parametrize("is_stopped", [False, True])
def test_closing_amid_an_answer_keeps_what_was_written(person: Person, places: Paths, is_stopped: bool) -> None:
    """And why it ends."""
    person.keep_short(3500)  # so long that it goes on when the window is closed, however busy the computer is
    person.write("Long story")
    person.click("sendButton")
    person.wait_for_first_words()
    if is_stopped:
        person.click("stopButton")
    person.window.close()
    store = open_chat_store(places.data / "chats.db")
    (conversation,) = store.conversations()
    assert conversation.leaf is not None
    question, answer = store.path(conversation.leaf)
    facts = store.answer(answer.id)
    store.close()
    assert facts is not None
    assert facts.window_closed is not is_stopped
    assert question.text == "Long story"
    assert answer.state is MessageState.STOPPED
    assert answer.text


def test_the_theme_can_be_changed(person: Person) -> None:
    look = person.controller.theme_manager
    look.set_mode("dark")
    dark = person.window.grab().toImage().pixelColor(400, 300)
    look.set_mode("light")
    light = person.window.grab().toImage().pixelColor(400, 300)
    assert dark.lightness() < 80 < 180 < light.lightness()


def test_by_keys_alone(person: Person) -> None:
    person.keep_short()
    editor = person.find(QPlainTextEdit, "composer")
    person.qtbot.waitUntil(editor.hasFocus)
    QTest.keyClicks(editor, "Only keys")
    person.press(Qt.Key.Key_Return)
    answer = person.wait_for_answer()
    person.press(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    assert person.wait_for_answer().id != answer.id
    person.press(Qt.Key.Key_Up)
    assert person.window.composer.is_editing
    person.press(Qt.Key.Key_Escape)
    assert not person.window.composer.is_editing
    person.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert person.path == []


def test_a_load_that_fails_is_told(person: Person, tmp_path: Path) -> None:
    text = tmp_path / "text.gguf"
    text.write_text("Dear diary")
    person.controller.pair.load(choice_of(text, draft_type="none"))
    person.qtbot.waitUntil(person.window.problem.isVisible)
    assert not person.controller.pair.is_loading
    assert person.controller.session.pair is None
    assert not person.find(QAbstractButton, "sendButton").isEnabled()


@pytest.mark.usefixtures("engine_here")
@pytest.mark.parametrize("n_ctx", [2048])
def test_memory_that_runs_out_amid_an_answer(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp answers as it does where it cannot allocate, from its tenth step on."""
    person.keep_short(16)
    first = person.ask("Hello there")
    decode, steps = llama.llama_decode, count()
    monkeypatch.setattr(llama, "llama_decode", lambda *what: decode(*what) if next(steps) < 10 else NO_MEMORY)
    person.keep_short(400)
    broken_off = person.ask("Go on.")
    assert broken_off.state is MessageState.STOPPED
    assert broken_off.text
    assert "may have run out of memory" in person.find(QWidget, "problem").accessibleDescription()
    assert person.path[1].text == first.text

    monkeypatch.undo()
    person.keep_short(16)
    person.window.transcript.continue_requested.emit(broken_off.id)
    assert len(person.wait_for_answer().text) > len(broken_off.text)


def test_an_answer_without_a_question_stays_where_its_next_version_never_begins(person: Person, tmp_path: Path) -> None:
    """As in an imported chat that begins with a greeting."""
    file = tmp_path / "greeting.md"
    file.write_text("# Hi <!-- specchat:conversation -->\n\n## Answer <!-- specchat:assistant -->\n\nWelcome!\n")
    with person.controller.services.kept_chats() as chats:
        (chat,) = chats.files.read(file)
    person.controller.chat.open(chat)
    person.occupy_the_models()
    person.controller.generation.regenerate_last()
    assert person.controller.chat.is_waiting
    person.controller.generation.stop()
    assert [(each.text, each.versions) for each in person.path] == [("Welcome!", 1)]
    assert not person.controller.chat.is_answering

"""The real window, the real engine, small models."""

from itertools import count
from pathlib import Path

import llama_cpp.llama_cpp as llama
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.desks import Person, store_of
from support.windows import opened

from specchat.domain.conversations import ConversationSettings, MessageState
from specchat.domain.types import USER, PairChoice, Role
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths
from specchat.ui.overlay.step_strip import StepStrip
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

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


def test_regenerating_keeps_the_version_before(person: Person) -> None:
    person.keep_short()
    first = person.ask("Hello there")
    person.window.transcript.regenerate_requested.emit(first.id)
    second = person.wait_for_answer()
    assert (second.version, second.versions) == (2, 2)
    person.window.transcript.version_requested.emit(second.id, -1)
    assert person.path[-1].id == first.id


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


def test_editing_a_question_begins_another_path(person: Person) -> None:
    person.keep_short()
    person.ask("First words")
    person.window.transcript.edit_requested.emit(person.path[0].id)
    editor = person.find(QPlainTextEdit, "composer")
    assert editor.toPlainText() == "First words"
    editor.setPlainText("Other words")
    person.click("sendButton")
    person.wait_for_answer()
    assert person.path[0].text == "Other words"
    assert person.path[0].versions == 2


def test_an_answer_is_edited_and_the_old_one_kept(person: Person) -> None:
    person.keep_short()
    first = person.ask("First words")
    person.window.transcript.edit_requested.emit(first.id)
    editor = person.find(QPlainTextEdit, "composer")
    assert editor.toPlainText() == first.text
    editor.setPlainText(f"Well: {first.text}")
    person.press(Qt.Key.Key_Return)
    edited = person.path[-1]
    assert (edited.text, edited.version, edited.state) == (f"Well: {first.text}", 2, first.state)
    assert person.controller.services.messages.versions(first.id) == [first.id, edited.id]
    person.window.transcript.edit_requested.emit(edited.id)
    editor.setPlainText("Well: it is")
    person.click("continueAnswerButton")
    last = person.wait_for_answer()
    assert (last.text.startswith("Well: it is"), last.text != "Well: it is", last.version) == (True, True, 3)
    answer = person.controller.services.messages.answer(last.id)
    assert answer is not None
    assert answer.marks[0].origin == USER


def test_the_answer_starts_with_given_words(person: Person) -> None:
    person.keep_short()
    person.write("Is it so?")
    person.window.composer.open_prefill("Yes, because")
    person.click("sendButton")
    first = person.wait_for_answer()
    assert first.text.startswith("Yes, because")
    assert first.text != "Yes, because"
    assert person.window.composer.prefill == ""
    person.window.transcript.prefill_requested.emit(first.id)
    person.write("No")
    person.click("sendButton")
    second = person.wait_for_answer()
    assert (second.text[:2], second.version) == ("No", 2)
    answer = person.controller.services.messages.answer(second.id)
    assert answer is not None
    assert (answer.marks[0].end, answer.marks[0].origin) == (2, USER)


def test_given_words_stay_if_the_answer_cannot_begin(person: Person) -> None:
    person.keep_short()
    first = person.ask("Is it so?")
    person.window.transcript.prefill_requested.emit(first.id)
    person.write("Yes, because")
    database = store_of(person.controller).database
    database.execute("PRAGMA query_only = 1")
    person.click("sendButton")
    composer = person.window.composer
    assert (composer.text, composer.is_editing) == ("Yes, because", True)
    database.execute("PRAGMA query_only = 0")
    person.click("sendButton")
    second = person.wait_for_answer()
    assert (second.text.startswith("Yes, because"), second.version) == (True, 2)


def test_a_branch_is_a_conversation_of_its_own(person: Person) -> None:
    person.keep_short()
    answer = person.ask("Branch here")
    before = person.controller.session.conversation
    assert before is not None
    person.window.transcript.branch_requested.emit(answer.id)
    after = person.controller.session.conversation
    assert after is not None
    assert after.id != before.id
    assert [message.text for message in person.path] == ["Branch here", answer.text]
    assert (before.title, after.title) == ("Branch here", "Branch here (2)")


def test_a_deleted_message_comes_back(person: Person) -> None:
    person.keep_short()
    answer = person.ask("Delete me")
    person.window.transcript.delete_requested.emit(answer.id)
    assert len(person.path) == 1
    person.click("noticeAction")
    assert [message.id for message in person.path][-1] == answer.id


def test_a_deleted_conversation_comes_back(person: Person) -> None:
    person.keep_short()
    person.ask("Delete this chat")
    conversation = person.controller.session.conversation
    assert conversation is not None
    person.window.sidebar.list.delete_requested.emit([conversation.id])
    assert person.path == []
    person.click("noticeAction")
    assert person.controller.session.conversation is not None
    assert person.controller.session.conversation.id == conversation.id


def test_search_finds_what_was_said(person: Person) -> None:
    person.keep_short()
    person.ask("Where is the zebra?")
    asked = person.controller.session.conversation
    person.click("newChatButton")
    assert person.path == []
    field = person.find(QLineEdit, "searchBox")
    QTest.keyClicks(field, "zebra")
    shown: list[tuple[int, int]] = []
    person.window.sidebar.list.hit_open_requested.connect(lambda *hit: shown.append(hit))
    person.qtbot.waitUntil(lambda: bool(person.controller.services.conversations.search("zebra")))
    person.qtbot.wait(200)
    QTest.keyClick(field, Qt.Key.Key_Return)
    person.qtbot.waitUntil(lambda: bool(shown))
    assert person.controller.session.conversation is not None
    assert asked is not None
    assert person.controller.session.conversation.id == asked.id
    person.qtbot.waitUntil(lambda: person.find(QLabel, "findPosition").text().startswith("1 of "))
    assert person.find(QLineEdit, "findField").text() == "zebra"


def test_exported_and_imported_nothing_is_lost(person: Person, tmp_path: Path) -> None:
    person.keep_short()
    answer = person.ask("Keep this")
    conversation = person.controller.session.conversation
    assert conversation is not None
    file = tmp_path / "chat.json"
    person.controller.chat_files.export_to(file, [conversation.id])
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


def test_what_is_typed_stays_with_its_conversation(person: Person) -> None:
    person.keep_short()
    person.ask("One")
    first = person.controller.session.conversation
    assert first is not None
    person.write("unsent message")
    person.click("newChatButton")
    assert person.find(QPlainTextEdit, "composer").toPlainText() == ""
    person.window.sidebar.list.open_requested.emit(first.id)
    assert person.find(QPlainTextEdit, "composer").toPlainText() == "unsent message"


def listed(person: Person) -> list[str]:
    """As screen readers hear it."""
    model = person.find(QListView, "conversationList").model()
    rows = (model.index(row, 0) for row in range(model.rowCount()))
    return [row.data(Qt.ItemDataRole.AccessibleTextRole) for row in rows if row.flags()]


def test_unsent_messages_show_in_the_list(person: Person) -> None:
    """Once they are left behind, until they are sent or wiped out."""
    person.keep_short(4)
    person.ask("One")
    person.write("And two")
    person.click("newChatButton")
    person.write("What is a **draft**? Tell me")
    new = person.controller.session.conversation
    assert new is not None
    person.controller.chat_list.open_neighbour(1)
    assert listed(person) == ["What is a draft?, unsent message", "One, unsent message"]
    person.window.composer.set_text("")
    person.controller.chat.save_unsent_text()
    person.controller.chat.open(new.id)
    assert listed(person) == ["What is a draft?, unsent message", "One"]


def test_a_new_chat_ends_the_search(person: Person) -> None:
    person.keep_short(4)
    person.ask("Sky")
    field = person.find(QLineEdit, "searchBox")
    with person.qtbot.waitSignal(person.window.sidebar.search_changed):
        field.setText("Sky")
    assert set(listed(person)) == {"Sky: Sky"}
    person.press(Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert field.text() == ""
    assert listed(person) == ["New chat", "Sky"]


@pytest.mark.parametrize("by", ["key", "button"])
def test_a_branch_at_a_question_shows_in_the_list_and_is_answered(person: Person, by: str) -> None:
    """Also amid a search."""
    person.keep_short(4)
    person.ask("Sky")
    question = person.path[0]
    field = person.find(QLineEdit, "searchBox")
    with person.qtbot.waitSignal(person.window.sidebar.search_changed):
        field.setText("Sky")
    person.window.transcript.branch_requested.emit(question.id)
    assert field.text() == ""
    assert listed(person) == ["Sky (2)", "Sky"]
    (chosen,) = person.find(QListView, "conversationList").selectedIndexes()
    assert chosen.data(Qt.ItemDataRole.AccessibleTextRole) == "Sky (2)"
    assert [message.text for message in person.path] == ["Sky"]
    if by == "key":
        person.press(Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)
    else:
        person.window.transcript.regenerate_requested.emit(person.path[-1].id)
    assert person.wait_for_answer().versions == 1


def test_a_start_with_an_unsent_text_goes_on_with_it(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice
) -> None:
    services = build_services(places)
    services.pair_settings.save(choice)
    chat = services.conversations.create(ConversationSettings())
    services.conversations.save_unsent_text(chat.id, "unsent message")
    with opened(services, ThemeManager(qapp)) as controller:
        editor = Person(qtbot, controller).find(QPlainTextEdit, "composer")
        qtbot.waitUntil(lambda: editor.toPlainText() == "unsent message")
        qtbot.waitUntil(lambda: controller.window.focusWidget() is editor)


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

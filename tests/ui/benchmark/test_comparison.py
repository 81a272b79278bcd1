"""The same question to the pair and to its target alone, with real models."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget
from pytestqt.qtbot import QtBot
from support.scripted_engine import ScriptedEngine, reply, scripted_engine

from specchat.domain.answer_tasks import AnswerTask, Compared
from specchat.domain.conversations import Answer, MessageState
from specchat.domain.types import FinishReason, GenerationStats, PairChoice
from specchat.services.chat.answer_writer import StreamedAnswer
from specchat.services.engines.answer_comparison import CompleteAnswer, TextDifference, first_difference
from specchat.services.engines.compared_sides import Side, default_sides, list_sides, settled_choices
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.app_controller import AppController
from specchat.ui.comparison.controller import ComparisonController
from specchat.ui.comparison.side_text import side_label
from specchat.ui.comparison.verdict import end_text, ratio_text, verdict_text

PATIENCE = 120_000
QUESTION = "Is it warm?"

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def comparison(qtbot: QtBot, controller: AppController) -> ComparisonController:
    conversation = controller.session.conversation
    assert conversation is not None
    short = replace(conversation.settings, max_tokens=24)
    controller.session.set_conversation(controller.services.conversations.change_settings(conversation.id, short))
    controller.comparison.open()
    opened = controller.comparison.controller()
    qtbot.waitUntil(lambda: len(opened.page.sides) == 2, timeout=PATIENCE)
    return opened


@pytest.fixture
def server() -> Iterator[ScriptedEngine]:
    with scripted_engine() as server:
        server.replies = {"/v1/models": reply({"data": [{"id": "small", "owned_by": "llamacpp"}]})}
        yield server


def find(comparison: ComparisonController, kind: type[W], name: str) -> W:
    found = comparison.page.findChild(kind, name)
    assert found is not None, name
    return found


def figures(comparison: ComparisonController, side: str) -> str:
    return find(comparison, QLabel, f"comparison{side}Figures").text()


def send(comparison: ComparisonController, question: str = QUESTION) -> None:
    comparison.page.composer.set_text(question)
    comparison.page.composer.send()


def ask(qtbot: QtBot, comparison: ComparisonController) -> None:
    with qtbot.waitSignal(comparison.finished, timeout=PATIENCE):
        send(comparison)


def test_the_loaded_pair_beside_its_target(comparison: ComparisonController, choice: PairChoice) -> None:
    left, right = comparison.page.sides
    assert (left.choice.target, left.choice.draft, left.compared) == (choice.target, choice.draft, Compared.PAIR)
    assert (right.choice.target, right.compared) == (choice.target, Compared.TARGET_ONLY)


def test_the_loaded_pair_beside_its_target_where_engines_were_known_before(
    qtbot: QtBot, controller: AppController, choice: PairChoice, server: ScriptedEngine
) -> None:
    controller.services.models.connections().registry.add("box", server.url)
    controller.engines.refresh()
    qtbot.waitUntil(lambda: any(entry.report for entry in controller.engines.entries))
    controller.comparison.open()
    comparison = controller.comparison.controller()
    qtbot.waitUntil(lambda: comparison.sides.is_listed and len(comparison.page.sides) == 2)
    assert [side.choice.target for side in comparison.page.sides] == [choice.target, choice.target]


def test_the_same_model_of_two_engines_is_told_apart(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController, server: ScriptedEngine
) -> None:
    registry = controller.services.models.connections().registry
    with scripted_engine() as other:
        other.replies = server.replies
        for name, each in (("box", server), ("rack", other), ("box again", server)):
            registry.add(name, each.url)
        controller.engines.refresh()
        qtbot.waitUntil(lambda: sum(entry.report is not None for entry in controller.engines.entries) == 3)
    box = find(comparison, QComboBox, "comparisonLeftChoice")
    shown = [text for text in map(box.itemText, range(box.count())) if text.startswith("small")]
    assert shown == ["small · box", "small · rack"]


def test_the_pair_loaded_last_is_preset_unless_others_were_chosen(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController
) -> None:
    loaded = controller.pair.resolved_choice
    assert loaded is not None
    other = replace(loaded, draft=None, draft_type="ngram", draft_max=None)
    comparison.sides.show_local([Side(other), Side(loaded)])
    assert comparison.page.sides[0].choice == other
    find(comparison, QComboBox, "comparisonLeftChoice").setCurrentIndex(1)
    comparison.sides.show_local([Side(other), Side(loaded)])
    assert comparison.page.sides[0].choice == loaded


def test_both_answer_and_one_is_kept_as_a_chat(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController
) -> None:
    ask(qtbot, comparison)
    assert "% accepted" in figures(comparison, "Left")
    assert "tokens/s" in figures(comparison, "Right")
    assert "accepted" not in figures(comparison, "Right")
    said = find(comparison, QLabel, "comparisonVerdict").text()
    assert said.startswith(("Both answers are the same.", "The answers first differ"))
    assert not controller.services.conversations.list_used(), "nothing is stored"
    assert controller.session.pair is not None, "the pair of the chat stays loaded"
    for column in comparison.page.columns:
        rows = [column.transcript.message_layout.row(number) for number in range(2)]
        assert rows[0].text == QUESTION
        assert rows[1].text
    QTest.mouseClick(find(comparison, QAbstractButton, "comparisonRightKeep"), Qt.MouseButton.LeftButton)
    (chat,) = controller.services.conversations.list_used()
    assert chat.leaf is not None
    question, answer = controller.services.messages.path_to(chat.leaf)
    assert (chat.title, question.text) == ("Is it warm?", "Is it warm?")
    known = controller.services.messages.answer(answer.id)
    assert known is not None
    assert (known.target, known.stats.n_drafted) == ("target.gguf", 0)


def test_both_answers_start_as_asked_and_are_kept_with_the_settings_that_they_had(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController
) -> None:
    asked_in = controller.session.conversation
    assert asked_in is not None
    composer = comparison.page.composer
    with qtbot.waitSignal(comparison.finished, timeout=PATIENCE):
        composer.set_text(QUESTION)
        composer.open_prefill("It was")
        composer.send()
    for column in comparison.page.columns:
        assert column.transcript.message_layout.row(1).text.startswith("It was")
    assert composer.prefill == ""
    controller.chat.start_chat()
    controller.chat.change_settings(replace(asked_in.settings, system_prompt="Rhyme."))
    QTest.mouseClick(find(comparison, QAbstractButton, "comparisonLeftKeep"), Qt.MouseButton.LeftButton)
    kept = next(each for each in controller.services.conversations.list_used() if each.title == QUESTION)
    assert kept.settings == asked_in.settings


def test_pictures_are_refused_for_what_they_are(controller: AppController, comparison: ComparisonController) -> None:
    """It may be that both models see pictures."""
    comparison.page.composer.attaching.pictures_refused.emit()
    shown = controller.window.findChild(QLabel, "noticeText")
    assert shown is not None
    assert shown.text() == "A question side by side can't have pictures."


def test_another_pair_makes_room_and_the_first_one_comes_back(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController, choice: PairChoice
) -> None:
    box = find(comparison, QComboBox, "comparisonRightChoice")
    texts = [box.itemText(at) for at in range(box.count())]
    box.setCurrentIndex(next(at for at, text in enumerate(texts) if "earlier text" in text))
    send(comparison)
    qtbot.waitUntil(lambda: controller.pair.is_suspended, timeout=PATIENCE)
    qtbot.waitUntil(lambda: not comparison.is_running, timeout=PATIENCE)
    assert "tokens/s" in figures(comparison, "Right")
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    back = controller.pair.choice
    assert back is not None
    assert (back.target, back.draft) == (choice.target, choice.draft)


def test_another_choice_leaves_the_answer_to_the_one_that_wrote_it(
    qtbot: QtBot, controller: AppController, comparison: ComparisonController
) -> None:
    ask(qtbot, comparison)
    box, shown = find(comparison, QComboBox, "comparisonLeftChoice"), find(comparison, QLabel, "comparisonLeftWriter")
    writer = box.currentText()
    assert not shown.isVisible()
    box.setCurrentIndex(next(at for at in range(box.count()) if "earlier text" in box.itemText(at)))
    assert (shown.text(), shown.isVisible()) == (f"Answered by {writer}", True)
    assert not find(comparison, QLabel, "comparisonRightWriter").isVisible()
    QTest.mouseClick(find(comparison, QAbstractButton, "comparisonLeftKeep"), Qt.MouseButton.LeftButton)
    (chat,) = controller.services.conversations.list_used()
    assert chat.title == QUESTION
    box.setCurrentIndex(0)
    assert not shown.isVisible()
    box.setCurrentIndex(1)
    assert shown.isVisible()
    ask(qtbot, comparison)
    assert not shown.isVisible()


def test_escape_stops_the_answers_before_it_leaves_the_page(qtbot: QtBot, comparison: ComparisonController) -> None:
    with qtbot.waitSignal(comparison.finished, timeout=PATIENCE):
        send(comparison)
        qtbot.waitUntil(lambda: comparison.is_running, timeout=PATIENCE)
        assert comparison.page.go_back()
    assert not comparison.page.go_back()
    assert figures(comparison, "Right") == "Stopped"
    buttons = [column.findChild(QAbstractButton, "continueMessageButton") for column in comparison.page.columns]
    assert [button is not None and button.isVisible() for button in buttons] == [False, False]


def test_a_target_alone_shares_what_is_loaded(controller: AppController) -> None:
    services, choice = controller.services, controller.pair.resolved_choice
    assert choice is not None
    sides = list_sides(choice, services.models.library, services.pair_settings)
    default = default_sides(sides)
    assert default is not None
    assert settled_choices(default, choice, services.models.library) == [choice, choice]
    assert settled_choices((sides[1], sides[1]), None, services.models.library)[0].draft is None
    labels = [side_label(side, lambda name: name) for side in sides[:2]]
    assert labels == ["target.gguf + draft.gguf", "target.gguf, target only"]
    assert Side(choice) == sides[0]


def answer(
    text: str, speed: float = 10.0, exact: str = "", target: str = "t", temperature: float = 0.0
) -> CompleteAnswer:
    stats = GenerationStats(n_generated=40, tokens_per_s=speed)
    return CompleteAnswer(text, Answer(target, finish=FinishReason.STOP, exact=exact, stats=stats), temperature)


def test_what_is_said_of_two_answers() -> None:
    assert verdict_text(answer("a b", 18), answer("a b", 10)) == "Both answers are the same."
    assert verdict_text(answer("a b"), answer("a b")).endswith("Both were about as fast.")
    differ = verdict_text(answer("It is warm", 18), answer("It is wet", 10))
    assert differ.startswith("The answers first differ at word 3: “warm” and “wet”.")
    assert differ.endswith("In exact mode they are the same.")
    assert "exact" not in verdict_text(answer("a", 18, "passed"), answer("b", 10, "passed"))
    expected = verdict_text(answer("a", 18, temperature=0.8), answer("b", temperature=0.8))
    assert expected.startswith("The answers first differ at word 1: “a” and “b”. Above temperature 0, this is expected")
    assert verdict_text(answer("a", 18, temperature=0.8), answer("a", temperature=0.8)) == "Both answers are the same."
    assert verdict_text(answer("a", 18), answer("b", target="other")) == ""
    sampled = answer("a", 18, "passed", temperature=0.8), answer("a", 10, "passed", temperature=0.8)
    assert verdict_text(*sampled) == "Both answers are the same."


def test_an_answer_that_was_cut_short_says_so() -> None:
    stats = GenerationStats(n_generated=40, tokens_per_s=10.0, ttft_s=0.5)
    stopped = Answer("t", finish=FinishReason.CANCELLED, stats=stats)
    said = end_text(stopped, StatsSnapshot.from_stats(stats)).replace("\u00a0", " ")
    assert said == "10.0 tokens/s · 4.4 s · stopped"
    assert "length limit reached" in end_text(replace(stopped, finish=FinishReason.LENGTH), StatsSnapshot())
    nothing = Answer("t", finish=FinishReason.CANCELLED, stats=GenerationStats())
    assert end_text(nothing, StatsSnapshot()) == "Stopped"


def test_a_side_without_an_answer_shows_only_the_question(comparison: ComparisonController) -> None:
    column = comparison.page.columns[0]
    column.begin(QUESTION, StreamedAnswer(AnswerTask(-1, ())))
    assert column.transcript.message_layout.index_of(-1) is not None
    column.finish(MessageState.STOPPED)
    assert column.transcript.message_layout.index_of(-1) is None


def test_how_much_faster_one_was() -> None:
    assert [ratio_text(ratio) for ratio in (1.84, 1.02, 0.5, None)] == ["wrote 1.8× as fast", "", "", ""]
    assert first_difference("one two", "one two three") == TextDifference(3, "", "three")
    assert first_difference("one two", "one twofold") == TextDifference(2, "two", "twofold")

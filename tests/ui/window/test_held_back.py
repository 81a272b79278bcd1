"""What is sent while nothing can be sent."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QListView, QPlainTextEdit
from pytestqt.qtbot import QtBot
from support.desks import Person

from specchat.domain.conversations import Attachment
from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_choice
from specchat.services.settings.preset_service import PRECISE
from specchat.ui.app_controller import AppController
from specchat.ui.benchmark.end_question import Measurement

PATIENCE_MS = 60_000
MINE = "What is a draft model?"


@pytest.fixture
def starting(qtbot: QtBot, controller: AppController) -> Person:
    """A chat is open, and the models are still loading."""
    person = Person(qtbot, controller)
    qtbot.waitUntil(
        lambda: controller.session.conversation is not None and controller.pair.is_loading, timeout=PATIENCE_MS
    )
    assert controller.session.pair is None
    person.keep_short(4)
    return person


def typed(person: Person) -> str:
    return person.find(QPlainTextEdit, "composer").toPlainText()


def status(person: Person) -> str:
    return person.find(QLabel, "statusMessage").text()


def titles(person: Person) -> list[str]:
    model = person.find(QListView, "conversationList").model()
    return [str(model.index(row, 0).data(Qt.ItemDataRole.DisplayRole)) for row in range(model.rowCount())]


def wait_until_loaded(person: Person) -> None:
    person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=PATIENCE_MS)


@pytest.mark.parametrize("way", ["Enter", "button"])
def test_while_the_models_are_loading_it_waits_for_them(starting: Person, way: str) -> None:
    starting.window.composer.set_attachments((Attachment("a.txt", "some lines"),))
    starting.write(MINE)
    assert "will be sent" not in status(starting)
    if way == "Enter":
        starting.press(Qt.Key.Key_Return)
    else:
        starting.click("sendButton")
    assert typed(starting) == MINE
    assert "Your message will be sent afterward. Press Esc to stop." in status(starting)
    assert MINE in titles(starting)
    assert starting.window.windowTitle().startswith(MINE)
    starting.wait_for_answer()
    assert (starting.path[0].text, [one.name for one in starting.path[0].attachments]) == (MINE, ["a.txt"])
    assert typed(starting) == ""


def test_it_is_sent_with_the_settings_that_suit_these_models(person: Person) -> None:
    """The demo is asked precisely, other models are not."""
    demo = demo_choice()
    assert demo is not None
    conversation = person.controller.session.conversation
    assert conversation is not None
    assert conversation.settings != PRECISE
    person.controller.pair.load(demo)
    person.write(MINE)
    person.press(Qt.Key.Key_Return)
    person.wait_for_answer()
    assert person.controller.services.conversations.get(conversation.id).settings == PRECISE


def test_who_writes_on_sends_it_anew(starting: Person) -> None:
    starting.write(MINE)
    starting.press(Qt.Key.Key_Return)
    starting.write(" Briefly.")
    starting.window.composer.flush()
    assert "will be sent" not in status(starting)
    wait_until_loaded(starting)
    assert (starting.path, typed(starting)) == ([], f"{MINE} Briefly.")


def test_when_loading_is_stopped_it_stays_in_the_field(starting: Person, choice: PairChoice) -> None:
    starting.write(MINE)
    starting.press(Qt.Key.Key_Return)
    starting.controller.handle_escape()
    assert (typed(starting), status(starting)) == (MINE, "")
    starting.controller.pair.load(choice)
    wait_until_loaded(starting)
    assert (starting.path, typed(starting)) == ([], MINE)


def test_without_a_model_it_says_so(starting: Person) -> None:
    starting.controller.handle_escape()
    starting.write(MINE)
    assert not starting.find(QAbstractButton, "sendButton").isEnabled()
    starting.press(Qt.Key.Key_Return)
    assert (typed(starting), status(starting)) == (MINE, "Not sent. Choose a model first.")


def test_a_suggestion_is_sent_in_its_place_and_leaves_it_there(starting: Person) -> None:
    starting.write(MINE)
    starting.press(Qt.Key.Key_Return)
    starting.window.welcome.question_chosen.emit("How do I pick one?")
    assert typed(starting) == MINE
    starting.wait_for_answer()
    assert (starting.path[0].text, typed(starting)) == ("How do I pick one?", MINE)


def test_while_models_are_measured_it_waits_for_those_that_come_back(person: Person) -> None:
    person.keep_short(4)
    person.controller.pair.suspend(Measurement.BENCHMARK)
    person.write(MINE)
    person.press(Qt.Key.Key_Return)
    assert (typed(person), status(person)) == (MINE, "Your message will be sent once the models reload.")
    person.controller.pair.resume(Measurement.BENCHMARK)
    assert "will be sent" in status(person)
    person.wait_for_answer()
    assert person.path[0].text == MINE


def test_while_this_chat_is_answered_it_says_why_not_until_that_is_over(person: Person) -> None:
    person.keep_short(4)
    person.write("Tell me a long story.")
    person.press(Qt.Key.Key_Return)
    person.write(MINE)
    person.press(Qt.Key.Key_Return)
    why = "Not sent. Wait for the answer, or press Esc to stop it."
    assert (typed(person), status(person)) == (MINE, why)
    person.controller.answers.updated.emit(person.path[-1].id)
    assert status(person) == why
    person.wait_for_answer()
    assert (typed(person), status(person), len(person.path)) == (MINE, "", 2)
    person.press(Qt.Key.Key_Return)
    person.wait_for_answer()
    assert person.path[-2].text == MINE

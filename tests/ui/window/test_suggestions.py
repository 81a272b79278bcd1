"""What the welcome suggests to ask."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot
from support.desks import Person

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_choice
from specchat.ui.app_controller import AppController

PATIENCE_MS = 60_000
QUESTION, OTHER = "What is a draft model?", "How do I pick one?"


def suggest(person: Person) -> None:
    person.window.welcome.show_state("Hello", "", (QUESTION, OTHER), can_add=False)


def click(person: Person, question: str) -> None:
    suggest(person)
    buttons = person.window.welcome.findChildren(QPushButton)
    (button,) = (button for button in buttons if button.text() == question)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def composer(person: Person) -> QPlainTextEdit:
    return person.find(QPlainTextEdit, "composer")


@pytest.fixture
def starting(qtbot: QtBot, controller: AppController) -> Person:
    """A chat is open, and the models are still loading."""
    person = Person(qtbot, controller)
    qtbot.waitUntil(
        lambda: controller.session.conversation is not None and controller.pair.is_loading, timeout=PATIENCE_MS
    )
    assert controller.session.pair is None
    return person


def test_it_is_asked_and_the_message_field_is_ready(person: Person) -> None:
    person.keep_short(4)
    person.write("My own words")
    click(person, QUESTION)
    assert person.path[0].text == QUESTION
    assert person.window.focusWidget() is composer(person)
    assert composer(person).toPlainText() == "My own words"
    person.wait_for_answer()


def test_while_the_models_are_loading_it_waits_for_them(starting: Person) -> None:
    starting.keep_short(4)
    click(starting, OTHER)
    click(starting, QUESTION)
    assert composer(starting).toPlainText() == QUESTION
    assert starting.window.focusWidget() is composer(starting)
    assert "will be sent" in starting.find(QLabel, "statusMessage").text()
    starting.wait_for_answer()
    assert [message.text for message in starting.path][:1] == [QUESTION]
    assert composer(starting).toPlainText() == ""


def test_what_is_written_stays_and_the_suggestion_is_sent(starting: Person) -> None:
    starting.keep_short(4)
    starting.write("My own words")
    click(starting, QUESTION)
    starting.wait_for_answer()
    assert starting.path[0].text == QUESTION
    assert composer(starting).toPlainText() == "My own words"


def test_one_that_was_changed_is_not_sent(starting: Person) -> None:
    click(starting, QUESTION)
    starting.write(" Say it briefly.")
    starting.qtbot.waitUntil(lambda: starting.controller.session.pair is not None, timeout=PATIENCE_MS)
    assert starting.path == []
    assert composer(starting).toPlainText() == f"{QUESTION} Say it briefly."


def test_one_for_which_nothing_was_loaded_stays_in_the_field(starting: Person, choice: PairChoice) -> None:
    click(starting, QUESTION)
    starting.controller.handle_escape()
    assert composer(starting).toPlainText() == QUESTION
    starting.controller.pair.load(choice)
    starting.qtbot.waitUntil(lambda: starting.controller.session.pair is not None, timeout=PATIENCE_MS)
    assert starting.path == []


def test_the_demo_without_guesses_promises_none(starting: Person) -> None:
    demo = demo_choice()
    assert demo is not None

    def promised() -> str:
        return " ".join(label.text() for label in starting.window.welcome.findChildren(QLabel))

    starting.controller.pair.load(demo)
    assert "watch how many guesses are accepted. Then" in promised()
    starting.controller.pair.load(replace(demo, draft=None, draft_type="none"))
    assert "Speculation is off" in promised()


def test_in_another_chat_it_is_not_sent(starting: Person) -> None:
    click(starting, QUESTION)
    starting.controller.chat_list.new_chat()
    starting.qtbot.waitUntil(lambda: starting.controller.session.pair is not None, timeout=PATIENCE_MS)
    assert starting.path == []

"""What goes wrong, and what is done at the wrong moment. The engine is one that waits or fails when told to."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from threading import Event as Signal

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.paced_engine import PacedEngine

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Deletion, MessageState
from specchat.domain.engine import ChatTask, EngineEvent, EngineTask
from specchat.domain.errors import BugError, UserError
from specchat.domain.types import PairChoice, Role
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.menu_actions import MenuActions
from specchat.window_bootstrap import build_services


class ObedientEngine(PacedEngine):
    """A question with "hold" is answered until it is stopped, one with "fail" or "bug" not at all."""

    fails = Signal()
    """For a question with "later"."""

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        assert isinstance(task, ChatTask)
        asked = task.messages[-1].content
        self._holds = "hold" in asked
        if "later" in asked:
            self.fails.wait()
        if "fail" in asked or ("once" in asked and task.begun):
            raise UserError("It failed.", "Try again.")
        if "bug" in asked:
            raise BugError("ours")
        return super().generate(task, cancel)


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice) -> Iterator[Person]:
    services = build_services(places)
    services.pair_settings.save(choice)
    controller = AppController(
        replace(services, make_engine=lambda: ObedientEngine(lambda _: ["word "] * 20)), ThemeManager(qapp)
    )
    MenuActions(controller)
    controller.window.first_painted.connect(controller.start)
    controller.window.show()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=60_000)
    yield Person(qtbot, controller)
    controller.close_unasked()
    controller.window.close()
    controller.close()
    shiboken6.delete(controller.window)


def begin(person: Person, question: str = "hold this") -> None:
    person.write(question)
    person.click("sendButton")
    person.wait_for_first_words()


def settle(person: Person) -> None:
    person.qtbot.waitUntil(lambda: person.controller.answers.current() is None, timeout=20_000)


def shown_chat(person: Person) -> int:
    assert person.controller.session.conversation is not None
    return person.controller.session.conversation.id


def is_stuck(person: Person) -> bool:
    """On Stop, with nothing to stop."""
    return person.window.composer.toolbar._stop.isVisible()


def messages_in_trash(person: Person) -> list[Deletion]:
    return person.controller.services.messages.list_trash()


def test_deleting_a_question_stops_its_answer(person: Person) -> None:
    begin(person)
    person.window.transcript.delete_requested.emit(person.path[0].id)
    settle(person)
    assert person.path == []
    assert not is_stuck(person)


def test_an_answer_that_waits_is_stopped_at_once(person: Person) -> None:
    begin(person)
    first = shown_chat(person)
    person.click("newChatButton")
    person.write("second")
    person.click("sendButton")
    assert person.controller.chat.is_answering
    assert person.window.status.text() == "Another chat is still answering. Press Esc to cancel this message."
    person.click("stopButton")
    assert not person.controller.chat.is_answering
    assert not is_stuck(person)
    assert person.path == []
    assert person.window.composer.text == "second"
    assert person.window.status.text() == ""
    assert person.controller.answers.of_conversation(first) is not None
    assert person.controller.trash.contents() == []
    person.controller.answers.stop(first)
    settle(person)
    assert not person.window.problem.isVisible(), "its thread finds nothing to do"


def test_what_waited_is_answered_when_its_turn_comes(person: Person) -> None:
    begin(person)
    first = shown_chat(person)
    person.click("newChatButton")
    person.write("second")
    person.click("sendButton")
    person.controller.answers.stop(first)
    settle(person)
    assert person.path[-1].text.startswith("word")
    assert person.window.status.text() == ""


def test_a_waiting_question_that_is_deleted_is_not_taken_back(person: Person) -> None:
    begin(person)
    person.click("newChatButton")
    person.write("second")
    person.click("sendButton")
    person.window.transcript.delete_requested.emit(person.path[0].id)
    assert person.path == []
    assert person.window.composer.text == ""
    assert [(message.text, message.n_messages) for message in messages_in_trash(person)] == [("second", 1)]
    person.controller.notifications.undo()
    assert [message.text for message in person.path] == ["second"]
    assert messages_in_trash(person) == []


def test_a_question_left_alone_is_answered_by_regenerating(person: Person) -> None:
    person.write("fail")
    person.click("sendButton")
    settle(person)
    assert [message.role for message in person.path] == [Role.USER]
    assert messages_in_trash(person) == []
    person.window.problem.dismiss()
    person.controller.generation.regenerate_last()
    settle(person)
    assert person.window.problem.isVisible()


def test_that_no_model_is_loaded_is_told_until_one_is(person: Person) -> None:
    controller, choice = person.controller, person.controller.pair.choice
    assert choice is not None
    person.ask("word")
    controller.pair.load(replace(choice, draft_max=2))
    person.qtbot.waitUntil(lambda: controller.session.pair is None)
    controller.generation.regenerate_last()
    assert person.window.problem.isVisible()
    person.qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=60_000)
    assert not person.window.problem.isVisible()


def test_a_mistake_of_ours_does_not_end_the_thread(person: Person) -> None:
    person.write("bug")
    person.click("sendButton")
    settle(person)
    assert person.window.problem.isVisible()
    person.write("word")
    person.click("sendButton")
    settle(person)
    assert person.path[-1].text.startswith("word")
    assert not person.window.problem.isVisible()


def test_trying_again_happens_where_it_failed(person: Person) -> None:
    ObedientEngine.fails.clear()
    person.write("fail later")
    person.click("sendButton")
    failed = shown_chat(person)
    person.click("newChatButton")
    other = shown_chat(person)
    person.write("a draft")
    ObedientEngine.fails.set()
    settle(person)
    person.click("problemAction")
    settle(person)
    assert shown_chat(person) == failed
    assert person.controller.services.conversations.get(other).unsent_text == "a draft"


def test_trying_again_to_continue_continues(person: Person) -> None:
    begin(person, "hold once")
    person.controller.generation.stop()
    settle(person)
    answer = person.path[-1]
    person.window.transcript.continue_requested.emit(answer.id)
    settle(person)
    assert person.window.problem.isVisible()
    person.click("problemAction")
    settle(person)
    assert person.path[-1].id == answer.id
    assert person.path[-1].state is MessageState.STOPPED


def test_only_one_answer_at_a_time_in_a_chat(person: Person) -> None:
    person.write("word")
    person.click("sendButton")
    settle(person)
    first = person.path[-1]
    begin(person)
    person.window.transcript.regenerate_requested.emit(first.id)
    assert person.window.problem.isVisible()
    assert len(person.path) == 4
    person.controller.generation.stop()
    settle(person)
    assert not person.window.problem.isVisible()  # what it told of is over


def test_a_message_that_is_back_is_on_the_screen(person: Person) -> None:
    for question in ("First", "Second", "Third"):
        person.window.composer.set_text(f"{question}\n" * 60)
        person.click("sendButton")
        settle(person)
    person.window.transcript.delete_requested.emit(person.path[2].id)
    person.controller.notifications.undo()
    assert person.path[2].text.startswith("Second")
    assert person.window.transcript.first_visible_index == 2


def test_several_deletions_are_undone_one_by_one(person: Person) -> None:
    for question in ("one", "two"):
        person.write(question)
        person.click("sendButton")
        settle(person)
    everything = [message.id for message in person.path]
    person.window.transcript.delete_requested.emit(everything[3])
    person.window.transcript.delete_requested.emit(everything[2])
    assert len(person.path) == 2
    person.controller.notifications.undo()
    person.controller.notifications.undo()
    assert [message.id for message in person.path] == everything


def test_a_chat_in_the_trash_is_not_opened(person: Person) -> None:
    person.write("zebra")
    person.click("sendButton")
    settle(person)
    gone = shown_chat(person)
    person.controller.chat_list.delete(gone)
    person.controller.chat.open(gone)
    assert shown_chat(person) != gone
    assert person.window.problem.isVisible()


def test_another_pair_answers_what_waited(person: Person, choice: PairChoice) -> None:
    begin(person)
    person.click("newChatButton")
    person.write("waiting")
    person.click("sendButton")
    person.controller.pair.load(choice)
    settle(person)
    person.qtbot.waitUntil(lambda: person.controller.session.pair is not None)
    assert person.path[-1].role is Role.ASSISTANT
    assert person.path[-1].text.startswith("word")


def test_a_suggestion_leaves_what_is_typed(person: Person) -> None:
    person.write("half a thought")
    person.window.welcome.question_chosen.emit("What is a draft model?")
    settle(person)
    assert person.path[0].text == "What is a draft model?"
    assert person.window.composer.text == "half a thought"


def test_larger_text_survives_other_settings(person: Person) -> None:
    person.controller.settings_model.step_text_size(1)
    person.controller.settings_model.toggle_colours()
    assert QApplication.font().pixelSize() == 17
    person.controller.settings_model.step_text_size(1)
    assert QApplication.font().pixelSize() == 17
    person.controller.settings_model.reset_text_size()
    assert QApplication.font().pixelSize() == 15

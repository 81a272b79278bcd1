"""Calls of tools and what else happens to a chat."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from support.desks import Person
from support.tool_chats import (
    LOOK,
    Model,
    called,
    enable,
    send,
    service,
    states,
    stored,
    wait_for_card,
    wait_for_end,
    write_servers,
)
from support.windows import wait_until

from specchat.domain.answer_tasks import CountTask
from specchat.domain.tools import CallState
from specchat.store.paths import Paths
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.composer import ContextPart
from specchat.ui.threads.inference import ContextCounted


def test_a_deleted_chat_calls_nothing_more(person: Person, model: Model, places: Paths) -> None:
    """Nor does a chat of which the question is deleted."""
    write_servers(places, raw="hangs_in_call")
    service(person).consents.set_always_allowed(enable(person), allowed=True)
    send(person)
    wait_until(lambda: person.controller.chat.is_answering and bool(called(person)), "it takes too long")
    conversation = person.path[0].conversation
    person.controller.chat.new_chat()
    person.controller.chat_list.delete(conversation)
    wait_until(lambda: stored(person, conversation)[-1].called is not None, "it takes too long")
    wait_until(
        lambda: [each.called.state for each in stored(person, conversation) if each.called] == [CallState.CANCELLED],
        "the call goes on",
    )
    assert len(model.asked) == 1


def test_what_is_said_of_answers_is_said_of_those_to_the_question(person: Person, model: Model) -> None:
    """Neither are results taken for questions, nor calls for answers."""
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    wait_for_end(person)
    titles = [reply.title for reply in person.controller.stats_overlay._replies()]
    assert titles == ["Which color has the sky?"] * 2
    model.speaks_first = False
    model.calls = [[LOOK]]
    send(person, "And now?")
    wait_for_card(person)
    assert person.path[-2].text == ""
    person.press(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert QApplication.clipboard().text() == "It is blue."


def test_the_meter_counts_the_tools(person: Person) -> None:
    """As soon as they are there, without a word being typed."""
    asked: list[CountTask] = []
    counted = person.controller.inference.events_arrived
    counted.connect(lambda events: asked.extend(each.task for each in events if isinstance(each, ContextCounted)))
    enable(person)
    wait_until(lambda: bool(asked) and len(asked[-1].tools) == 1, "it takes too long")
    use = person.window.composer._meter._use
    assert use is not None
    assert use.parts[0][0] is ContextPart.TOOLS


def test_an_answer_that_ends_as_it_is_stopped_calls_nothing(person: Person, model: Model) -> None:
    service(person).consents.set_always_allowed(enable(person), allowed=True)
    answers = person.controller.answers
    answers.updated.connect(lambda message: answers.stop(person.path[0].conversation))
    send(person)
    wait_until(lambda: not person.controller.chat.is_answering, "it takes too long")
    assert called(person) == []


def test_the_model_goes_on_as_soon_as_it_is_loaded_again(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    person.controller.pair.suspend(Measurement.BENCHMARK)
    person.click("allowCall")
    wait_until(lambda: states(person) == [CallState.DONE], "it takes too long")
    assert not person.window.problem.isVisible()
    person.controller.pair.resume(Measurement.BENCHMARK)
    wait_for_end(person)

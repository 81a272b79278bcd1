"""Calls of tools in the real window, with real servers as child processes; only the model's words are scripted."""

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.paced_engine import PacedEngine
from support.windows import empty_pair, wait_until, window_with

from specchat.domain.answer_tasks import CountTask
from specchat.domain.conversations import StoredMessage
from specchat.domain.engine import ChatTask
from specchat.domain.tool_servers import ServerTool
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Role, ToolCall
from specchat.services.tools.tool_service import ToolService
from specchat.store.paths import Paths
from specchat.ui.benchmark.end_question import Measurement
from specchat.ui.composer import ContextPart
from specchat.ui.start.application import ThemeManager
from specchat.ui.threads.inference import ContextCounted

RAW = str(Path(__file__).parents[2] / "support" / "mcp" / "raw_server.py")
LOOK = ToolCall("call00001", "raw__look", '{"at": "the sky"}')


class Model:
    """Calls what it is told to after a question, and speaks after results."""

    def __init__(self) -> None:
        self.calls: list[Sequence[ToolCall]] = [[LOOK]]
        self.asked: list[ChatTask] = []
        self.speaks_first = True

    def __call__(self, task: ChatTask) -> Sequence[str | ToolCall]:
        self.asked.append(task)
        if not self.calls:
            return ["It ", "is ", "blue."]
        return [*(["Let me look."] if self.speaks_first else []), *self.calls.pop(0)]


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths, model: Model) -> Iterator[Person]:
    places.config.mkdir(parents=True)
    write_servers(places, raw="plain")
    engine = PacedEngine(model, calls_tools=True)
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as controller:
        yield Person(qtbot, controller)


def write_servers(places: Paths, **kinds: str) -> None:
    servers = {name: {"command": sys.executable, "args": ["-S", "-E", RAW, kind]} for name, kind in kinds.items()}
    (places.config / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


def service(person: Person) -> ToolService:
    return person.controller.tools.service


def enable(person: Person, name: str = "raw") -> ServerTool:
    config = next(each.config for each in service(person).servers() if each.config.name == name)
    service(person).enable(config)
    wait_until(lambda: service(person).find(name, "look") is not None, "the server does not run")
    found = service(person).find(name, "look")
    assert found is not None
    return found


def send(person: Person, text: str = "Which color has the sky?") -> None:
    person.write(text)
    person.click("sendButton")


def wait_for_card(person: Person) -> None:
    """Until a click can allow something."""
    allow = person.window.call_card.findChild(QAbstractButton, "allowCall")
    assert allow is not None
    wait_until(lambda: allow.isVisible() and allow.isEnabled(), "it takes too long")


def wait_for_end(person: Person, text: str = "It is blue.") -> None:
    wait_until(lambda: not person.controller.chat.is_answering and person.path[-1].text == text, "it takes too long")


def called(person: Person) -> list[CalledTool]:
    return [each.called for each in person.path if each.called is not None]


def states(person: Person) -> list[CallState]:
    return [each.state for each in called(person)]


def test_a_call_is_shown_allowed_and_carried_out(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    assert states(person) == [CallState.WAITING]
    assert "raw" in person.window.call_card.accessibleName()
    assert "look" in person.window.call_card.accessibleName()
    assert '"at": "the sky"' in person.find(QPlainTextEdit, "toolCallArguments").toPlainText()
    person.click("allowCall")
    wait_for_end(person)
    assert not person.window.call_card.isVisible()
    assert [each.role for each in person.path] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert person.path[2].text == 'looked with {"at": "the sky"}'
    first, second = model.asked
    assert [tool["function"]["name"] for tool in first.tools] == ["raw__look"]  # type: ignore[index]
    assert second.messages[-2].tool_calls == (LOOK,)
    assert (second.messages[-1].role, second.messages[-1].content) == (Role.TOOL, 'looked with {"at": "the sky"}')


def test_a_call_that_is_denied_is_not_carried_out(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("denyCall")
    wait_for_end(person)
    assert states(person) == [CallState.DENIED]
    assert model.asked[1].messages[-1].content == "The user did not allow this call."


def test_always_holds_for_this_tool_until_it_changes(person: Person, model: Model, places: Paths) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowToolAlways")
    wait_for_end(person)
    model.calls = [[LOOK, replace(LOOK, id="call00002")]]
    person.controller.generation.regenerate(person.path[1].id)
    wait_for_end(person)
    assert states(person) == [CallState.DONE, CallState.DONE]
    write_servers(places, raw="hangs_in_call")
    service(person).refresh()
    enable(person)
    model.calls = [[LOOK]]
    person.controller.generation.regenerate(person.path[1].id)
    wait_for_card(person)
    assert states(person) == [CallState.WAITING]


def test_turning_a_tool_off_denies_it_from_then_on(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("denyToolAlways")
    wait_for_end(person)
    assert states(person) == [CallState.DENIED]
    model.calls = [[LOOK]]
    send(person, "Again?")
    wait_for_end(person)
    assert model.asked[2].tools == ()
    assert states(person) == [CallState.DENIED, CallState.FAILED]


def test_a_running_call_can_be_cancelled(person: Person, places: Paths) -> None:
    write_servers(places, raw="hangs_in_call")
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    assert person.controller.chat.is_answering
    person.click("cancelCall")
    wait_until(lambda: not person.controller.chat.is_answering, "it takes too long")
    assert states(person) == [CallState.CANCELLED]
    assert not person.window.call_card.isVisible()
    person.controller.generation.regenerate_last()
    wait_for_end(person)


def test_in_a_chat_that_is_deleted_nothing_goes_on(person: Person, model: Model, places: Paths) -> None:
    write_servers(places, raw="hangs_in_call")
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    conversation = person.path[0].conversation
    person.controller.chat_list.delete(conversation)
    wait_until(lambda: stored_states(person, conversation) == [CallState.CANCELLED], "it takes too long")
    person.controller.chat.start_chat()
    send(person)
    wait_for_end(person)
    assert len(model.asked) == 2
    assert len(stored(person, conversation)) == 3


def test_a_server_that_dies_does_not_hold_up_the_chat(person: Person, places: Paths) -> None:
    write_servers(places, raw="dies_in_call")
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    wait_for_end(person)
    assert states(person) == [CallState.FAILED]


def test_tools_of_two_servers_with_one_name(person: Person, model: Model, places: Paths) -> None:
    write_servers(places, raw="plain", other="plain")
    enable(person)
    service(person).consents.set_always_allowed(enable(person, "other"), allowed=True)
    send(person)
    wait_for_card(person)
    assert called(person)[0].server == "raw"


# Nothing runs without consent


def test_a_new_question_leaves_a_waiting_call_undone(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    send(person, "Never mind.")
    wait_for_end(person)
    assert states(person) == [CallState.CANCELLED]
    assert not person.window.call_card.isVisible()


def test_regenerating_asks_again(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    model.calls = [[LOOK]]
    person.controller.generation.regenerate(person.path[1].id)
    wait_until(lambda: len(model.asked) == 2 and states(person) == [CallState.WAITING], "it takes too long")
    wait_for_card(person)


def test_a_call_of_a_tool_that_was_not_offered_is_refused(person: Person, model: Model) -> None:
    enable(person)
    model.calls = [[replace(LOOK, name="raw__delete_all")]]
    send(person)
    wait_for_end(person)
    assert states(person) == [CallState.FAILED]


def test_a_tool_that_changes_while_the_user_decides_is_not_called(person: Person, places: Paths) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    write_servers(places, raw="lies")
    person.click("allowCall")
    wait_for_end(person)
    assert states(person) == [CallState.FAILED]
    assert "without your consent" in person.path[2].text


def test_a_double_click_allows_only_the_call_that_was_read(person: Person, model: Model) -> None:
    """The second one meets the card when it asks about the next call, which may be another one."""
    model.calls = [[LOOK, replace(LOOK, id="call00002", arguments='{"at": "the keys"}')]]
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    arguments = person.find(QPlainTextEdit, "toolCallArguments")
    wait_until(lambda: "the keys" in arguments.toPlainText(), "it takes too long")
    person.click("allowCall")
    person.click("allowToolAlways")
    assert states(person) == [CallState.DONE, CallState.WAITING]
    wait_for_card(person)
    person.click("allowCall")
    wait_for_end(person)
    assert states(person) == [CallState.DONE, CallState.DONE]


def test_the_card_shows_what_would_be_called(person: Person, model: Model) -> None:
    """All of it, and as it stands there: also what turns text around, or cannot be seen."""
    at = f"a\u202eb\u200bc {'word ' * 10_000}; rm"
    model.calls = [[replace(LOOK, arguments=json.dumps({"at": at}, ensure_ascii=False))]]
    enable(person)
    send(person)
    wait_for_card(person)
    field = person.find(QPlainTextEdit, "toolCallArguments")
    shown = field.toPlainText()
    assert shown.isascii()
    assert json.loads(shown) == {"at": at}
    more = person.find(QLabel, "toolCallMore")
    assert more.isVisible()
    assert more.text().startswith("Scroll")
    for size in ((1000, 780), (900, 600), (640, 480)):
        person.window.resize(*size)
        wait_until(lambda: parts_stand_apart(person), f"the parts of the card overlap at {size}")
    person.click("denyCall")
    wait_for_end(person)


def parts_stand_apart(person: Person) -> bool:
    parts: list[QWidget] = [person.find(QPlainTextEdit, "toolCallArguments"), person.find(QLabel, "toolCallMore")]
    parts += [person.find(QAbstractButton, name) for name in ("allowCall", "denyToolAlways")]
    origin = QPoint()
    boxes = [QRect(part.mapTo(person.window, origin), part.size()) for part in parts]
    composer = person.window.composer.mapTo(person.window, origin).y()
    return all(a.bottom() < b.top() for a, b in pairwise(boxes[:3])) and boxes[-1].bottom() < composer


def test_long_lines_of_arguments_have_room(person: Person, model: Model) -> None:
    person.window.resize(1000, 780)
    model.calls = [[replace(LOOK, arguments=json.dumps({"at": "somewhere far away " * 8}))]]
    enable(person)
    send(person)
    wait_for_card(person)
    field = person.find(QPlainTextEdit, "toolCallArguments")
    assert field.document().size().height() > field.document().blockCount()
    assert field.verticalScrollBar().maximum() == 0
    assert not person.find(QLabel, "toolCallMore").isVisible()


def test_opening_a_chat_runs_nothing(person: Person, model: Model) -> None:
    """Also not a call of a tool that is always allowed, as one that waits in an imported chat."""
    tool = enable(person)
    send(person)
    wait_for_card(person)
    service(person).consents.set_always_allowed(tool, allowed=True)
    conversation = person.path[0].conversation
    person.controller.chat.new_chat()
    assert not person.window.call_card.isVisible()
    person.controller.chat.open(conversation)
    wait_for_card(person)
    assert states(person) == [CallState.WAITING]
    exported = person.controller.services.config / "chat.json"
    files = person.controller.services.conversations
    with person.controller.services.kept_chats() as chats:
        chats.files.write(exported, [conversation])
        (imported,) = chats.files.read(exported)
    assert files.get(imported).leaf is not None
    person.controller.chat.open(imported)
    assert states(person) == [CallState.CANCELLED]
    assert not person.window.call_card.isVisible()


def test_a_call_in_a_chat_in_the_background_waits_there(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    conversation = person.path[0].conversation
    person.controller.chat.new_chat()
    wait_until(lambda: len(stored(person, conversation)) == 3, "it takes too long")
    assert not person.window.call_card.isVisible()
    person.controller.chat.open(conversation)
    wait_for_card(person)
    person.click("allowCall")
    person.controller.chat.new_chat()
    wait_until(lambda: stored(person, conversation)[-1].text == "It is blue.", "it takes too long")


def test_pages_hide_the_card(person: Person) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    person.controller.session.settings_requested.emit("")
    assert not person.window.call_card.isVisible()
    person.window.leave_page()
    assert person.find(QWidget, "toolCall").isVisible()


def test_without_servers_nothing_starts(person: Person, model: Model) -> None:
    model.calls = []
    send(person)
    wait_for_end(person)
    assert model.asked[0].tools == ()
    assert all(thread.name != "tools" for thread in threading.enumerate())


def stored_states(person: Person, conversation: int) -> list[CallState]:
    return [each.called.state for each in stored(person, conversation) if each.called is not None]


# With what else happens to the chat


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


def stored(person: Person, conversation: int) -> list[StoredMessage]:
    return person.controller.services.messages.shown_path(conversation)

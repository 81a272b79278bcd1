"""Nothing runs without consent, in the real window with real servers as child processes."""

import json
import threading
from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QTextEdit, QWidget
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

from specchat.domain.tools import CallState
from specchat.store.paths import Paths
from specchat.ui.tools.call_text import call_title


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


def test_nobody_is_asked_about_a_tool_that_does_not_exist(person: Person, model: Model) -> None:
    """Nor later, should the program end while the call before is waiting."""
    enable(person)
    model.calls = [[LOOK, replace(LOOK, name="raw__delete_all")]]
    send(person)
    wait_for_card(person)
    assert states(person) == [CallState.WAITING, CallState.FAILED]
    person.click("denyCall")
    wait_for_end(person)
    assert states(person) == [CallState.DENIED, CallState.FAILED]


def test_a_model_that_keeps_calling_tools_that_do_not_exist_is_stopped(person: Person, model: Model) -> None:
    enable(person)
    model.calls = [[replace(LOOK, name="raw__delete_all")] for _ in range(100)]
    send(person)
    wait_until(lambda: person.window.problem.isVisible(), "it goes on")
    assert not person.controller.chat.is_answering
    assert states(person) == [CallState.FAILED] * 5
    assert call_title(called(person)[0]) == "raw › delete_all · failed"
    assert person.controller.session.conversation is not None
    stopped = person.controller.session.conversation.id
    person.controller.chat.start_chat()
    assert not person.window.problem.isVisible()  # it is about the other chat
    person.controller.chat.open(stopped)
    assert person.window.problem.isVisible()


def test_a_tool_that_is_turned_off_is_one_reason_why_a_model_is_stopped(person: Person, model: Model) -> None:
    """The server runs: nothing is wrong with it."""
    enable(person)
    model.calls = [[LOOK] for _ in range(100)]
    send(person)
    wait_for_card(person)
    person.click("denyToolAlways")
    wait_until(lambda: person.window.problem.isVisible(), "it goes on")
    assert states(person) == [CallState.DENIED] + [CallState.FAILED] * 5
    assert call_title(called(person)[1]) == "raw › look · failed"
    assert "turned on" in person.find(QTextEdit, "problemHint").toPlainText()
    person.click("problemAction")
    assert person.controller.settings.page().tools_page.isVisible()


def test_a_server_that_is_gone_cannot_be_allowed(person: Person) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    service(person).remove("raw")
    allow = person.find(QAbstractButton, "allowCall")
    wait_until(lambda: not allow.isVisible(), "it can be allowed")
    assert "“raw” can't run look" in person.window.call_card.accessibleName()
    person.click("callSettings")
    assert person.controller.settings.page().tools_page.isVisible()
    person.window.leave_page()
    person.click("denyCall")
    wait_for_end(person)


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
        files.rename(conversation, "Another")
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

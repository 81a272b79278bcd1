"""Calls of tools in the real window, with real servers as child processes; only the model's words are scripted."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.paced_engine import PacedEngine
from support.tool_chats import (
    LOOK,
    Model,
    called,
    enable,
    send,
    service,
    states,
    stored,
    stored_states,
    wait_for_card,
    wait_for_end,
    write_servers,
)
from support.windows import empty_pair, wait_until, window_with

from specchat.domain.tools import CallState
from specchat.domain.types import Role, ToolCall
from specchat.services.chat.token_estimate import estimate_tokens
from specchat.store.paths import Paths
from specchat.ui.sidebar.conversation_list_model import ConversationListModel
from specchat.ui.start.application import ThemeManager

ASKING = "waiting for your permission to run a tool"


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


def mark(person: Person, conversation: int) -> str:
    """What a screen reader hears of a chat in the list, besides its title."""
    rows = person.window.sidebar.list.model()
    assert isinstance(rows, ConversationListModel)
    heard = rows.data(rows.index_of(conversation), Qt.ItemDataRole.AccessibleTextRole)
    return (heard or "").partition(", ")[2]


def test_a_call_that_waits_in_another_chat_is_marked_in_the_list(person: Person, model: Model) -> None:
    enable(person)
    send(person)
    conversation = person.path[0].conversation
    person.controller.chat.start_chat()
    wait_until(lambda: mark(person, conversation) == ASKING, "it is not marked")
    person.controller.chat.open(conversation)
    wait_for_card(person)
    person.click("allowCall")
    wait_for_end(person)
    assert not mark(person, conversation)


def test_a_call_that_waits_is_marked_after_a_restart(
    qapp: QApplication, places: Paths, person: Person, model: Model
) -> None:
    enable(person)
    send(person)
    wait_for_card(person)
    conversation = person.path[0].conversation
    person.window.close()
    engine = PacedEngine(model, calls_tools=True)
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as again:
        assert mark(Person(person.qtbot, again), conversation) == ASKING


def test_a_chat_whose_tool_runs_is_marked_as_one_that_is_answered(person: Person, places: Paths) -> None:
    write_servers(places, raw="hangs_in_call")
    enable(person)
    send(person)
    wait_for_card(person)
    conversation = person.path[0].conversation
    person.click("allowCall")
    assert mark(person, conversation) == "answering"
    person.controller.generation.stop()
    wait_until(lambda: not mark(person, conversation), "it is still marked")


def test_a_server_that_dies_does_not_hold_up_the_chat(person: Person, places: Paths) -> None:
    write_servers(places, raw="dies_in_call")
    enable(person)
    send(person)
    wait_for_card(person)
    person.click("allowCall")
    wait_for_end(person)
    assert states(person) == [CallState.FAILED]
    notice = person.find(QLabel, "noticeText")
    wait_until(lambda: notice.text() == "MCP server “raw” failed. It ended.", "nobody is told")
    person.click("noticeAction")
    assert person.controller.settings.page().tools_page.isVisible()


def test_tools_of_two_servers_with_one_name(person: Person, model: Model, places: Paths) -> None:
    write_servers(places, raw="plain", other="plain")
    enable(person)
    service(person).consents.set_always_allowed(enable(person, "other"), allowed=True)
    send(person)
    wait_for_card(person)
    assert called(person)[0].server == "raw"


def test_servers_that_fail_together_are_told_together(person: Person, places: Paths) -> None:
    write_servers(places, raw="dies", other="dies", third="dies")
    for server in service(person).servers():
        service(person).enable(server.config)
    notice = person.find(QLabel, "noticeText")
    wait_until(lambda: notice.text().count("“") == 3, "only the last one is told")
    assert notice.text().startswith("MCP servers “")
    assert notice.text().endswith("” failed.")
    person.click("noticeClose")
    service(person).restart("raw")
    wait_until(lambda: notice.text().startswith("MCP server “raw” failed."), "what was read is told again")


def test_a_result_is_cut_to_what_the_context_has_room_for(
    qtbot: QtBot, qapp: QApplication, places: Paths, model: Model
) -> None:
    write_servers(places, raw="floods_lists")
    model.calls = [[ToolCall("call00001", "raw__look_0", "{}")]]
    engine = PacedEngine(model, calls_tools=True, n_ctx=2048)
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as controller:
        person = Person(qtbot, controller)
        enable(person, tool="look_0")
        send(person)
        wait_for_card(person)
        person.click("allowCall")
        wait_for_end(person)
        result = person.path[2].text
        assert estimate_tokens(result) <= 2048 / 2
        assert result.endswith(f"\n[{3_000_000 - result.count('z'):,} more characters left out]")

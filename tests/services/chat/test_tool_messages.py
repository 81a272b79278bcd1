"""Calls of tools in stored chats: in prompts, exports, imports and salvaged databases."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.chats import import_copies

from specchat.domain.conversations import Answer, ConversationSettings, StoredMessage
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Role, ToolCall
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.prompt_fitting import merge_same_role
from specchat.services.chat.prompt_messages import build_prompt_messages
from specchat.store.chat_store import SqliteChatStore, open_chat_store

FIRST, SECOND = ToolCall("id1", "files__read", '{"path": "a"}'), ToolCall("id2", "files__read", '{"path": "b"}')


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteChatStore]:
    with closing(open_chat_store(tmp_path / "chats.db")) as opened:
        yield opened


def talk(store: SqliteChatStore) -> tuple[MessageService, list[StoredMessage]]:
    conversation = store.add_conversation(ConversationSettings(), 1.0)
    messages = MessageService(store)
    question = messages.add_question(conversation.id, "Which?")
    answer = messages.begin_answer(question.id, Answer("target"))
    messages.mark_stopped(answer.id)
    called = [CalledTool(call, "files", "read") for call in (FIRST, SECOND)]
    return messages, messages.add_calls(answer.id, called)


def test_results_follow_their_calls(store: SqliteChatStore) -> None:
    messages, (first, second) = talk(store)
    messages.save_result(first.id, CallState.DONE, "```\nred\n```")
    messages.save_result(second.id, CallState.DENIED, "")
    path = messages.path_to(second.id)
    assert [each.called and each.called.state for each in path] == [None, None, CallState.DONE, CallState.DENIED]
    _, answer, red, denied = build_prompt_messages(path, ConversationSettings())
    assert (answer.role, answer.tool_calls) == (Role.ASSISTANT, (FIRST, SECOND))
    assert (red.role, red.content, red.tool_call_id, red.name) == (Role.TOOL, "```\nred\n```", "id1", "files__read")
    assert denied.content == "The user did not allow this call."
    assert merge_same_role([answer, red, denied]) == [answer, red, denied]


def test_the_model_learns_whether_a_canceled_call_ran(store: SqliteChatStore) -> None:
    messages, (first, second) = talk(store)
    messages.save_result(first.id, CallState.CANCELLED, "Canceled while it ran.")
    messages.save_result(second.id, CallState.CANCELLED, "")
    *_, ran, did_not = build_prompt_messages(messages.path_to(second.id), ConversationSettings())
    assert (ran.content, did_not.content) == ("Canceled while it ran.", "This call was not carried out.")


def test_a_chat_is_listed_until_all_calls_it_ends_with_are_settled(store: SqliteChatStore) -> None:
    messages, (first, second) = talk(store)
    conversations = ConversationService(store)
    assert conversations.list_awaiting_consent() == {first.conversation}
    messages.save_result(second.id, CallState.FAILED, "There is no such tool.")
    assert conversations.list_awaiting_consent() == {first.conversation}
    messages.save_result(first.id, CallState.DENIED, "")
    assert not conversations.list_awaiting_consent()


def test_a_chat_that_went_on_or_was_deleted_is_not_listed(store: SqliteChatStore) -> None:
    messages, (first, second) = talk(store)
    conversations = ConversationService(store)
    answer = messages.begin_answer(second.id, Answer("target"))
    assert not conversations.list_awaiting_consent()
    messages.discard_message(answer.id)
    assert conversations.list_awaiting_consent()
    conversations.delete(first.conversation)
    assert not conversations.list_awaiting_consent()


def test_calls_that_cannot_be_read_hide_no_others(store: SqliteChatStore) -> None:
    _, (_, last) = talk(store)
    _, (other, _) = talk(store)
    store.database.execute("UPDATE tool_call SET called = '{' WHERE message = ?", last.id)
    assert other.conversation in ConversationService(store).list_awaiting_consent()


def test_a_result_is_kept_once(store: SqliteChatStore) -> None:
    messages, (first, _) = talk(store)
    messages.save_result(first.id, CallState.CANCELLED, "")
    assert messages.save_result(first.id, CallState.DONE, "late").text == ""


@pytest.mark.parametrize("ending", ["json", "md"])
def test_exports_keep_calls_and_no_consent(store: SqliteChatStore, tmp_path: Path, ending: str) -> None:
    messages, (first, second) = talk(store)
    messages.save_result(first.id, CallState.DONE, "```\nred\n```\n<!-- specchat:user -->")
    path = tmp_path / f"chats.{ending}"
    files = ConversationFiles(store)
    files.write(path, [store.conversations()[0].id])
    (imported,) = import_copies(store, path)
    leaf = store.conversation(imported).leaf
    assert leaf is not None
    *_, red, waiting = store.path(leaf)
    assert red.called is not None
    assert waiting.called is not None
    assert (red.called.server, red.called.tool, red.called.state) == ("files", "read", CallState.DONE)
    assert red.text == "```\nred\n```\n<!-- specchat:user -->"
    assert red.called.call.arguments == FIRST.arguments
    assert waiting.called.state is CallState.CANCELLED


def test_markdown_names_a_refused_call_as_all_others(store: SqliteChatStore, tmp_path: Path) -> None:
    messages, (first, _) = talk(store)
    unknown = ToolCall("call00009", "files__delete", "{}")
    (refused,) = messages.add_calls(messages.path_to(first.id)[-2].id, [CalledTool(unknown, "", unknown.name)])
    messages.save_result(refused.id, CallState.FAILED, "There is no such tool.")
    path = tmp_path / "chats.md"
    files = ConversationFiles(store)
    files.write(path, [store.conversations()[0].id])
    assert "## files > delete (failed)" in path.read_text(encoding="utf-8")
    (imported,) = import_copies(store, path)
    leaf = store.conversation(imported).leaf
    assert leaf is not None
    again = store.path(leaf)[-1].called
    assert again is not None
    assert again.name_parts == ("files", "delete")

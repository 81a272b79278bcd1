"""Chats of other programs become chats."""

import json
import zipfile
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.foreign_exports import (
    CLAUDE_TIDES,
    MESSAGES,
    TALK,
    THREAD,
    TIDES,
    chatgpt,
    claude,
    claude_message,
    claude_text,
    custom_instructions,
    jan_messages,
    lm_studio,
    node,
    open_webui,
)
from support.imported_chats import shown, tree
from support.pictures import png
from support.recordings import mp3

from specchat.domain.types import Role
from specchat.services.chat.chat_import import contains_chats
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.store.chat_store import SqliteChatStore


def test_chatgpt_with_its_branches(chats: SqliteChatStore, imported: Any) -> None:
    report = imported([chatgpt(*TIDES)])
    assert shown(chats, report) == TALK
    whole = tree(chats, report)
    assert [message.text for message in whole.messages if message.role is Role.ASSISTANT][0] == "The moon."
    assert (whole.conversation.title, whole.conversation.created) == ("Tides", 1700000000.25)
    assert {answer.target for answer in whole.answers.values()} == {"gpt-4o"}
    assert whole.messages[0].created == 1700000001.5


def test_chatgpt_hides_what_its_tools_did(chats: SqliteChatStore, imported: Any) -> None:
    nodes = (
        node("q", "s", "user", "Plot it."),
        node("a1", "q", "assistant", "Let me plot that."),
        node("c", "a1", "assistant", "import numpy", recipient="python"),
        node("t", "c", "tool", "done"),
        node("h", "t", "assistant", "", content={"content_type": "thoughts", "thoughts": [{"content": "hm"}]}),
        node("a2", "h", "assistant", "Here it is."),
    )
    report = imported([chatgpt(*nodes)])
    assert shown(chats, report) == [(Role.USER, "Plot it."), (Role.ASSISTANT, "Let me plot that.\n\nHere it is.")]


def test_chatgpt_in_its_archive_with_pictures(tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles) -> None:
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    gone = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_0000gone"}
    chat = chatgpt(node("q", "s", "user", pointer, gone, "What is this?"), node("a2", "q", "assistant", "A dot."))
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("user.json", json.dumps({"id": "user-1", "email": "a@b.c"}))
        archive.writestr("message_feedback.json", "[]")
        archive.writestr("conversations.json", json.dumps([chat]))
        archive.writestr("file-Ab1-dot.png", png(8, 8))
    report = files.import_files([path])
    question = tree(chats, report).messages[0]
    assert question.text == "[picture]\n\nWhat is this?"
    assert [picture.content for picture in question.pictures] == [png(8, 8)]
    assert report.skipped == ()
    assert contains_chats(path)


@pytest.mark.parametrize("written", [{}, {"about_user_message": "I sail.", "about_model_message": "Be brief."}])
def test_chatgpt_with_custom_instructions(chats: SqliteChatStore, imported: Any, written: dict[str, str]) -> None:
    instructions = custom_instructions(user_context_message_data=written)
    repeated = custom_instructions()
    repeated["id"] = "j"
    report = imported([chatgpt(instructions, repeated, *TIDES)])
    assert tree(chats, report).conversation.settings.system_prompt == "About the user:\nI sail.\n\nBe brief."
    assert shown(chats, report) == TALK


@pytest.mark.parametrize("is_first", [True, False])
def test_chatgpt_in_its_archive_and_beside_it(tmp_path: Path, files: ConversationFiles, is_first: bool) -> None:
    """The file alone has the same chats, without their pictures: those of the archive are imported after it."""
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    asked = node("q", "s", "user", "Look:", pointer, "What is this?")
    content = json.dumps([chatgpt(asked, node("a2", "q", "assistant", "A dot.")), chatgpt(*TIDES)])
    archive, alone = tmp_path / "export.zip", tmp_path / "alone" / "conversations.json"
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("conversations.json", content)
        writer.writestr("file-Ab1-dot.png", png(8, 8))
    alone.parent.mkdir()
    alone.write_text(content, encoding="utf-8")
    report = files.import_files([archive, alone] if is_first else [alone, archive])
    assert (len(report.added), report.n_existing) == ((2, 2) if is_first else (3, 1))
    for path in (archive, alone):
        again = files.import_files([path])
        assert (again.added, again.n_existing) == ([], 2)


def test_a_chat_that_was_continued_is_not_imported_again(chats: SqliteChatStore, imported: Any) -> None:
    before = tree(chats, imported([chatgpt(*TIDES)]))
    chats.add_message(replace(before.messages[0], parent=before.conversation.leaf, text="And on Mars?"))
    assert imported([chatgpt(*TIDES)]).n_existing == 1


def test_claude_with_its_branches(chats: SqliteChatStore, imported: Any) -> None:
    report = imported([claude(*CLAUDE_TIDES)], "conversations.json")
    assert shown(chats, report) == [
        TALK[0],
        (Role.ASSISTANT, "<think>\nIt is gravity.\n</think>\n\nThe moon and the sun."),
    ]
    whole = tree(chats, report)
    assert [message.text for message in whole.messages if message.role is Role.ASSISTANT][0] == "The moon."
    assert (whole.conversation.title, whole.conversation.created) == ("Tides", 1700000000.25)
    assert whole.messages[0].created == 1700000001.5


def test_claude_with_files_and_artifacts(chats: SqliteChatStore, imported: Any) -> None:
    asked = claude_message(
        "q",
        None,
        "human",
        claude_text("Plot it."),
        attachments=[
            {"file_name": "tides.csv", "file_size": 5, "file_type": "csv", "extracted_content": "1,2\n"},
            {"file_name": "", "file_size": 3, "file_type": "txt", "extracted_content": "low"},
            {"file_name": "empty.txt", "file_size": 0, "file_type": "txt", "extracted_content": ""},
        ],
        files=[{"file_name": "tides.csv"}, {"file_name": "sea.JPG"}, {"file_name": "map.pdf"}],
    )
    program = {"command": "create", "title": "Plot", "language": "python", "content": "print('```')\n"}
    notes = {"command": "create", "title": "Notes", "type": "text/markdown", "content": "# Tides"}
    answered = claude_message(
        "a",
        None,
        "assistant",
        claude_text("Here it is."),
        {"type": "tool_use", "name": "artifacts", "input": program},
        {"type": "tool_result", "name": "artifacts", "content": [claude_text("OK")]},
        {"type": "tool_use", "name": "artifacts", "input": notes},
        {"type": "tool_use", "name": "web_search", "input": {"query": "tides"}},
    )
    old = claude_message("b", None, "human", text="Thanks.")
    report = imported([claude(asked, answered, old, title="")])
    question, answer, thanks = tree(chats, report).messages
    assert question.text == "[picture]\n\n[map.pdf]\n\nPlot it."
    assert [(file.name, file.text) for file in question.attachments] == [("tides.csv", "1,2\n"), ("pasted.txt", "low")]
    assert answer.text == "Here it is.\n\nPlot\n\n````python\nprint('```')\n````\n\nNotes\n\n# Tides"
    assert thanks.text == "Thanks."


def test_open_webui(chats: SqliteChatStore, imported: Any) -> None:
    report = imported([open_webui()])
    assert shown(chats, report) == [
        TALK[0],
        (Role.ASSISTANT, '<think>\nIt is "gravity"\n</think>\n\nThe moon and the sun.'),
    ]
    known = tree(chats, report).conversation
    assert (known.title, known.pinned, known.settings.system_prompt) == ("Tides", True, "Be brief.")
    assert len(tree(chats, report).messages) == 3


def test_open_webui_with_a_list_and_files(chats: SqliteChatStore, imported: Any) -> None:
    uri = f"data:image/png;base64,{b64encode(png(8, 8)).decode()}"
    document = {"type": "file", "name": "notes.txt", "file": {"data": {"content": "Spring tides."}}}
    asked = {"role": "user", "content": "Why?", "files": [{"type": "image", "url": uri}, document]}
    report = imported([open_webui(history=None, messages=[asked, {"role": "assistant", "content": "So."}])])
    question = tree(chats, report).messages[0]
    assert [picture.content for picture in question.pictures] == [png(8, 8)]
    assert [(file.name, file.text) for file in question.attachments] == [("notes.txt", "Spring tides.")]


def test_lm_studio(chats: SqliteChatStore, imported: Any) -> None:
    report = imported(lm_studio(), "1700000000250.conversation.json")
    assert shown(chats, report) == [
        TALK[0],
        (Role.ASSISTANT, "<think>\nIt is gravity.\n</think>\n\nThe moon and the sun."),
    ]
    known = tree(chats, report).conversation
    assert (known.title, known.created, known.settings.system_prompt) == ("Tides", 1700000000.25, "Be brief.")
    assert len(tree(chats, report).messages) == 3


@pytest.mark.parametrize("how", ["thread", "messages", "folder", "archive"])
def test_jan(tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles, how: str) -> None:
    folder = tmp_path / "threads" / "jan_1700000000"
    folder.mkdir(parents=True)
    (folder / "thread.json").write_text(json.dumps(THREAD), encoding="utf-8")
    (folder / "messages.jsonl").write_text(jan_messages(), encoding="utf-8")
    archive = tmp_path / "jan.zip"
    with zipfile.ZipFile(archive, "w") as writer:
        for file in folder.iterdir():
            writer.write(file, file.relative_to(tmp_path).as_posix())
    path = {"thread": folder / "thread.json", "messages": folder / "messages.jsonl"}.get(how, tmp_path)
    report = files.import_files([archive if how == "archive" else path])
    assert shown(chats, report) == TALK
    known = tree(chats, report).conversation
    assert (known.title, known.created, known.settings.system_prompt) == ("Tides", 1700000000, "Be brief.")


def test_messages_of_jan_without_their_thread(chats: SqliteChatStore, imported: Any) -> None:
    report = imported(jan_messages(), "messages.jsonl")
    assert shown(chats, report) == TALK
    assert tree(chats, report).conversation.title == "Why tides?"


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(MESSAGES),
        json.dumps({"model": "gpt-4o", "messages": MESSAGES}, indent=2),
        json.dumps([{"messages": MESSAGES}]),
        "".join(f"{json.dumps(message)}\n" for message in MESSAGES),
        f"\ufeff\n{json.dumps({'messages': MESSAGES})}\n",
    ],
)
def test_openai_messages(chats: SqliteChatStore, imported: Any, content: str) -> None:
    report = imported(content)
    assert shown(chats, report) == TALK
    assert tree(chats, report).conversation.settings.system_prompt == "Be brief."


def test_openai_messages_with_pictures_and_recordings(chats: SqliteChatStore, imported: Any) -> None:
    uri = f"data:image/png;base64,{b64encode(png(8, 8)).decode()}"
    parts = [
        {"type": "image_url", "image_url": {"url": uri}},
        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
        {"type": "input_audio", "input_audio": {"data": b64encode(mp3()).decode(), "format": "mp3"}},
        {"type": "input_audio", "input_audio": {"data": "aGVsbG8=", "format": "mp3"}},
        {"type": "text", "text": "What is this?"},
    ]
    question = tree(chats, imported([{"role": "user", "content": parts}])).messages[0]
    assert question.text == "[picture]\n\n[recording]\n\nWhat is this?"
    assert [each.content for each in question.media] == [png(8, 8), mp3()]


def test_times_in_other_units(chats: SqliteChatStore, imported: Any) -> None:
    for created, expected in (
        ("2023-11-14T22:13:20Z", 1.7e9),
        ("2023-11-14", 1699920000),
        ("x", None),
        (1.7e18, 1.7e9),
        (1.7e15, 1.7e9),
        (1.7e12, 1.7e9),
        (1e40, None),
        (-5, None),
    ):
        chat = {"messages": [*MESSAGES, {"role": "user", "content": str(created)}], "created": created}
        found = tree(chats, imported(chat)).conversation.created
        assert found == expected if expected else found < 1e11

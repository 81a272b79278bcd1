"""Exports of other programs, in their true shapes and in hostile ones."""

import json
import math
import os
import zipfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from support.chats import Clock
from support.pictures import png
from support.recordings import mp3

from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.services.chat.chat_import import ImportReport, contains_chats
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.imports import export_files
from specchat.store.chat_store import SqliteChatStore

Json = dict[str, Any]


@pytest.fixture
def files(chats: SqliteChatStore, clock: Clock) -> ConversationFiles:
    return ConversationFiles(chats, clock)


@pytest.fixture
def imported(tmp_path: Path, files: ConversationFiles) -> Any:
    def read(content: object, name: str = "chats.json") -> ImportReport:
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return files.import_files([path])

    return read


def tree(chats: SqliteChatStore, report: ImportReport) -> ConversationTree:
    (number,) = report.added
    return chats.tree(number)


def shown(chats: SqliteChatStore, report: ImportReport) -> list[tuple[Role, str]]:
    leaf = tree(chats, report).conversation.leaf
    assert leaf is not None
    return [(message.role, message.text) for message in chats.path(leaf)]


def node(name: str, parent: str | None, role: str, *parts: object, **more: object) -> Json:
    content = {"content_type": "text" if all(isinstance(part, str) for part in parts) else "multimodal_text"}
    message = {
        "id": name,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": 1700000001.5,
        "content": {**content, "parts": list(parts)},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        "recipient": "all",
        **more,
    }
    return {"id": name, "message": message, "parent": parent, "children": []}


def chatgpt(*nodes: Json, current: str = "a2", title: str = "Tides") -> Json:
    root = {"id": "root", "message": None, "parent": None, "children": ["s"]}
    hidden = node("s", "root", "system", "", metadata={"is_visually_hidden_from_conversation": True})
    return {
        "title": title,
        "create_time": 1700000000.25,
        "update_time": 1700000100.0,
        "mapping": {each["id"]: each for each in (root, hidden, *nodes)},
        "moderation_results": [],
        "current_node": current,
        "conversation_id": "0b6f",
        "is_archived": False,
    }


TIDES = (
    node("q", "s", "user", "Why tides?"),
    node("a1", "q", "assistant", "The moon."),
    node("a2", "q", "assistant", "The moon and the sun.\ue200cite\ue202turn0search0\ue201"),
)
TALK = [(Role.USER, "Why tides?"), (Role.ASSISTANT, "The moon and the sun.")]


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


def open_webui(**chat: object) -> Json:
    messages = {
        "1": {"id": "1", "parentId": None, "childrenIds": ["2", "3"], "role": "user", "content": "Why tides?"},
        "2": {"id": "2", "parentId": "1", "childrenIds": [], "role": "assistant", "content": "The moon."},
        "3": {
            "id": "3",
            "parentId": "1",
            "childrenIds": [],
            "role": "assistant",
            "content": '<details type="reasoning" done="true" duration="3">\n<summary>Thought for 3 seconds</summary>\n'
            "&gt; It is &quot;gravity&quot;\n</details>\nThe moon and the sun.",
            "model": "llama3.2:3b",
            "timestamp": 1700000001,
        },
    }
    whole = {"title": "Tides", "history": {"messages": messages, "currentId": "3"}, "params": {"system": "Be brief."}}
    stored = {"id": "c", "user_id": "u", "title": "Tides", "updated_at": 1700000100, "created_at": 1700000000}
    return {**stored, "chat": {**whole, **chat}, "share_id": None, "archived": False, "pinned": True, "meta": {}}


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


def lm_studio() -> Json:
    def text(*texts: str) -> list[Json]:
        return [{"type": "text", "text": each} for each in texts]

    thought = {"type": "contentBlock", "content": text("It is gravity."), "style": {"type": "thinking", "ended": True}}
    said = {"type": "contentBlock", "stepIdentifier": "1-2", "content": text("The moon", " and the sun.")}
    answer = {
        "type": "multiStep",
        "role": "assistant",
        "senderInfo": {"senderName": "qwen2.5-7b"},
        "steps": [thought, said, {"type": "debugInfoBlock", "debugInfo": "Conversation naming technique: 'prompt'"}],
    }
    short = {"type": "multiStep", "role": "assistant", "steps": [{**said, "content": text("The moon.")}]}
    question = {"type": "singleStep", "role": "user", "content": text("Why tides?")}
    return {
        "name": "Tides",
        "pinned": False,
        "createdAt": 1700000000250,
        "preset": "",
        "tokenCount": 42,
        "systemPrompt": "Be brief.",
        "messages": [
            {"versions": [question], "currentlySelected": 0},
            {"versions": [short, answer], "currentlySelected": 1},
        ],
        "usePerChatPredictionConfig": True,
        "perChatPredictionConfig": {"fields": []},
    }


def test_lm_studio(chats: SqliteChatStore, imported: Any) -> None:
    report = imported(lm_studio(), "1700000000250.conversation.json")
    assert shown(chats, report) == [
        TALK[0],
        (Role.ASSISTANT, "<think>\nIt is gravity.\n</think>\n\nThe moon and the sun."),
    ]
    known = tree(chats, report).conversation
    assert (known.title, known.created, known.settings.system_prompt) == ("Tides", 1700000000.25, "Be brief.")
    assert len(tree(chats, report).messages) == 3


THREAD = {
    "id": "jan_1700000000",
    "object": "thread",
    "title": "Tides",
    "assistants": [{"assistant_id": "jan", "model": {"id": "llama3.2-3b"}, "instructions": "Be brief."}],
    "created": 1700000000,
    "updated": 1700000100,
    "metadata": {},
}


def jan_messages() -> str:
    texts = {"user": "Why tides?", "assistant": "The moon and the sun."}
    lines = [
        {
            "id": f"m{number}",
            "object": "thread.message",
            "thread_id": "jan_1700000000",
            "role": role,
            "content": [{"type": "text", "text": {"value": text, "annotations": []}}],
            "status": "ready",
            "created_at": 1700000001000,
            "metadata": {},
        }
        for number, (role, text) in enumerate(texts.items())
    ]
    return "".join(f"{json.dumps(line)}\n" for line in lines)


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


MESSAGES: list[Json] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": [{"type": "text", "text": "Why tides?"}]},
    {"role": "assistant", "content": "The moon and the sun."},
]


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


def test_several_chats_report_what_came_of_them(chats: SqliteChatStore, imported: Any) -> None:
    circle = chatgpt(node("x", "y", "user", "Why?"), node("y", "x", "assistant", "So."), title="Circle")
    content = [chatgpt(*TIDES), chatgpt(title="Nothing"), circle, {"mapping": 3}, chatgpt(*TIDES, title="Other")]
    report = imported(content)
    assert len(report.added) == 2
    assert [(each.title, each.reason) for each in report.skipped] == [
        ("Nothing", "It contains no messages."),
        ("Circle", "Its messages follow one another in a circle."),
        ("", "Its format is unknown."),
    ]
    again = imported(content)
    assert (again.added, again.n_existing) == ([], 2)


NOT_READ = {
    "nested": "[" * 100_000,
    "nested objects": '{"messages":' * 100_000,
    "nan": '[{"role": "user", "content": "a", "created": NaN}]',
    "cut": json.dumps([chatgpt(*TIDES)])[:-20],
    "extra": json.dumps(MESSAGES) + "x",
    "other": '{"name": "specchat", "version": 3}',
    "number": "3",
    "digits": '[{"role": "user", "content": 1' + "0" * 5000 + "}]",
    "empty": "[]",
    "strings": '["a", "b"]',
}


@pytest.mark.parametrize("name", NOT_READ)
def test_what_cannot_be_read_is_told_in_a_sentence(chats: SqliteChatStore, imported: Any, name: str) -> None:
    with pytest.raises(UserError) as told:
        imported(NOT_READ[name])
    assert told.value.message.startswith("chats.json ")
    assert told.value.hint
    assert not chats.conversations()


WRONG: list[object] = [None, 3, -1.5, "x", [], {}, [None], {"a": None}, True, 1e300, math.pi * 1e20]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_other_types_than_expected(imported: Any, wrong: object) -> None:
    """Whatever comes of them, nothing breaks."""
    for whole in (chatgpt(*TIDES), open_webui(), lm_studio(), {"messages": [dict(each) for each in MESSAGES]}):
        for content in _with_each_value(whole, wrong):
            try:
                imported(content)
            except UserError as error:
                assert error.hint  # noqa: PT017


def _with_each_value(whole: Any, wrong: object) -> list[object]:
    """One value replaced by another at a time."""
    text = json.dumps(whole)
    found: list[object] = []

    def visit(part: Any) -> None:
        for key in part if isinstance(part, dict) else range(len(part)):
            before, part[key] = part[key], wrong
            found.append(json.loads(json.dumps(copy)))
            part[key] = before
            if isinstance(before, dict | list):
                visit(before)

    copy = json.loads(text)
    visit(copy)
    return found[::7]


def test_times_of_other_units_and_ages(chats: SqliteChatStore, imported: Any) -> None:
    for created, expected in ((1.7e18, 1.7e9), (1.7e15, 1.7e9), (1.7e12, 1.7e9), (1e40, None), (-5, None)):
        chat = {"messages": [*MESSAGES, {"role": "user", "content": str(created)}], "created": created}
        found = tree(chats, imported(chat)).conversation.created
        assert found == expected if expected else found < 1e11


def test_an_archive_that_unpacks_to_too_much(
    tmp_path: Path, files: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 5_000_000 + "]")
    monkeypatch.setattr(export_files, "LARGEST_FILE", 1_000_000)
    with pytest.raises(UserError, match="too large"):
        files.import_files([path])
    monkeypatch.setattr(export_files, "LARGEST_FILE", 10_000_000)
    monkeypatch.setattr(export_files, "LARGEST_EXPORT", 1_000_000)
    with pytest.raises(UserError, match="when unpacked"):
        files.import_files([path])
    monkeypatch.setattr(export_files, "MOST_FILES", 0)
    with pytest.raises(UserError, match="more than 0 files"):
        files.import_files([path])


def test_a_damaged_archive(tmp_path: Path, files: ConversationFiles) -> None:
    path = tmp_path / "chats.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
    whole = path.read_bytes()
    for content in (whole[:60], whole[:40] + b"xxxx" + whole[44:], b"PK\x03\x04", whole[:-30]):
        path.write_bytes(content)
        with pytest.raises(UserError):
            files.import_files([path])


def test_an_archive_packed_by_a_method_that_unpacks_all_at_once(tmp_path: Path, files: ConversationFiles) -> None:
    """A megabyte of it may become many gigabytes."""
    path = tmp_path / "chats.zip"
    for method in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        with zipfile.ZipFile(path, "w", method) as archive:
            archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
        with pytest.raises(UserError, match="damaged"):
            files.import_files([path])


def test_names_in_an_archive_are_shown_without_escapes(tmp_path: Path, files: ConversationFiles) -> None:
    path = tmp_path / "chats.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(*TIDES)]))
        archive.writestr("\x1b]0;pwned\x07\u202ebad\n.json", "[{")
    report = files.import_files([path])
    assert [skipped.title for skipped in report.skipped] == ["bad .json"]


def test_a_damaged_picture_is_left_out(tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles) -> None:
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(node("q", "s", "user", pointer, "What is this?"))]))
        archive.writestr("file-Ab1-dot.png", png(8, 8))
    path.write_bytes(path.read_bytes().replace(png(8, 8), bytes(len(png(8, 8)))))
    question = tree(chats, files.import_files([path])).messages[0]
    assert (question.text, question.pictures) == ("[picture]\n\nWhat is this?", ())


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_in_place_of_a_picture_is_not_waited_for(tmp_path: Path, chats: SqliteChatStore, imported: Any) -> None:
    os.mkfifo(tmp_path / "file-Ab1-dot.png")
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    report = imported([chatgpt(node("q", "s", "user", pointer, "What is this?"))])
    assert tree(chats, report).messages[0].text == "[picture]\n\nWhat is this?"


def test_marks_that_never_end_are_not_looked_for_again_and_again(chats: SqliteChatStore, imported: Any) -> None:
    """Each of these would take hours."""
    for begin in ('<details type="reasoning">', '<details type="reasoning"'):
        message = {"role": "user", "content": begin * 100_000}
        report = imported([open_webui(history=None, messages=[message])])
        assert shown(chats, report) == [(Role.USER, begin * 100_000)]
    thought = f'<details type="reasoning">{"<summary>" * 100_000}</details>'
    report = imported([open_webui(history=None, messages=[{"role": "assistant", "content": thought}])])
    assert "<summary><summary>" in shown(chats, report)[0][1]
    report = imported([chatgpt(node("q", "s", "user", "\ue200" * 1_000_000))])
    assert len(shown(chats, report)[0][1]) == 1_000_000


def test_all_files_or_none(tmp_path: Path, chats: SqliteChatStore, files: ConversationFiles) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps(MESSAGES), encoding="utf-8")
    bad.write_text("[{", encoding="utf-8")
    with pytest.raises(UserError, match="bad.json is damaged"):
        files.import_files([good, bad])
    assert not chats.conversations()
    assert len(files.import_files([good]).added) == 1


def test_lone_surrogates_and_nulls(chats: SqliteChatStore, imported: Any) -> None:
    report = imported('[{"role": "user", "content": "a\\ud800b\\u0000c"}]')
    assert shown(chats, report) == [(Role.USER, "a?bc")]

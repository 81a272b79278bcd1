"""Files with wrong values, and files made to do harm."""

import json
import math
import os
from pathlib import Path
from typing import Any

import pytest
from support.foreign_exports import (
    CLAUDE_TIDES,
    MESSAGES,
    TIDES,
    chatgpt,
    claude,
    custom_instructions,
    jan_messages,
    lm_studio,
    node,
    open_webui,
)
from support.imported_chats import shown, tree
from support.pictures import png

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.services.chat import json_values
from specchat.services.chat.chat_import import contains_chats
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.imports.export_files import FolderFiles
from specchat.services.chat.imports.export_reader import read_export
from specchat.store.chat_store import SqliteChatStore


def test_skipped_and_known_chats_are_reported(chats: SqliteChatStore, imported: Any) -> None:
    circle = chatgpt(node("x", "y", "user", "Why?"), node("y", "x", "assistant", "So."), title="Circle")
    content = [chatgpt(*TIDES), chatgpt(title="Nothing"), circle, {"mapping": 3}, chatgpt(*TIDES, title="Other")]
    content += [{"title": "Broken\none", "mapping": "oops"}, {"name": "As in Claude"}, {"title": 3}]
    report = imported(content)
    assert len(report.added) == 2
    assert [(each.title, each.reason) for each in report.skipped] == [
        ("Nothing", "It contains no messages."),
        ("Circle", "Its messages form a loop."),
        ("", "Its format is unknown."),
        ("Broken one", "Its format is unknown."),
        ("As in Claude", "Its format is unknown."),
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
def test_unreadable_files_have_an_error_message(chats: SqliteChatStore, imported: Any, name: str) -> None:
    with pytest.raises(UserError) as told:
        imported(NOT_READ[name])
    assert told.value.message.startswith("chats.json ")
    assert told.value.hint
    assert not chats.conversations()


WRONG: list[object] = [None, 3, -1.5, "x", [], {}, [None], {"a": None}, True, 1e300, math.pi * 1e20]


@pytest.mark.parametrize("wrong", WRONG, ids=repr)
def test_values_of_unexpected_types(imported: Any, wrong: object) -> None:
    """Whatever comes of them, nothing breaks."""
    for whole in (
        chatgpt(custom_instructions(), *TIDES),
        claude(*CLAUDE_TIDES),
        open_webui(),
        lm_studio(),
        {"messages": [dict(each) for each in MESSAGES]},
    ):
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


OWN = '{"format": "specchat conversations", "version": 1, "conversations": ['
CROWDED = {
    "chat": ('[{"mapping": {}, "more": [', "[],", "0]}]"),
    "objects": ('[{"mapping": {}, "more": [', "{},", "0]}]"),
    "strings": ('[{"mapping": {}, "more": [', '"ab",', "0]}]"),
    "messages": ('[{"role": "user", "content": "a"},', "{},", "{}]"),
    "lines": ('{"role": "user", "content": "a"}\n', "{}\n", ""),
    "own": (OWN, "[],", "0]}"),
    "own lines": (f'{OWN}\n{{"messages": [', "[],", "0]}\n]}\n"),
}


@pytest.mark.parametrize("name", CROWDED)
def test_a_chat_of_countless_values_is_refused(
    chats: SqliteChatStore, imported: Any, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """256 MB of empty lists would take 6 GB of memory."""
    monkeypatch.setattr(json_values, "MOST_VALUES", 1 << 20)
    begin, repeated, end = CROWDED[name]
    with pytest.raises(UserError, match="too large to import") as refused:
        imported(begin + repeated * (2 << 20) + end)
    assert "million JSON values" in refused.value.hint
    assert not chats.conversations()


def test_values_are_limited_in_each_chat_not_in_the_file(imported: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are decoded from one part of the file after another, which may end anywhere in them."""
    monkeypatch.setattr(json_values, "MOST_VALUES", 900)
    monkeypatch.setattr(json_values, "_COUNTED_AT_ONCE", 57)
    content = [chatgpt(*TIDES, title=f"Tides {number}") for number in range(100)]
    assert len(imported(content).added) == 100
    numbers = [*json_values.JsonValues(json.dumps([{"a": 12345678901}] * 1000), "a.json")]
    assert numbers == [{"a": 12345678901}] * 1000


def test_messages_of_jan_are_counted_once(
    tmp_path: Path, files: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counting takes as long as decoding."""
    count, counted, messages = json_values._bounded_end, list[str](), jan_messages()

    def counting(text: str, begin: int) -> int:
        counted.append(text)
        return count(text, begin)

    monkeypatch.setattr(json_values, "_bounded_end", counting)
    (tmp_path / "thread.json").write_text(json.dumps({"title": "Tides"}, indent=2), encoding="utf-8")
    (tmp_path / "messages.jsonl").write_text(messages, encoding="utf-8")
    assert len(files.import_files([tmp_path]).added) == 1
    assert counted.count(messages) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_is_not_read_as_a_picture(tmp_path: Path, chats: SqliteChatStore, imported: Any) -> None:
    os.mkfifo(tmp_path / "file-Ab1-dot.png")
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    report = imported([chatgpt(node("q", "s", "user", pointer, "What is this?"))])
    assert tree(chats, report).messages[0].text == "[picture]\n\nWhat is this?"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_contains_no_chats(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "chats.json")
    assert not contains_chats(tmp_path / "chats.json")


def test_unclosed_markup_is_read_in_linear_time(chats: SqliteChatStore, imported: Any) -> None:
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
    with pytest.raises(UserError, match="bad.json is damaged") as refused:
        files.import_files([good, bad])
    assert refused.value.hint.endswith(" Nothing was imported from the other files.")
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(8, 8))
    with pytest.raises(UserError, match="picture.png contains no chats"):
        files.import_files([good, picture])
    assert not chats.conversations()
    assert len(files.import_files([good]).added) == 1


def test_lone_surrogates_and_nulls(chats: SqliteChatStore, imported: Any) -> None:
    report = imported('[{"role": "user", "content": "a\\ud800b\\u0000c"}]')
    assert shown(chats, report) == [(Role.USER, "a?bc")]


def test_a_picture_is_read_once_for_all_messages_that_name_it(
    tmp_path: Path, chats: SqliteChatStore, imported: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small file could name a large one a million times."""
    (tmp_path / "file-Ab1-dot.png").write_bytes(png(8, 8))
    read: list[str] = []
    find = FolderFiles.find_picture

    def count(files: FolderFiles, file_id: str) -> bytes | None:
        read.append(file_id)
        return find(files, file_id)

    monkeypatch.setattr(FolderFiles, "find_picture", count)
    pointer = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-Ab1", "width": 8}
    nodes = [node("0", "s", "user", pointer), *(node(str(n), str(n - 1), "user", pointer) for n in range(1, 9))]
    report = imported([chatgpt(*nodes, current="8")])
    assert [len(message.pictures) for message in tree(chats, report).messages] == [9]
    assert read == ["file-Ab1"]


class _Names(list[str]):
    def __contains__(self, name: object) -> bool:
        raise AssertionError("looks through all names for each of them")


def test_the_names_of_threads_are_looked_up_in_constant_time(tmp_path: Path) -> None:
    names = _Names(f"{n}/thread.json" for n in range(3))
    for name in names:
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(json.dumps({"messages": MESSAGES}), encoding="utf-8")
    assert len(list(read_export(FolderFiles(tmp_path, names), "jan", 1.0, CancelToken()))) == 3

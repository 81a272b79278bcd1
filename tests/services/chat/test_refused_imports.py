import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.chats import (
    ANSWER,
    SETTINGS,
    conversation_in,
    import_copies,
    import_refusal,
    texts_of,
    varied_tree,
    without_ids,
)

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import (
    StoredMessage,
)
from specchat.domain.errors import Cancelled, UserError
from specchat.domain.types import Role, SamplingParams
from specchat.services.chat import export_json as exports_module
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.store.chat_store import SqliteChatStore

Damage = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    "damage",
    [
        lambda plain: plain.pop("messages"),
        lambda plain: plain.pop("created"),
        lambda plain: plain.update(title=5),
        lambda plain: plain.update(created=1e300),
        lambda plain: plain.update(updated=-1),
        lambda plain: plain["messages"][0].update(parent=5),
        lambda plain: plain["messages"][0].update(parent=1),
        lambda plain: plain["messages"][1].update(id=1),
        lambda plain: plain["messages"][1].update(role="system"),
        lambda plain: plain["messages"][1].update(text=None),
        lambda plain: plain["messages"][0]["pictures"][0].update(content="no Base64!"),
        lambda plain: plain["messages"][0]["pictures"][0].update(content="bm8gcGljdHVyZQ=="),
        lambda plain: plain["messages"][0].update(pictures=65 * plain["messages"][0]["pictures"]),
        lambda plain: plain.update(unsent_pictures=[{"content": ""}]),
        lambda plain: plain["messages"][0]["recordings"][0].update(content="bm8gc291bmQ="),
        lambda plain: plain["messages"][0].update(recordings=17 * plain["messages"][0]["recordings"]),
        lambda plain: plain["messages"][2]["answer"].update(marks=[["1", "target"]]),
        lambda plain: plain["messages"][2].update(answer=[]),
        lambda plain: plain["messages"].append(5),
    ],
)
def test_a_damaged_conversation_changes_nothing(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any], damage: Damage
) -> None:
    before = chats.conversations()
    whole = json.loads(json.dumps(conversation_in(exported)))
    damage(conversation_in(exported))
    exported["conversations"].insert(0, whole)
    (tmp_path / "damaged.json").write_text(json.dumps(exported))
    assert "damaged" in import_refusal(exports, tmp_path / "damaged.json").message
    assert chats.conversations() == before


@pytest.mark.parametrize("marks", [[[99, "target"]], [[5, "target"], [4, "target"]], [[-1, "target"]]])
def test_marks_of_another_text_are_left_out(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any], marks: list[object]
) -> None:
    conversation_in(exported)["messages"][2]["answer"]["marks"] = marks
    (tmp_path / "one.json").write_text(json.dumps(exported))
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert without_ids(chats.tree(copy)).answers[3] == replace(ANSWER, marks=())


def test_settings_that_cannot_be_take_usual_values(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    conversation_in(exported)["settings"]["sampling"].update(temperature=-1, top_k=1 << 40)
    conversation_in(exported)["settings"].update(max_tokens=-5)
    (tmp_path / "one.json").write_text(json.dumps(exported))
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert chats.conversation(copy).settings == replace(SETTINGS, sampling=SamplingParams(seed=3), max_tokens=None)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "contains no chats that specchat can read"),
        (b"# Notes\n\nSomething else", "contains no chats that specchat can read"),
        (b"{}", "contains no chats that specchat can read"),
        (b'{"format": "specchat conversations", "version": 2}', "newer"),
        (b'{"format": "specchat conversations", "version": 1}', "damaged"),
        (b'{"format": "specchat conversations", "version": 1, "conversations": [NaN]}', "damaged"),
        (b'{"format"', "damaged"),
        (b'{"format":' + b"[" * 200_000, "damaged"),
        (b"\xff\xfe\0", "damaged"),
        (b"## You <!-- specchat:user -->", "damaged"),
        (b"# A <!-- specchat:conversation -->\n### b <!-- specchat:attachment -->", "damaged"),
        (b" " * 3_000_000, "contains no chats that specchat can read"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, exports: ConversationFiles, content: bytes, message: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    problem = import_refusal(exports, path)
    assert message in problem.message
    assert "other" in problem.message


def test_half_a_character_in_a_file_is_replaced(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    conversation_in(exported)["messages"][4]["text"] = "half \ud83d"
    (tmp_path / "half.json").write_text(json.dumps(exported))
    (copy,) = import_copies(chats, tmp_path / "half.json")
    assert texts_of(chats, copy)[-1] == "half \ufffd"


def test_any_mutation_is_read_or_refused(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    random = Random(1)
    path = tmp_path / "mutated"
    for suffix in (".json", ".md"):
        whole = path.with_suffix(suffix)
        exports.write(whole, chats.add_trees([varied_tree()]))
        for _ in range(150):
            content = bytearray(whole.read_bytes())
            for _ in range(random.randint(1, 4)):
                content[random.randrange(len(content))] = random.choice(b'0123456789"{}[],:-ae\\ \n\xff')
            path.write_bytes(content[: random.choice((len(content), random.randrange(len(content))))])
            before = len(chats.conversations())
            try:
                added = import_copies(chats, path)
            except UserError:
                added = []
            assert len(chats.conversations()) == before + len(added)
            for copy in added:
                chats.tree(copy)


def test_a_chat_that_is_too_large_is_not_read(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports_module, "LARGEST_CHAT", 1 << 20)
    (tmp_path / "large.json").write_bytes(b"{" * (1 << 20) + b"}")
    assert "too large" in import_refusal(exports, tmp_path / "large.json").message
    (tmp_path / "large.md").write_bytes(b"no line is long\n" * (1 << 17))
    assert "too large" in import_refusal(exports, tmp_path / "large.md").message
    assert chats.conversations() == []


@pytest.mark.parametrize("name", ["all.json", "all.md"])
def test_all_chats_together_may_be_larger(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path, number = tmp_path / name, 9
    exports.write(path, chats.add_trees([varied_tree()] * number))
    monkeypatch.setattr(exports_module, "LARGEST_CHAT", path.stat().st_size // 4)
    assert len(import_copies(chats, path)) == number


@pytest.mark.parametrize("name", ["two.json", "two.md"])
def test_what_cannot_be_imported_again_is_said(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / name
    small, last = chats.add_trees([varied_tree(), varied_tree()])
    long = chats.add_message(StoredMessage(0, small, None, Role.USER, "tide " * 20_000, 5.0)).conversation
    monkeypatch.setattr(exports_module, "LARGEST_CHAT", 90_000)
    assert exports.write(path, [last, long, last]) == [long]
    assert "too large" in import_refusal(exports, path).message
    assert exports.write(path, [last]) == []


def test_json_that_another_program_has_arranged_is_read(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    (tmp_path / "one.json").write_text("\n" + json.dumps(exported, indent=1, sort_keys=True))
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert without_ids(chats.tree(copy)) == without_ids(varied_tree())


def test_two_files_in_one_are_not_half_read(
    tmp_path: Path, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    once = (tmp_path / "one.json").read_bytes()
    (tmp_path / "two.json").write_bytes(once + once)
    assert "damaged" in import_refusal(exports, tmp_path / "two.json").message


def test_what_is_stopped_leaves_nothing(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    before, stopped = chats.conversations(), CancelToken()
    stopped.cancel()
    with pytest.raises(Cancelled):
        exports.write(tmp_path / "all.json", cancel=stopped)
    with pytest.raises(Cancelled):
        exports.read(tmp_path / "one.json", stopped)
    assert [file.name for file in tmp_path.glob("*.json*")] == ["one.json"]
    assert chats.conversations() == before


def test_what_is_no_file_is_refused(tmp_path: Path, exports: ConversationFiles) -> None:
    assert import_refusal(exports, tmp_path).message == f"{tmp_path} is a folder."
    assert "File not found" in import_refusal(exports, tmp_path / "missing.json").message
    assert import_refusal(exports, Path(os.devnull)).message == f"{os.devnull} is not a regular file."

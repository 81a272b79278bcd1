import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.chats import ANSWER, SETTINGS, Clock, add, import_copies, varied_tree, without_ids

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import (
    Attachment,
    ConversationSettings,
    ConversationTree,
    MessageState,
    StoredMessage,
)
from specchat.domain.errors import Cancelled, UserError
from specchat.domain.types import Role, SamplingParams
from specchat.services.chat import export_json as exports_module
from specchat.services.chat.conversation_files import ConversationFiles
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.known_chats import WholeChat
from specchat.services.chat.message_service import MessageService
from specchat.store.chat_store import SqliteChatStore


@pytest.fixture
def exports(chats: SqliteChatStore, clock: Clock) -> ConversationFiles:
    return ConversationFiles(chats, clock)


@pytest.fixture
def exported(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> dict[str, Any]:
    """What the file of one conversation holds."""
    exports.write(tmp_path / "one.json", chats.add_trees([varied_tree()]))
    content = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert isinstance(content, dict)
    return content


def conversation_in(exported: dict[str, Any]) -> dict[str, Any]:
    (plain,) = exported["conversations"]
    assert isinstance(plain, dict)
    return plain


def texts(chats: SqliteChatStore, conversation: int) -> list[str]:
    return [message.text for message in chats.tree(conversation).messages]


def test_json_loses_nothing(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    (original,) = chats.add_trees([varied_tree()])
    exports.write(tmp_path / "one.json", [original])
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert copy != original
    assert without_ids(chats.tree(copy)) == without_ids(chats.tree(original)) == without_ids(varied_tree())


@pytest.mark.parametrize("name", ["all.json", "all.md"])
def test_what_exists_is_not_imported_again(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, conversations: ConversationService, name: str
) -> None:
    """Two chats of the same words in one file are both imported."""
    own = chats.add_trees([varied_tree()] * 2)
    exports.write(tmp_path / name)
    report = exports.import_files([tmp_path / name])
    assert (report.added, report.n_existing) == ([], 2)
    conversations.delete(*own)
    report = exports.import_files([tmp_path / name] * 2)
    assert (len(report.added), report.n_existing) == (2, 2)
    for conversation in report.added:
        conversations.rename(conversation, "Another")
    assert len(exports.read(tmp_path / name)) == 2


def test_what_would_be_lost_is_imported(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    """A version that was deleted since comes back; what was added since is no reason."""
    (own,) = chats.add_trees([varied_tree()])
    exports.write(tmp_path / "all.json")
    conversation = chats.conversation(own)
    shown = {each.id for each in chats.path(conversation.leaf or 0)}
    hidden = [each.id for each in chats.tree(own).messages if each.id not in shown]
    add(chats, conversation, "And then?", conversation.leaf)
    assert exports.read(tmp_path / "all.json") == []
    chats.trash_message(hidden[0], now=5.0)
    assert len(exports.read(tmp_path / "all.json")) == 1


def test_many_chats_of_one_title_are_recognized_quickly(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A version of the first message that was edited counts as its beginning, too."""
    tree = varied_tree()
    asked = replace(tree.messages[0], attachments=(), pictures=(), recordings=())
    chat = replace(tree.conversation, leaf=2)
    trees = [
        ConversationTree(chat, (replace(asked, id=1, text=f"Edited {n}"), replace(asked, id=2, text=f"Hi {n}")))
        for n in range(50)
    ]
    trees += [ConversationTree(replace(tree.conversation, leaf=None, unsent_text=f"Draft {n}"), ()) for n in range(50)]
    own = chats.add_trees(trees)
    exports.write(tmp_path / "all.json")
    chats.trash_message(chats.tree(own[0]).messages[0].id, now=5.0)
    compared: list[WholeChat] = []
    contains = WholeChat.contains

    def count(known: WholeChat, other: WholeChat) -> bool:
        compared.append(other)
        return contains(known, other)

    monkeypatch.setattr(WholeChat, "contains", count)
    report = exports.import_files([tmp_path / "all.json"])
    assert (len(report.added), report.n_existing) == (1, 99)
    assert len(compared) < 2 * len(trees)


def test_attachments_and_what_is_typed_count(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    tree = varied_tree()
    typed = ConversationTree(replace(tree.conversation, leaf=None, unsent_text="Why two"), ())
    other = ConversationTree(replace(typed.conversation, unsent_text="Why three"), ())
    files = [Attachment("a.txt", "Tides"), Attachment("a.txt", "Moons")]
    asked = [
        ConversationTree(replace(tree.conversation, leaf=1), (replace(tree.messages[0], attachments=(file,)),), {})
        for file in files
    ]
    chats.add_trees([typed, asked[0]])
    exports.write(tmp_path / "old.json")
    both = chats.add_trees([other, asked[1]])
    exports.write(tmp_path / "new.json", both)
    assert exports.read(tmp_path / "old.json") == []
    chats.set_trashed(both, 1.0)
    assert len(exports.read(tmp_path / "new.json")) == 2


def test_all_conversations_but_the_trash(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, conversations: ConversationService
) -> None:
    kept, _, deleted = chats.add_trees([varied_tree(), varied_tree(), varied_tree()])
    conversations.delete(deleted)
    chats.trash_message(chats.tree(kept).messages[0].id, now=5.0)
    conversations.create(ConversationSettings())
    exports.write(tmp_path / "all.json")
    assert sorted(len(chats.tree(copy).messages) for copy in import_copies(chats, tmp_path / "all.json")) == [4, 5]


def test_json_says_what_it_is(exported: dict[str, Any]) -> None:
    assert (exported["format"], exported["version"]) == ("specchat conversations", 1)
    answered = conversation_in(exported)["messages"][2]
    assert answered["answer"]["stats"]["n_generated"] == ANSWER.stats.n_generated
    assert answered["answer"]["marks"][1] == [7, "draft", 0, 0.9312]


def test_an_answer_that_is_being_written_comes_back_stopped(
    tmp_path: Path,
    chats: SqliteChatStore,
    exports: ConversationFiles,
    messages: MessageService,
    conversations: ConversationService,
) -> None:
    new = conversations.create(SETTINGS)
    messages.begin_answer(messages.add_question(new.id, "Why?").id, ANSWER)
    exports.write(tmp_path / "one.json", [new.id])
    (copy,) = import_copies(chats, tmp_path / "one.json")
    assert messages.shown_path(copy)[-1].state is MessageState.STOPPED


def test_markdown_is_readable(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    exports.write(tmp_path / "one.md", chats.add_trees([varied_tree()]))
    lines = (tmp_path / "one.md").read_text(encoding="utf-8").replace("\0", "").splitlines()
    assert [line for line in lines if line] == [
        "# Tides «and» moons <!-- specchat:conversation -->",
        "## System prompt <!-- specchat:system -->",
        "Be brief.",
        "## You <!-- specchat:user -->",
        "Why two a day?",
        "## target.gguf <!-- specchat:assistant -->",
        "Hello, world",
        "*4 tokens · 40.0 tokens/s · 2 of 3 guesses accepted (67%) · 2.00 tokens per pass · 0.05 s saved"
        " · speculation off: it does not pay* <!-- specchat:figures -->",
        "## You <!-- specchat:user -->",
        "Thanks 🙂",
    ]


def shown_first(tree: ConversationTree) -> ConversationTree:
    return replace(tree, conversation=replace(tree.conversation, leaf=1))


def test_answers_that_no_model_is_known_for_have_a_heading(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, messages: MessageService
) -> None:
    """Imported ones, and those that the user wrote over them."""
    tree = varied_tree()
    (chat,) = chats.add_trees([replace(tree, answers={})])
    leaf = chats.conversation(chat).leaf
    assert leaf is not None
    answer = next(each for each in reversed(chats.path(leaf)) if each.role is Role.ASSISTANT)
    messages.edit_answer(answer.id, "In my words.")
    exports.write(tmp_path / "one.md", [chat])
    assert "## Answer <!-- specchat:assistant -->\n\nIn my words." in (tmp_path / "one.md").read_text(encoding="utf-8")


def test_markdown_brings_back_what_was_shown(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    exports.write(tmp_path / "all.md", chats.add_trees([varied_tree(), shown_first(varied_tree())]))
    first, second = import_copies(chats, tmp_path / "all.md")
    assert texts(chats, first) == ["Why two a day?", "Hello, world", "Thanks\0 🙂"]
    kept = chats.conversation(first)
    assert (kept.title, kept.settings) == ("Tides «and» moons", ConversationSettings(system_prompt="Be brief."))
    assert [m.text for m in chats.path(kept.leaf or 0)] == texts(chats, first)
    (question,) = chats.tree(second).messages
    original = varied_tree().messages[0]
    assert (question.text, question.attached) == (original.text, original.attached)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- specchat:user -->",
        "## You <!-- \\specchat:user -->",
        "<!-- \\\\specchat:figures --> x",
        "# Title <!-- specchat:conversation -->\n\n## You <!-- specchat:user -->",
        "a\n\n\n# b\n```\n<!-- specchat:assistant -->\n```",
        " <!-- " * 1000,
    ],
)
def test_text_that_looks_like_a_marker_is_kept(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, text: str
) -> None:
    question = StoredMessage(1, 1, None, Role.USER, text.strip("\n"), 1.0)
    tree = ConversationTree(replace(varied_tree().conversation, leaf=1), (question,))
    exports.write(tmp_path / "one.md", chats.add_trees([tree]))
    (copy,) = import_copies(chats, tmp_path / "one.md")
    assert texts(chats, copy) == [text.strip("\n")]


def test_line_ends_of_other_systems_do_no_harm(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    path = tmp_path / "one.md"
    exports.write(path, chats.add_trees([varied_tree()]))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    (copy,) = import_copies(chats, path)
    assert len(texts(chats, copy)) == 3


def refusal(exports: ConversationFiles, path: Path) -> UserError:
    with pytest.raises(UserError) as error:
        exports.read(path)
    assert error.value.hint
    return error.value


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
    assert "damaged" in refusal(exports, tmp_path / "damaged.json").message
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
    problem = refusal(exports, path)
    assert message in problem.message
    assert "other" in problem.message


def test_half_a_character_in_a_file_is_replaced(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles, exported: dict[str, Any]
) -> None:
    conversation_in(exported)["messages"][4]["text"] = "half \ud83d"
    (tmp_path / "half.json").write_text(json.dumps(exported))
    (copy,) = import_copies(chats, tmp_path / "half.json")
    assert texts(chats, copy)[-1] == "half \ufffd"


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
    assert "too large" in refusal(exports, tmp_path / "large.json").message
    (tmp_path / "large.md").write_bytes(b"no line is long\n" * (1 << 17))
    assert "too large" in refusal(exports, tmp_path / "large.md").message
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
    assert "too large" in refusal(exports, path).message
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
    assert "damaged" in refusal(exports, tmp_path / "two.json").message


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
    assert refusal(exports, tmp_path).message == f"{tmp_path} is a folder."
    assert "File not found" in refusal(exports, tmp_path / "missing.json").message
    assert refusal(exports, Path(os.devnull)).message == f"{os.devnull} is not a regular file."


def test_an_export_that_fails_leaves_the_old_file(
    tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles
) -> None:
    path = tmp_path / "all.json"
    path.write_text("old")
    with pytest.raises(UserError, match="was deleted"):
        exports.write(path, [*chats.add_trees([varied_tree()]), 99])
    assert [file.name for file in tmp_path.glob("all*")] == ["all.json"]
    assert path.read_text() == "old"
    with pytest.raises(UserError, match=r"Can't write .*all\.json: "):
        exports.write(tmp_path / "nowhere" / "all.json")


def test_the_name_says_which_format(tmp_path: Path, exports: ConversationFiles) -> None:
    with pytest.raises(UserError, match=r"all\.pdf doesn't have a recognized file extension"):
        exports.write(tmp_path / "all.pdf")
    assert not (tmp_path / "all.pdf").exists()


def test_pictures_come_back_from_markdown(tmp_path: Path, chats: SqliteChatStore, exports: ConversationFiles) -> None:
    exports.write(tmp_path / "one.md", chats.add_trees([shown_first(varied_tree())]))
    text = (tmp_path / "one.md").read_text(encoding="utf-8")
    assert "### größe.png <!-- specchat:picture -->\n\n![](data:image/png;base64," in text
    assert "### tones.wav <!-- specchat:recording -->\n\n[audio](data:audio/wav;base64," in text
    (copy,) = import_copies(chats, tmp_path / "one.md")
    assert chats.tree(copy).messages[0].media == varied_tree().messages[0].media
    damaged = tmp_path / "damaged.md"
    for now, then in (("data:image/png;base64,", "https://example.org/"), ("base64,", "base64,AAAA")):
        damaged.write_text(text.replace(now, then), encoding="utf-8")
        assert "damaged" in refusal(exports, damaged).message

"""The chats of the window, in commands."""

import json
import sys
import time
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.chats import ANSWER_TEXT, add, varied_tree, without_ids
from support.commands import Commands

from specchat.domain.conversations import Answer, ConversationSettings, MessageState, StoredMessage
from specchat.domain.types import FinishReason, Role
from specchat.services.chat import export_json
from specchat.store.chat_store import open_chat_store, open_chat_store_without_recovery
from specchat.store.journal import SqliteJournal
from specchat.store.projects import SqliteProjects


@pytest.fixture
def file(tmp_path: Path, commands: Commands) -> Path:
    """Of the chats: a pinned one with versions, and a newer one."""
    commands.home = tmp_path / "home"
    path = commands.home / "data" / "chats.db"
    with closing(open_chat_store(path)) as store:
        store.add_trees([varied_tree()])
        add(store, store.add_conversation(ConversationSettings(), 200.0), "How high is the tide in June?")
    return path


def test_list(commands: Commands, file: Path) -> None:
    pinned, other = commands.run("chats", "--json").json["chats"]
    assert (pinned["id"], pinned["title"], pinned["pinned"]) == (1, "Tides «and» moons", True)
    assert pinned["created"].startswith("1970-01-01T") or pinned["created"].startswith("1969-12-31T")
    assert (other["id"], other["title"], other["pinned"]) == (2, "", False)
    heading, first, second = commands.run("chats", "list").out.splitlines()
    assert heading.split() == ["NUMBER", "CHANGED", "TITLE"]
    assert first.endswith("pinned  Tides «and» moons")
    assert second.endswith("New chat")


def test_a_chat_whose_messages_were_all_deleted_is_about_nothing(commands: Commands, file: Path) -> None:
    with closing(open_chat_store(file)) as store:
        chat = store.conversation(2)
        store.save_conversation(replace(chat, title="Tides in June"))
        assert chat.leaf is not None
        store.trash_message(chat.leaf, 300.0)
    assert commands.run("chats", "list").out.splitlines()[-1].endswith("New chat")
    assert [each["title"] for each in commands.run("chats", "--json").json["chats"]] == ["Tides «and» moons", ""]
    assert commands.run("chats", "show", "2").out.startswith("New chat\n")


def test_where_there_are_none(tmp_path: Path, commands: Commands) -> None:
    commands.home = tmp_path / "home"
    assert commands.run("chats", "--json").json == {"chats": []}
    assert "No chats yet." in commands.run("chats").err


def test_an_empty_chat_of_the_window_is_none(commands: Commands, file: Path, tmp_path: Path) -> None:
    with closing(open_chat_store_without_recovery(file)) as store:
        store.add_conversation(ConversationSettings(), 300.0)
    assert [chat["id"] for chat in commands.run("chats", "--json").json["chats"]] == [1, 2]
    assert commands.run("chats", "export", tmp_path / "all.json", "--json").json["chats"] == [1, 2]

    assert commands.run("chats", "show", "3").refusal[0] == "Chat 3 doesn't exist."


def test_no_chats_take_no_exports_place(commands: Commands, file: Path, tmp_path: Path) -> None:
    """As with another home than meant."""
    kept, empty = tmp_path / "kept.json", tmp_path / "empty.json"
    commands.run("chats", "export", kept)
    before = kept.read_bytes()
    commands.home = tmp_path / "another home"
    assert commands.run("chats", "export", kept).refusal[0] == "There are no chats to export."
    assert kept.read_bytes() == before
    empty.write_text('{"format": "specchat conversations", "version": 1, "conversations": [\n]}\n')
    outcome = commands.run("chats", "import", empty)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "The file contains no chats.\n")


def test_search(commands: Commands, file: Path) -> None:
    (hit,) = commands.run("chats", "search", "--json", "two", "a", "da").json["hits"]
    assert (hit["chat"], hit["message"], hit["snippet"]) == (1, 2, "Why two a day?")
    assert [hit["snippet"][begin:end] for begin, end in hit["matches"]] == ["two", "a", "day"]
    assert commands.run("chats", "search", "tide").out.splitlines() == [
        "1  Tides «and» moons",
        "2  New chat",
        "  How high is the tide in June?",
    ]
    assert commands.run("chats", "search", "sunshine").err == "Nothing found. Try other words.\n"
    for nothing in ("", " "):
        outcome = commands.run("chats", "search", nothing)
        assert (outcome.code, outcome.refusal[0]) == (1, "No search word given.")


def test_show(commands: Commands, file: Path) -> None:
    shown = commands.run("chats", "show", "1").out
    assert shown.startswith("Tides «and» moons\n\nSystem prompt:\nBe brief.\n\nYou:\nWhy two a day?\n\n")
    assert f"target.gguf:\n{ANSWER_TEXT}\n\n4 tokens · 40.0 tokens/s" in shown
    assert "Thanks\ufffd 🙂" in shown
    assert "notes.txt" not in shown  # of another version
    found = commands.run("chats", "show", "1", "--json").json
    assert (found["id"], found["title"], len(found["messages"])) == (1, "Tides «and» moons", 5)


def test_an_answer_that_no_model_is_known_for_is_one_nevertheless(commands: Commands, file: Path) -> None:
    """Edited after it was imported."""
    with closing(open_chat_store(file)) as store:
        leaf = store.conversation(1).leaf
        assert leaf is not None
        answer = next(each for each in reversed(store.path(leaf)) if each.role is Role.ASSISTANT)
        store.add_message(replace(answer, text="Of nobody."), Answer(target=""))
    assert "\n\nAnswer:\nOf nobody." in commands.run("chats", "show", "1").out


def test_times_are_told_in_one_way(commands: Commands, file: Path) -> None:
    for listed in commands.run("chats", "--json").json["chats"]:
        shown = commands.run("chats", "show", str(listed["id"]), "--json").json
        assert listed.items() <= shown.items()
        created = [datetime.fromisoformat(each["created"]) for each in shown["messages"]]
        assert created == sorted(created)
        assert all(each.tzinfo for each in created)


@pytest.mark.skipif(sys.platform == "win32", reason="zones are set otherwise")
def test_the_last_second_there_is(
    commands: Commands, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy.json"
    commands.run("chats", "export", copy, "2")
    exported = json.loads(copy.read_text(encoding="utf-8"))
    last = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
    exported["conversations"][0] |= {"title": "Last", "created": last.timestamp(), "updated": last.timestamp()}
    copy.write_text(json.dumps(exported))
    monkeypatch.setenv("TZ", "EAST-14")
    time.tzset()
    try:
        (added,) = commands.run("chats", "import", copy, "--json").json["chats"]
        assert commands.run("chats").code == 0
    finally:
        monkeypatch.undo()
        time.tzset()
    assert datetime.fromisoformat(added["created"]) == last


def test_an_answer_that_was_cut_off_has_no_stats(commands: Commands, file: Path, tmp_path: Path) -> None:
    with closing(open_chat_store(file)) as window:
        (question,) = window.path(window.conversation(2).leaf or 0)
        answer = StoredMessage(0, 2, question.id, Role.ASSISTANT, "", 3.0, MessageState.STREAMING)
        begun = window.add_message(answer, Answer("target.gguf", finish=FinishReason.CANCELLED))
        with closing(SqliteJournal(file, begun.id)) as journal:
            journal.add("As high")
            journal.flush()
        assert commands.run("chats", "show", "2").out.endswith("target.gguf:\nAs high\n")
    open_chat_store(file).close()  # as at the next start
    assert commands.run("chats", "show", "2").out.endswith("target.gguf:\nAs high\n\ncut off\n")
    commands.run("chats", "export", tmp_path / "tide.md", "2")
    assert "*cut off* <!-- specchat:figures -->" in (tmp_path / "tide.md").read_text(encoding="utf-8")


def test_one_that_is_not_there(commands: Commands, file: Path) -> None:
    outcome = commands.run("chats", "show", "9")
    assert (outcome.code, outcome.refusal) == (1, ("Chat 9 doesn't exist.", "List the chats with: specchat chats"))
    assert commands.run("chats", "export", "some.json", "2", "9").refusal == outcome.refusal
    assert commands.run("chats", "show", "all").code == 2


def test_out_and_in(commands: Commands, file: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    assert commands.run("chats", "export", copy, "1", "--json").json == {
        "path": str(copy),
        "chats": [1],
        "replaced": False,
    }
    assert len(json.loads(copy.read_text(encoding="utf-8"))["conversations"]) == 1
    again = commands.run("chats", "import", copy)
    assert (again.out, again.err, again.code) == ("", "Not imported because they already exist: 1 chat.\n", 0)
    with closing(open_chat_store_without_recovery(file)) as store:
        store.set_trashed([1], 1.0)
    (added,) = commands.run("chats", "import", copy, "--json").json["chats"]
    assert (added["id"], added["title"]) == (3, "Tides «and» moons")
    with closing(open_chat_store_without_recovery(file)) as store:
        store.set_trashed([1], None)
        assert without_ids(store.tree(3)) == without_ids(store.tree(1))
    assert commands.run("chats", "export", copy, "2").out == f"{copy}\n  1 chat, replacing its previous content\n"
    everything = tmp_path / "all.md"
    assert commands.run("chats", "export", everything).out == f"{everything}\n  3 chats\n"
    assert commands.run("chats", "import", everything).err == "Not imported because they already exist: 3 chats.\n"
    with closing(open_chat_store_without_recovery(file)) as store:
        store.set_trashed([1, 3], 1.0)
    assert commands.run("chats", "import", everything).out == "4  Tides «and» moons\n5  Tides «and» moons\n"


def test_chats_of_other_programs(commands: Commands, file: Path, tmp_path: Path) -> None:
    messages = [{"role": "user", "content": "Why tides?"}, {"role": "assistant", "content": "The moon."}]
    one, other = tmp_path / "one.json", tmp_path / "other.jsonl"
    one.write_text(json.dumps(messages))
    other.write_text(json.dumps({"messages": messages, "title": "Other"}) + '\n{"messages": [], "title": "None"}\n')
    outcome = commands.run("chats", "import", one, other)
    assert outcome.out == "3  Why tides?\n4  Other\n"
    assert outcome.err == "Not imported: None. Its format is unknown.\n"
    again = commands.run("chats", "import", one, other)
    assert (again.out, again.code) == ("", 0)
    assert again.err.splitlines()[0] == "Not imported because they already exist: 2 chats."
    assert commands.run("chats", "import", one, "--json").json == {
        "chats": [],
        "existing": 1,
        "skipped": [],
    }


def test_many_chats_are_counted(
    commands: Commands, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        json.dumps({"messages": [{"role": "user", "content": f"Tide {n}?"}], "title": f"Tide {n}"}) for n in range(1200)
    ]
    several, copy = tmp_path / "several.jsonl", tmp_path / "copy.json"
    several.write_text("\n".join([*lines, '{"messages": [], "title": "None"}']))
    outcome = commands.run("chats", "import", several)
    assert outcome.out == "Imported 1,200 chats.\n"
    assert outcome.err == "Not imported: None. Its format is unknown.\n"
    commands.run("chats", "export", copy)
    again = commands.run("chats", "import", copy)
    assert again.out == ""
    assert again.err == "Not imported because they already exist: 1,202 chats.\n"
    several.write_text("\n".join(lines).replace("Tide", "Moon"))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    in_place = commands.run("chats", "import", several).err
    assert in_place.startswith("\r\x1b[KImporting: 1 chat ...\r\x1b[KImporting: 2 chats ...\r")
    assert "Importing: 1,200 chats ...\r\x1b[K" in in_place
    for existing in (several, copy):
        assert "Importing: 1,200 chats ...\r" in commands.run("chats", "import", existing).err


def test_what_cannot_be_imported_again(
    commands: Commands, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_json, "LARGEST_CHAT", 1000)
    outcome = commands.run("chats", "export", tmp_path / "all.json")
    assert outcome.code == 0
    assert "can't import this file again" in outcome.err
    assert outcome.err.endswith(" too large: 1.\n")
    assert commands.run("chats", "import", tmp_path / "all.json").code == 1


def test_what_cannot_be_exported_or_imported(commands: Commands, file: Path, tmp_path: Path) -> None:
    assert (
        commands.run("chats", "export", tmp_path / "chats.txt").refusal[0]
        == "chats.txt doesn't have a recognized file extension."
    )
    folder = tmp_path / "some.json"
    folder.mkdir()
    assert commands.run("chats", "import", folder).refusal == (f"{folder} is a folder.", "Specify a file inside it.")
    (tmp_path / "odd.json").write_text('{"format": "other"}')
    assert commands.run("chats", "import", tmp_path / "odd.json").code == 1
    assert len(commands.run("chats", "--json").json["chats"]) == 2
    nothing = commands.run("chats", "export")
    assert nothing.code == 2
    assert nothing.err.endswith("specchat chats export: error: the following arguments are required: FILE\n")


def test_an_answer_that_is_being_written_goes_on(commands: Commands, file: Path) -> None:
    with closing(open_chat_store(file)) as window:
        (question,) = window.path(window.conversation(2).leaf or 0)
        answer = StoredMessage(0, 2, question.id, Role.ASSISTANT, "", 3.0, MessageState.STREAMING)
        written = window.add_message(answer)
        assert commands.run("chats", "show", "2", "--json").code == 0
        assert window.message(written.id).state is MessageState.STREAMING


def test_the_project_of_a_chat_is_told(commands: Commands, file: Path, tmp_path: Path) -> None:
    with closing(open_chat_store(file)) as store:
        thesis = SqliteProjects(store.database).add_project("Thesis", 1.0)
        store.move_to_project([2], thesis.id)
    assert [each["project"] for each in commands.run("chats", "--json").json["chats"]] == [None, "Thesis"]
    heading, _, second = commands.run("chats", "list").out.splitlines()
    assert heading.split() == ["NUMBER", "CHANGED", "PROJECT", "TITLE"]
    assert second.endswith("Thesis   New chat")
    assert commands.run("chats", "show", "2", "--json").json["project"] == "Thesis"
    assert commands.run("chats", "show", "1", "--json").json["project"] is None
    assert [hit["project"] for hit in commands.run("chats", "search", "June", "--json").json["hits"]] == ["Thesis"]
    assert commands.run("chats", "search", "June").out.startswith("2  New chat  (Thesis)\n")
    exported = tmp_path / "two.json"
    commands.run("chats", "export", exported, "2")
    with closing(open_chat_store(file)) as store:
        store.set_trashed([2], 1.0)
    (imported,) = commands.run("chats", "import", exported, "--json").json["chats"]
    assert imported["project"] == "Thesis"


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_a_device_is_not_imported(commands: Commands) -> None:
    assert commands.run("chats", "import", "/dev/null").refusal[0] == "/dev/null is not a regular file."

"""A damaged page costs the chats that are in it, and no others."""

import json
import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.damaged_databases import Found, Trial, trials
from support.commands import Commands, run_process
from support.damage import KINDS, PAGE, Chat, add_to_log, chats_with_pages, copied, make_chats, pages_of, texts_of

from specchat.services.program.lock_file import LockFile
from specchat.store.chat_store import open_chat_store
from specchat.store.salvage.salvage import salvage
from specchat.store.salvage.salvaged_chats import LOST


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("original") / "chats.db"
    make_chats(path)
    return path


@pytest.fixture(scope="session")
def made(original: Path) -> list[Chat]:
    return chats_with_pages(original)


@pytest.fixture
def file(original: Path, tmp_path: Path, commands: Commands) -> Path:
    commands.home = tmp_path / "home"
    return copied(original, commands.home / "data")


def damage(file: Path, *pages: int) -> None:
    content = bytearray(file.read_bytes())
    for page in pages:
        content[(page - 1) * PAGE : page * PAGE] = random.Random(page).randbytes(PAGE)
    file.write_bytes(content)


def damage_one_chat(file: Path, made: list[Chat]) -> Chat:
    """On a page that it shares with no other."""
    hit = next(chat for chat in made if len(chat.messages) > 4 and _own_page(chat, made))
    damage(file, _own_page(hit, made)[0])
    return hit


def _own_page(chat: Chat, made: list[Chat]) -> list[int]:
    return sorted(chat.pages.difference(*(each.pages for each in made if each is not chat)))


def exported(commands: Commands, tmp_path: Path) -> dict[str, tuple[str, ...]]:
    path = tmp_path / "exported.json"
    commands.run("chats", "export", path)
    return texts_of(json.loads(path.read_text("utf-8")))


def test_a_damaged_page_costs_one_chat(commands: Commands, file: Path, made: list[Chat], tmp_path: Path) -> None:
    hit = damage_one_chat(file, made)
    name = f"{hit.id} (Tides {hit.id})"
    outcome = commands.run("chats", "export", tmp_path / "all.json", "--json")
    assert outcome.code == 1
    assert outcome.refusal == (
        f"chats.db is damaged. Couldn't export parts of these chats: {name}.",
        "Run: specchat chats salvage",
    )
    assert [each["id"] for each in outcome.json["damaged"]] == [hit.id]
    texts = texts_of(json.loads((tmp_path / "all.json").read_text("utf-8")))
    assert all(texts[f"Tides {chat.id}"] == chat.messages for chat in made if chat is not hit)
    assert len(texts) == len(made)

    listed = commands.run("chats", "list")
    assert (listed.code, len(listed.out.splitlines())) == (0, len(made) + 1)
    assert f"Some parts can't be read: chat {name}." in listed.err
    other = next(chat for chat in made if chat is not hit)
    assert commands.run("chats", "search", f"word{other.id} ", "--json").json["hits"]
    assert commands.run("chats", "show", str(other.id)).code == 0
    assert commands.run("chats", "export", tmp_path / "one.md", str(other.id)).code == 0


NOTHING_READABLE = (
    "chats.db is damaged, and none of its chats can be read.",
    "Rename it and start afresh with: specchat chats salvage",
)


def assert_nothing_is_readable(commands: Commands, tmp_path: Path) -> None:
    for wanted in (("list",), ("search", "tides"), ("show", "1"), ("export", tmp_path / "all.json")):
        outcome = commands.run("chats", *wanted)
        assert (outcome.code, outcome.out, outcome.refusal) == (1, "", NOTHING_READABLE)
    error, hint = NOTHING_READABLE
    assert commands.run("chats", "--json").json == {"error": error, "hint": hint}


def test_a_file_of_which_nothing_can_be_read(commands: Commands, file: Path, tmp_path: Path) -> None:
    file.write_bytes(random.Random(1).randbytes(5000))
    assert_nothing_is_readable(commands, tmp_path)


def test_a_file_whose_chats_are_all_lost(commands: Commands, tmp_path: Path) -> None:
    """Unlike one of which nothing can be read, it tells how many there were."""
    commands.home = tmp_path / "home"
    talk = tmp_path / "talk.json"
    talk.write_text(json.dumps([{"role": "user", "content": "Tides"}, {"role": "assistant", "content": "The moon"}]))
    commands.run("chats", "import", talk)
    damage(commands.home / "data" / "chats.db", 2, 3, 4)
    assert_nothing_is_readable(commands, tmp_path)


def test_a_chat_that_cannot_be_read(commands: Commands, file: Path, made: list[Chat], tmp_path: Path) -> None:
    damage_one_chat(file, made)
    refusal = (
        "chats.db is damaged, and chat 99 can't be read.",
        "Recover the readable chats with: specchat chats salvage",
    )
    for wanted in (("show", "99"), ("export", tmp_path / "one.md", "99")):
        outcome = commands.run("chats", *wanted)
        assert (outcome.code, outcome.out, outcome.refusal) == (1, "", refusal)
    assert commands.run("chats", "search", "nowhere").err.startswith("Nothing found in the readable chats.")


def test_salvage(commands: Commands, file: Path, made: list[Chat], tmp_path: Path) -> None:
    hit = damage_one_chat(file, made)
    before = file.read_bytes()
    copy = tmp_path / "readable.db"
    assert commands.run("chats", "salvage", "--out", copy).code == 0
    assert file.read_bytes() == before
    assert os.name != "posix" or copy.stat().st_mode & 0o077 == 0

    outcome = commands.run("chats", "salvage")
    assert outcome.code == 0
    assert outcome.out.splitlines()[1] == "  24 chats are complete."
    assert f"Chat {hit.id} (Tides {hit.id}) is incomplete" in outcome.out
    assert outcome.out.endswith("  The damaged database is now chats-damaged-1.db.\n")
    assert file.with_name("chats-damaged-1.db").read_bytes() == before
    again = commands.run("chats", "list")
    assert (again.code, again.err) == (0, "")
    assert commands.run("chats", "salvage", "--json").json == {"path": str(file), "salvaged": False}
    texts = exported(commands, tmp_path)
    assert all(texts[f"Tides {chat.id}"] == chat.messages for chat in made if chat is not hit)
    with closing(open_chat_store(file)) as store:  # written to as before
        store.save_conversation(store.conversation(hit.id))


def test_a_salvaged_database_replaces_no_file(commands: Commands, file: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    for existing in (notes, file):
        before = file.read_bytes()
        outcome = commands.run("chats", "salvage", "--out", existing)
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.refusal == (f"{existing} exists already.", "Choose another name.")
        assert (notes.read_text(), file.read_bytes()) == ("mine", before)


def test_where_a_salvaged_database_cannot_be_written(commands: Commands, file: Path, tmp_path: Path) -> None:
    assert commands.run("chats", "salvage", "--out", tmp_path).refusal == (
        f"{tmp_path} is a folder.",
        "Specify a file inside it.",
    )
    for out in (tmp_path / "missing" / "readable.db", tmp_path / f"{'long' * 70}.db"):
        message, hint = commands.run("chats", "salvage", "--out", out).refusal
        assert message.startswith(f"Can't write {out}: ")
        assert hint == "Choose another folder."


def test_what_is_lost_leaves_a_sign(file: Path, made: list[Chat]) -> None:
    damage(file, *(page for page in pages_of(file, "message") if page % 3 == 0))
    salvaged = salvage(file)
    with closing(salvaged.database) as database:
        assert database.rows("SELECT count(*) FROM message WHERE text = ?", LOST) > [(0,)]
        assert database.rows("PRAGMA foreign_key_check") == []
        assert database.rows("PRAGMA integrity_check") == [("ok",)]
    assert salvaged.damaged


def test_a_kept_copy_has_what_is_lost(commands: Commands, file: Path, made: list[Chat], tmp_path: Path) -> None:
    shutil.copy(file, file.with_name("chats-version-3.db"))
    damage(file, *pages_of(file, "message")[2:9])
    outcome = commands.run("chats", "salvage", "--json").json
    texts = exported(commands, tmp_path)
    assert (outcome["copies"], outcome["damaged"]) == ([str(file.with_name("chats-version-3.db"))], [])
    assert texts == {f"Tides {chat.id}": chat.messages for chat in made}


def test_a_copy_of_other_chats_is_none(file: Path, tmp_path: Path) -> None:
    other = file.with_name("chats-damaged-1.db")
    make_chats(other, seed=7)
    with closing(sqlite3.connect(other)) as connection, connection:
        connection.execute("UPDATE conversation SET created = created + 5")
    damage(file, *pages_of(file, "message")[2:6])
    salvaged = salvage(file)
    salvaged.database.close()
    assert list(salvaged.copies) == []


def test_a_damaged_log_is_not_thrown_away(commands: Commands, file: Path, tmp_path: Path) -> None:
    connection = add_to_log(file)
    home = tmp_path / "killed"
    path = copied(file, home / "data")
    connection.close()
    log = path.with_name("chats.db-wal")
    log.write_bytes(b"\xff" * 32 + log.read_bytes()[32:])
    before = log.read_bytes()
    commands.home = home
    assert "is damaged" in commands.run("chats", "list").err
    assert log.read_bytes() == before
    commands.run("chats", "salvage")
    assert [hit["chat"] for hit in commands.run("chats", "search", "once more", "--json").json["hits"]] == [9, 3]


def test_an_open_window_keeps_its_file(commands: Commands, file: Path, made: list[Chat]) -> None:
    damage_one_chat(file, made)
    window = LockFile(file.parent / "window.lock")
    assert window.acquire()
    outcome = run_process(commands.home, "chats", "salvage")
    window.release()
    assert (outcome.code, outcome.refusal[0]) == (1, "The specchat window is open.")


def test_what_was_written_as_another_kind_of_value(commands: Commands, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DROP TRIGGER title_index_update")
        connection.execute("UPDATE conversation SET title = CAST(x'ff41' AS TEXT), created = 1e300 WHERE id = 4")
    outcome = commands.run("chats", "list")
    assert outcome.code == 0
    assert "chats.db is damaged." in outcome.err


def test_random_overwrites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of each kind; the benchmark does hundreds."""
    monkeypatch.setenv("SPECCHAT_HOME", str(tmp_path))
    found = list(trials(tmp_path, range(1, 1 + len(KINDS)), processes_every=2 * len(KINDS)))
    assert [lacking for each in found for lacking in each.lacking] == []
    assert sum(each.whole for each in found) > 20 * len(KINDS)


def test_the_benchmark_sees_what_is_lacking(file: Path, made: list[Chat], commands: Commands) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("DELETE FROM conversation WHERE id = 5")
    found = Found()
    Trial(commands.home, made, found, as_process=True).check("deleted")
    assert any("export: [5]" in lacking for lacking in found.lacking)

"""What goes wrong outside is said in words, and loses nothing."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from support.chats import add, add_answer
from support.small_disks import make_read_only, small_disk

from specchat.domain.conversations import Conversation, ConversationSettings
from specchat.domain.errors import DamagedChatsError, StorageError, UserError
from specchat.store.chat_store import SqliteChatStore, open_chat_store
from specchat.store.set_aside import set_aside

PAGE = 4096
needs_permissions = pytest.mark.skipif(
    os.name != "posix" or os.geteuid() == 0, reason="nothing is forbidden to this user"
)


@pytest.fixture
def filled(chats_path: Path) -> Path:
    with closing(open_chat_store(chats_path)) as store:
        conversation = store.add_conversation(ConversationSettings(), now=1.0)
        for number in range(200):
            add_answer(store, add(store, conversation, f"question {number} " * 20))
    return chats_path


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_database(chats_path: Path, content: bytes) -> None:
    chats_path.parent.mkdir()
    chats_path.write_bytes(content)
    with pytest.raises(DamagedChatsError, match="is damaged") as refusal:
        open_chat_store(chats_path)
    assert refusal.value.hint
    assert chats_path.read_bytes() == content


def test_damage_further_in(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    content[2 * PAGE :] = b"\xa5" * (len(content) - 2 * PAGE)
    filled.write_bytes(content)
    with pytest.raises(DamagedChatsError), closing(open_chat_store(filled)) as store:
        store.tree(1)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE conversation SET settings = '{'",
        "UPDATE conversation SET settings = '[]'",
        "UPDATE conversation SET title = CAST(x'ff' AS TEXT)",
        "UPDATE message SET role = 'nobody'",
        "UPDATE message SET state = ''",
        "UPDATE answer SET facts = '{}'",
        "UPDATE answer SET marks = x'00'",
    ],
)
def test_damage_inside_a_column(filled: Path, damage: str) -> None:
    with closing(sqlite3.connect(filled)) as connection, connection:
        connection.execute("DROP TRIGGER title_index_update")
        connection.execute(damage)
    with pytest.raises(DamagedChatsError), closing(open_chat_store(filled)) as store:
        store.tree(1)


def test_a_damaged_file_is_set_aside_only_when_asked(chats_path: Path) -> None:
    chats_path.parent.mkdir()
    for content in (b"damaged" * 100, b"once more" * 100):
        chats_path.write_bytes(content)
        with pytest.raises(DamagedChatsError):
            open_chat_store(chats_path)
        aside = set_aside(chats_path)
        assert aside.read_bytes() == content
        assert aside.parent == chats_path.parent
    with closing(open_chat_store(chats_path)) as store:
        assert store.conversations() == []


def test_the_log_is_set_aside_with_its_file(chats_path: Path, chats: SqliteChatStore) -> None:
    add(chats, chats.add_conversation(ConversationSettings(), now=1.0), "only in the log")
    aside = set_aside(chats_path)
    assert not list(chats_path.parent.glob("chats.db*"))
    with closing(open_chat_store(aside)) as moved:
        assert [m.text for m in moved.tree(1).messages] == ["only in the log"]


def test_what_is_not_there_cannot_be_set_aside_but_does_no_harm(tmp_path: Path) -> None:
    assert not set_aside(tmp_path / "chats.db").exists()


def test_a_full_disk(chats: SqliteChatStore, conversation: Conversation) -> None:
    question = add(chats, conversation, "one")
    chats.database.execute("PRAGMA max_page_count = 1")
    with pytest.raises(UserError, match="disk is full"):
        add(chats, conversation, "two" * PAGE, question.id)
    assert [m.text for m in chats.tree(conversation.id).messages] == ["one"]
    chats.database.execute("PRAGMA max_page_count = 1000000")
    add(chats, conversation, "two", question.id)


def test_what_may_not_be_written(chats: SqliteChatStore, conversation: Conversation) -> None:
    chats.database.execute("PRAGMA query_only = ON")
    with pytest.raises(UserError, match="Can't write "):
        add(chats, conversation, "one")


@needs_permissions
@pytest.mark.parametrize("mode", [0o444, 0o000])
def test_a_file_without_permission(filled: Path, mode: int) -> None:
    filled.chmod(mode)
    with pytest.raises(UserError):
        write_to(filled)


@needs_permissions
def test_a_folder_without_permission(filled: Path) -> None:
    filled.parent.chmod(0o500)
    with pytest.raises(UserError):
        write_to(filled)
    filled.parent.chmod(0o700)


def write_to(path: Path) -> None:
    with closing(open_chat_store(path)) as store:
        store.add_conversation(ConversationSettings(), now=1.0)


def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="is a folder"):
        open_chat_store(tmp_path)


def test_a_disk_that_may_not_be_written(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 100):
        make_read_only(tmp_path / "disk")
        with pytest.raises(StorageError) as refusal:
            open_chat_store(tmp_path / "disk" / "chats.db")
    assert refusal.value.message == f"Can't write {tmp_path / 'disk'}: Read-only file system."
    assert "SPECCHAT_HOME" in refusal.value.hint


@pytest.mark.skipif(os.name != "posix", reason="other limits")
def test_a_path_too_long_for_a_database(tmp_path: Path) -> None:
    folder = tmp_path
    while len(str(folder)) < 520:
        folder /= "ä" * 50
    with pytest.raises(StorageError) as refusal:
        open_chat_store(folder / "chats.db")
    assert refusal.value.message == "The path to chats.db is too long."
    assert refusal.value.hint == "Set SPECCHAT_HOME to a folder with a shorter path."


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with pytest.raises(UserError, match="Can't write "):
        open_chat_store(tmp_path / "data" / "chats.db")


def test_another_program_that_holds_the_file(
    chats: SqliteChatStore, conversation: Conversation, chats_path: Path
) -> None:
    chats.database.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(chats_path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UserError, match="Another program"):
            add(chats, conversation, "one")
    add(chats, conversation, "one")

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import pytest
from support.chats import ANSWER, add, add_answer

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.errors import DamagedChatsError, UserError
from specchat.domain.types import Role
from specchat.store.chat_store import open_chat_store
from specchat.store.database import Database
from specchat.store.migrations import backup_path, migrate
from specchat.store.schema import MIGRATIONS, Migration

NEXT: Sequence[Migration] = (
    *MIGRATIONS,
    ("ALTER TABLE conversation ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'", "UPDATE message SET text = upper(text)"),
)
NEWEST = len(MIGRATIONS)


@pytest.fixture
def filled(chats_path: Path) -> Path:
    with closing(open_chat_store(chats_path)) as store:
        conversation = store.add_conversation(ConversationSettings(), now=1.0)
        add_answer(store, add(store, conversation, "question"), "answer")
    return chats_path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def texts(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM message ORDER BY id")]


def test_a_new_file_needs_no_backup(chats_path: Path, filled: Path) -> None:
    assert version(filled) == NEWEST
    assert [path.name for path in filled.parent.iterdir()] == ["chats.db"]


def test_a_step_keeps_the_data_and_a_copy_from_before(filled: Path) -> None:
    with closing(Database(filled)) as database:
        migrate(database, NEXT)
        migrate(database, NEXT)
        assert database.rows("SELECT mood FROM conversation") == [("calm",)]
    assert (version(filled), texts(filled)) == (NEWEST + 1, ["QUESTION", "ANSWER"])
    copy = backup_path(filled, NEWEST)
    assert (version(copy), texts(copy)) == (NEWEST, ["question", "answer"])
    with closing(open_chat_store(copy)) as store:
        assert store.answer(2) == ANSWER
        assert [hit.message for hit in store.search("question", 10)] == [1]


def test_of_several_steps_one_copy_is_kept(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:1])
        migrate(database)
    assert sorted(path.name for path in chats_path.parent.iterdir()) == ["chats-version-1.db", "chats.db"]
    assert version(backup_path(chats_path, 1)) == 1


def test_a_step_that_fails_changes_nothing(filled: Path) -> None:
    broken = (*NEXT[:-1], (*NEXT[-1], "INSERT NOWHERE"))
    with closing(Database(filled)) as database, pytest.raises(sqlite3.OperationalError):
        migrate(database, broken)
    assert (version(filled), texts(filled)) == (NEWEST, ["question", "answer"])
    with closing(Database(filled)) as database:
        migrate(database, NEXT)
    assert texts(filled) == ["QUESTION", "ANSWER"]


def test_without_room_for_the_copy_there_is_no_step(filled: Path) -> None:
    backup_path(filled, NEWEST).with_name(backup_path(filled, NEWEST).name + ".part").mkdir()
    with closing(Database(filled)) as database, pytest.raises(UserError):
        migrate(database, NEXT)
    assert version(filled) == NEWEST


def test_a_newer_file_is_left_alone(filled: Path) -> None:
    with closing(Database(filled)) as database:
        migrate(database, NEXT)
    with pytest.raises(UserError, match="newer version of specchat") as refusal:
        open_chat_store(filled)
    assert "Update" in refusal.value.hint
    assert texts(filled) == ["QUESTION", "ANSWER"]


def test_what_was_attached_moves_to_a_table_of_its_own_and_is_found(chats_path: Path) -> None:
    files = (Attachment("a.txt", 'an "apple"\n'), Attachment("b.txt", "größer"))
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:1])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, 3, '', '{}')")
        for id_, attachments in enumerate([json.dumps([asdict(file) for file in files]), None, "damaged"], start=1):
            database.execute(
                "INSERT INTO message VALUES (?, 1, NULL, 'user', 'What?', 1, 'done', ?, NULL, NULL)", id_, attachments
            )
    with closing(open_chat_store(chats_path)) as store:
        assert [store.message(id_).attachments for id_ in (1, 2, 3)] == [files, (), ()]
        assert [hit.message for hit in store.search("apple", 10)] == [1]


def test_unsent_messages_stay_and_can_have_files(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:2])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, NULL, 'not sent yet', '{}')")
    with closing(open_chat_store(chats_path)) as store:
        kept = store.conversation(1)
        assert (kept.unsent_text, kept.has_unsent_files, store.unsent_files(1)) == ("not sent yet", False, ())
        store.save_unsent_files(1, [Attachment("a.txt", "apple")])
        assert store.unsent_files(1) == (Attachment("a.txt", "apple"),)


def test_attached_files_are_still_found_by_the_beginning_of_a_word(chats_path: Path) -> None:
    with closing(Database(chats_path)) as database:
        migrate(database, MIGRATIONS[:4])
        database.execute("INSERT INTO conversation VALUES (1, 'Fruit', 1, 1, 0, 0, NULL, 1, '', '{}')")
        database.execute("INSERT INTO message VALUES (1, 1, NULL, 'user', 'What?', 1, 'done', NULL, NULL)")
        database.execute("INSERT INTO attachment VALUES (1, 1, 'a.txt', 'an apple')")
    with closing(open_chat_store(chats_path)) as store:
        question = StoredMessage(0, 1, 1, Role.USER, "More", 2.0, attachments=(Attachment("b.txt", "apples"),))
        store.add_message(question)
        assert [hit.message for hit in store.search("ap", 10)] == [2, 1]


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipe (name TEXT)")


def of_another_program(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")


@pytest.mark.parametrize("make", [foreign, of_another_program])
def test_the_database_of_another_program_is_left_alone(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "chats.db"
    make(path)
    with pytest.raises(DamagedChatsError):
        open_chat_store(path)


def test_two_programs_may_take_the_step_at_once(filled: Path) -> None:
    with closing(Database(filled)) as one, closing(Database(filled)) as other:
        migrate(one, NEXT)
        migrate(other, NEXT)
        assert other.rows("SELECT mood FROM conversation") == [("calm",)]

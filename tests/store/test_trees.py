"""Whole conversations come in beside a window that is used."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.chats import SETTINGS, add, varied_tree, without_ids

from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import DamagedChatsError, UserError
from specchat.domain.mark_serialization import marks_from_plain
from specchat.store.chat_store import SqliteChatStore, open_chat_store, open_chat_store_without_recovery

TABLES = ("conversation", "message", "answer")


@pytest.fixture
def beside(chats_path: Path, chats: SqliteChatStore) -> Iterator[SqliteChatStore]:
    with closing(open_chat_store_without_recovery(chats_path)) as store:
        yield store


def is_empty(chats: SqliteChatStore) -> bool:
    return not any(chats.database.rows(f"SELECT * FROM {table}") for table in TABLES)


def test_nothing_shows_until_all_is_there(chats: SqliteChatStore, beside: SqliteChatStore) -> None:
    def trees() -> Iterator[ConversationTree]:
        yield varied_tree()
        assert chats.conversations() == chats.trashed_conversations() == []
        assert chats.search("two", 10) == []
        yield varied_tree()

    added = beside.add_trees(trees())
    assert sorted(each.id for each in chats.conversations()) == added
    assert [without_ids(chats.tree(each)) for each in added] == [without_ids(varied_tree())] * 2


def test_others_write_meanwhile(chats: SqliteChatStore, beside: SqliteChatStore) -> None:
    def trees() -> Iterator[ConversationTree]:
        yield varied_tree()
        add(chats, chats.add_conversation(SETTINGS, now=5.0), "meanwhile")
        chats.purge(before=float("inf"))
        yield varied_tree()

    beside.add_trees(trees())
    assert len(chats.conversations()) == 3


def test_what_fails_midway_leaves_nothing(chats: SqliteChatStore, beside: SqliteChatStore) -> None:
    def trees() -> Iterator[ConversationTree]:
        yield varied_tree()
        raise UserError("It is damaged.", "Export it again.")

    with pytest.raises(UserError, match="damaged"):
        beside.add_trees(trees())
    assert is_empty(chats)


def test_a_crash_midway_leaves_nothing(chats_path: Path, chats: SqliteChatStore) -> None:
    crashed = chats_path.with_name("crashed.db")

    def trees() -> Iterator[ConversationTree]:
        yield varied_tree()
        chats.database.backup(crashed)

    chats.add_trees(trees())
    with closing(open_chat_store_without_recovery(crashed)) as store:
        assert not is_empty(store)
    with closing(open_chat_store(crashed)) as store:
        assert is_empty(store)


def test_a_tree_without_marks(chats: SqliteChatStore) -> None:
    (added,) = chats.add_trees([varied_tree()])
    with_marks, without = chats.tree(added), chats.tree(added, with_marks=False)
    assert without.messages == with_marks.messages
    assert [answer.stats for answer in without.answers.values()] == [a.stats for a in with_marks.answers.values()]
    assert not any(answer.marks for answer in without.answers.values())


def test_a_snapshot_is_of_one_moment(chats: SqliteChatStore, beside: SqliteChatStore) -> None:
    with beside.database.snapshot():
        assert beside.conversations() == []
        new = chats.add_conversation(SETTINGS, now=5.0)
        assert beside.conversations() == []
    assert beside.conversations() == [new]


def test_marks_are_passed_on_as_they_are_kept(chats: SqliteChatStore) -> None:
    (added,) = chats.add_trees([varied_tree()])
    tree, marks = chats.tree(added), chats.marks_json(added)
    assert {message: marks_from_plain(json.loads(text)) for message, text in marks.items()} == {
        message: answer.marks for message, answer in tree.answers.items()
    }
    chats.database.execute("UPDATE answer SET marks = ?", b"no marks")
    with pytest.raises(DamagedChatsError):
        chats.marks_json(added)

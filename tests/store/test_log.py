"""The log of the database: damaged, whole, and just being written."""

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from specchat.store.salvage.pages import is_log_intact


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """As a program leaves it that was killed."""
    with closing(sqlite3.connect(tmp_path / "source.db", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = wal")
        database.execute("CREATE TABLE t (x)")
        database.execute("INSERT INTO t VALUES (1)")
        return (tmp_path / "source.db-wal").read_bytes()


def torn(log: bytes) -> bytes:
    """The last frame's page is not all there yet."""
    return log[:-100] + bytes(100)


def test_a_log_at_rest(tmp_path: Path, whole: bytes) -> None:
    for log, is_whole in ((whole, True), (torn(whole), False), (b"", True)):
        (tmp_path / "chats.db-wal").write_bytes(log)
        assert is_log_intact(tmp_path / "chats.db") is is_whole


def test_a_frame_that_is_just_being_written_is_no_damage(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "chats.db-wal"
    states = iter([torn(whole)[:-1] + b"\1", whole])
    log.write_bytes(torn(whole))
    monkeypatch.setattr(time, "sleep", lambda _: log.write_bytes(next(states)))
    assert is_log_intact(tmp_path / "chats.db")

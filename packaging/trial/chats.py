"""What the program has saved, read from a copy, so that nothing is changed there."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

DATABASE = ".local/share/specchat/chats.db"


@dataclass(frozen=True, slots=True)
class Answer:
    text: str
    target: str


def answers(home: Path) -> list[Answer]:
    """Those that are complete."""
    query = "SELECT text, facts FROM message JOIN answer ON answer.message = message.id WHERE state = 'done'"
    return [Answer(text, json.loads(facts)["target"]) for text, facts in _rows(home / DATABASE, query) if text.strip()]


def questions(home: Path) -> int:
    return len(_rows(home / DATABASE, "SELECT id FROM message WHERE role = 'user'"))


def _rows(database: Path, query: str) -> list[tuple[str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        for file in database.parent.glob(f"{database.name}*"):
            shutil.copy(file, folder)
        try:
            with closing(sqlite3.connect(Path(folder) / database.name)) as copy:
                return copy.execute(query).fetchall()
        except sqlite3.Error:  # copied while it was being written
            return []

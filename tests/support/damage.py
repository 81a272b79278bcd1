"""Databases of chats, damaged in places that are known, and the chats whose pages that leaves whole."""

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from support.chats import ANSWER, add

from specchat.domain.conversations import Attachment, ConversationSettings, MessageState, StoredMessage
from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.store.chat_store import open_chat_store

PAGE = 4096
N_CHATS = 25
KINDS = ("byte", "bytes", "page", "pages", "zeros", "header", "schema", "log", "index", "search")
_WORDS = ["the", "tide", "rises", "twice", "a", "day", "with", "moon", "and", "earth", "größer", "🙂"]


def make_chats(path: Path, seed: int = 1) -> None:
    """Some long, some short, one with large files; each says a word of its own."""
    dice = random.Random(seed)
    with closing(open_chat_store(path)) as store:
        for number in range(1, N_CHATS + 1):
            chat = store.add_conversation(ConversationSettings(system_prompt="Be brief."), 100.0 + number)
            last = None
            for turn in range(dice.choice((1, 2, 3, 5, 12))):
                question = StoredMessage(0, chat.id, last, Role.USER, _text(dice, number, 20), 100.0 + number + turn)
                if number % 7 == 0:
                    question = replace(question, attachments=(Attachment("a.txt", _text(dice, number, 2000)),))
                if number % 5 == 0:
                    question = replace(question, pictures=(Picture(dice.randbytes(9000), "a.png"),))
                asked = store.add_message(question)
                text = _text(dice, number, dice.choice((30, 200, 2500)))
                answer = StoredMessage(0, chat.id, asked.id, Role.ASSISTANT, text, 101.0, MessageState.DONE)
                last = store.add_message(answer, ANSWER).id
            store.save_conversation(replace(store.conversation(chat.id), title=f"Tides {number}"))


def add_to_log(path: Path) -> sqlite3.Connection:
    """What a window that is open, or was killed, has not yet moved into the file."""
    store = open_chat_store(path)
    for number in (3, 9):
        add(store, store.conversation(number), f"word{number} once more", store.conversation(number).leaf)
    return store.database._connection


def _text(dice: random.Random, chat: int, n_words: int) -> str:
    return f"word{chat} " + " ".join(dice.choices(_WORDS, k=n_words))


@dataclass(frozen=True)
class Chat:
    id: int
    messages: tuple[str, ...]
    pages: frozenset[int]
    """With its rows in them, of all tables."""


def chats_with_pages(path: Path) -> list[Chat]:
    """As SQLite's own table of pages has it, of the file alone: each page's rows, and the pages below a root."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute
        texts: dict[int, list[str]] = {}
        for chat, text in rows("SELECT conversation, text FROM message ORDER BY id"):
            texts.setdefault(chat, []).append(text)
        of_message = dict(rows("SELECT id, conversation FROM message"))
        of_file = {file: of_message[message] for file, message in rows("SELECT id, message FROM attachment")}
        owners: dict[str, dict[int, int]] = {
            "conversation": {id_: id_ for (id_,) in rows("SELECT id FROM conversation")},
            "message": of_message,
            "answer": {id_: of_message[id_] for (id_,) in rows("SELECT message FROM answer")},
            "attachment": of_file,
            "picture": {
                picture: of_message[message] for picture, message in rows("SELECT picture, message FROM picture_use")
            },
            "picture_use": {id_: of_message[message] for id_, message in rows("SELECT id, message FROM picture_use")},
        }
        pages: dict[int, set[int]] = {chat: set() for chat in texts}
        for table, owner in owners.items():
            for page, chat in _pages_of_rows(connection, table, owner):
                pages[chat].add(page)
    return [Chat(id_, tuple(texts[id_]), frozenset(pages[id_])) for id_ in texts]


def _pages_of_rows(connection: sqlite3.Connection, table: str, owner: dict[int, int]) -> Iterator[tuple[int, int]]:
    """dbstat lists leaves in the order of their rows, and overflow pages by the cell that they continue."""
    found = connection.execute(
        "SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = ? ORDER BY path", (table,)
    ).fetchall()
    ids = iter(sorted(owner))
    of_cell: dict[tuple[str, int], int] = {}
    for path, page, kind, n_cells in found:
        if kind == "leaf":
            for cell in range(n_cells):
                of_cell[path, cell] = owner[next(ids)]
                yield page, of_cell[path, cell]
    for path, page, kind, _ in found:
        if kind == "overflow":
            leaf, _, cell = path.partition("+")[0].rpartition("/")
            yield page, of_cell[f"{leaf}/", int(cell, 16)]


def pages_of(path: Path, *like: str) -> list[int]:
    with closing(sqlite3.connect(path)) as connection:
        return [
            page
            for each in like
            for (page,) in connection.execute("SELECT pageno FROM dbstat WHERE name LIKE ?", (each,))
        ]


def overwrite(path: Path, dice: random.Random, kind: str) -> set[int]:
    """The pages of the file that were hit."""
    content = bytearray(path.read_bytes())
    n_pages = len(content) // PAGE
    begin, length = dice.randrange(len(content)), 1
    match kind:
        case "bytes":
            length = dice.choice((2, 16, 100, 700))
        case "page" | "zeros":
            begin, length = dice.randrange(n_pages) * PAGE, PAGE
        case "pages":
            length = dice.randrange(1, 5 * PAGE)
        case "header":
            begin, length = dice.randrange(100), dice.randrange(1, 100)
        case "schema":
            begin, length = (dice.choice(pages_of(path, "sqlite_schema")) - 1) * PAGE, dice.choice((100, PAGE))
        case "index":
            begin = (dice.choice(pages_of(path, "%message_%", "sqlite_autoindex%")) - 1) * PAGE
            length = PAGE
        case "search":
            begin, length = (dice.choice(pages_of(path, "%_index%")) - 1) * PAGE, PAGE
        case "log":
            log = path.with_name(path.name + "-wal")
            logged = bytearray(log.read_bytes())
            begin = dice.randrange(len(logged))
            end = min(begin + dice.choice((1, 50, PAGE)), len(logged))
            logged[begin:end] = dice.randbytes(end - begin)
            log.write_bytes(logged)
            return set()
    end = min(begin + length, len(content))
    content[begin:end] = bytes(end - begin) if kind == "zeros" else dice.randbytes(end - begin)
    path.write_bytes(content)
    return set(range(begin // PAGE + 1, (end - 1) // PAGE + 2))


def copied(path: Path, folder: Path) -> Path:
    """With its log, where it has one."""
    folder.mkdir(parents=True)
    for suffix in ("", "-wal"):
        if path.with_name(path.name + suffix).exists():
            shutil.copy(path.with_name(path.name + suffix), folder / (path.name + suffix))
    return folder / path.name


def texts_of(exported: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """By title."""
    return {chat["title"]: tuple(message["text"] for message in chat["messages"]) for chat in exported["conversations"]}

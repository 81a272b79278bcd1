"""Ranks passages of documents by how well they match a question, with SQLite's full-text search."""

import re
import sqlite3
from collections.abc import Sequence
from contextlib import closing

from specchat.store.unspaced_search import UNSPACED

_WORD = re.compile(r"\w+", re.UNICODE)
_MANY_UNSPACED = 0.2
_SAMPLE = 2_000
_PREFIX_FROM = 4
_MOST_WORDS = 64


def rank_passages(passages: Sequence[str], queries: Sequence[str], most: int) -> list[list[int]]:
    """Returns for each query the numbers of the passages that contain any of its words, the best first (BM25)."""
    if not any(_WORD.search(query) for query in queries):
        return [[] for _ in queries]
    sample = "".join(passage[:_SAMPLE] for passage in passages[:: max(1, len(passages) // 20)])
    unspaced = len(UNSPACED.findall(sample)) > _MANY_UNSPACED * max(1, len(sample))
    tokenizer = "trigram" if unspaced else "porter unicode61 remove_diacritics 2"
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(f"CREATE VIRTUAL TABLE passage USING fts5 (text, tokenize = '{tokenizer}')")
        index.executemany("INSERT INTO passage (rowid, text) VALUES (?, ?)", enumerate(passages))
        return [_ranked(index, _trigrams(query) if unspaced else _words(query), most) for query in queries]


def _ranked(index: sqlite3.Connection, terms: Sequence[str], most: int) -> list[int]:
    if not terms:
        return []
    sql = "SELECT rowid FROM passage WHERE passage MATCH ? ORDER BY rank LIMIT ?"
    return [int(number) for (number,) in index.execute(sql, (" OR ".join(terms), most))]


def _words(query: str) -> list[str]:
    """Longer words also match words that begin with them."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
    return [f'"{word}"{" *" if len(word) >= _PREFIX_FROM else ""}' for word in list(words)[:_MOST_WORDS]]


def _trigrams(query: str) -> list[str]:
    parts = dict.fromkeys(
        word[at : at + 3] for word in _WORD.findall(query.lower()) for at in range(max(1, len(word) - 2))
    )
    return [f'"{part}"' for part in list(parts)[: 4 * _MOST_WORDS] if len(part) == 3]

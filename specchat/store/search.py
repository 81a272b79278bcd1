"""Full-text search, as one types."""

import re

from specchat.domain.conversations import SearchHit
from specchat.store.database import Database
from specchat.store.excerpt import Matches, excerpt

_BEGIN, _END = "\ufdd0", "\ufdd1"
"""Around what matches; they are no characters, so no text has them."""

_TITLES = """
    SELECT conversation.id, conversation.title, NULL, highlight(title_index, 0, ?, ?)
    FROM title_index JOIN conversation ON conversation.id = title_index.rowid
    WHERE title_index MATCH ? AND conversation.trashed IS NULL
    ORDER BY conversation.updated DESC LIMIT ?
"""
_MESSAGES = """
    WITH newest AS (
        SELECT max(message.id) FROM message_index JOIN message ON message.id = message_index.rowid
        WHERE message_index MATCH ? AND message.trashed IS NULL
        GROUP BY message.conversation, message.parent
    )
    SELECT conversation.id, conversation.title, message.id, highlight(message_index, 0, ?, ?)
    FROM message_index
    JOIN message ON message.id = message_index.rowid
    JOIN conversation ON conversation.id = message.conversation
    WHERE message_index MATCH ? AND message.id IN newest AND conversation.trashed IS NULL
    ORDER BY message_index.rowid DESC LIMIT ?
"""
"""Of several versions of a message the newest one that matches."""


def search(database: Database, query: str, limit: int) -> list[SearchHit]:
    quoted = quote(query)
    if not quoted:
        return []
    rows = [
        *database.rows(_TITLES, _BEGIN, _END, quoted, limit),
        *database.rows(_MESSAGES, quoted, _BEGIN, _END, quoted, limit),
    ]
    return [_hit(*row) for row in rows[:limit]]


def quote(query: str) -> str:
    """Every word must be there; the last one may be incomplete, unless a space follows."""
    words = ['"' + word.replace('"', '""') + '"' for word in query.replace("\0", " ").split()]
    if words and not query[-1].isspace():
        words[-1] += "*"
    return " ".join(words)


def _hit(conversation: int, title: str, message: int | None, marked: str) -> SearchHit:
    text, matches = _read(marked)
    if message is not None:
        text, matches = excerpt(text, matches)
    return SearchHit(conversation, title, message, text, matches)


def _read(marked: str) -> tuple[str, Matches]:
    text, begin = "", 0
    matches: list[tuple[int, int]] = []
    for part in re.split(f"([{_BEGIN}{_END}])", marked):
        match part:
            case "\ufdd0":
                begin = len(text)
            case "\ufdd1":
                matches.append((begin, len(text)))
            case words:
                text += words
    return text, tuple(matches)

"""Searches for words of scripts that don't separate words by spaces, anywhere in a text."""

import re
from collections.abc import Iterator

from specchat.store.database import Database
from specchat.store.excerpt import Matches
from specchat.store.projects import NAME_OF_PROJECT

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Characters of Chinese, Japanese, Thai, Lao, Burmese and Khmer."""

Found = tuple[int, str, int | None, str, Matches, str | None]
"""A chat, its title, the message (None: the title), its text, where it matches, and the project."""

_WILDCARD, _ESCAPED = re.compile(r"[%_\\]"), r"\\\g<0>"
_TITLES = f"""
    SELECT conversation.id, conversation.title, NULL, conversation.title, {NAME_OF_PROJECT} FROM conversation
    WHERE {{matches}} AND conversation.trashed IS NULL
    AND (conversation.leaf IS NOT NULL OR conversation.titled_by_user)
    ORDER BY conversation.updated DESC LIMIT ?
"""
_MESSAGES = f"""
    SELECT conversation.id, conversation.title, max(message.id), {{text}}, {NAME_OF_PROJECT}
    FROM {{tables}} JOIN conversation ON conversation.id = message.conversation
    WHERE {{matches}} AND message.trashed IS NULL AND conversation.trashed IS NULL
    GROUP BY message.conversation, message.parent ORDER BY max(message.id) DESC LIMIT ?
"""
"""Selects the newest matching version of a message."""
_SOURCES = (
    (_TITLES, "", "conversation.title"),
    (_MESSAGES, "message", "message.text"),
    (
        _MESSAGES,
        "attachment JOIN message ON message.id = attachment.message",
        "attachment.name || char(10, 10) || attachment.text",
    ),
)


def search_unspaced(database: Database, query: str, limit: int) -> Iterator[Found]:
    """Yields what has all words of the query: first titles, then messages, then attachments, the newest first."""
    words = query.replace("\0", " ").split()
    patterns = [f"%{_WILDCARD.sub(_ESCAPED, word)}%" for word in words]
    marks = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))), re.IGNORECASE)
    for sql, tables, text in _SOURCES:
        matches = " AND ".join(f"{text} LIKE ? ESCAPE '\\'" for _ in words)
        rows = database.rows(sql.format(tables=tables, text=text, matches=matches), *patterns, limit)
        for conversation, title, message, found, project in rows:
            yield conversation, title, message, found, tuple(each.span() for each in marks.finditer(found)), project

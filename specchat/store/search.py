"""Full-text search as the user types."""

import re
from collections.abc import Iterator

from specchat.domain.conversations import SearchHit
from specchat.store.database import Database
from specchat.store.excerpt import Matches, excerpt
from specchat.store.projects import NAME_OF_PROJECT
from specchat.store.unspaced_search import UNSPACED, Found, search_unspaced

_BEGIN, _END = "\ufdd0", "\ufdd1"
"""Around what matches; they are no characters, so no text has them."""

_TITLES = f"""
    SELECT conversation.id, conversation.title, NULL, highlight(title_index, 0, ?1, ?2), {NAME_OF_PROJECT}
    FROM title_index JOIN conversation ON conversation.id = title_index.rowid
    WHERE title_index MATCH ?3 AND conversation.trashed IS NULL
    AND (conversation.leaf IS NOT NULL OR conversation.titled_by_user)
    ORDER BY conversation.updated DESC LIMIT ?4
"""
_LONGEST_MARKED = 200_000
"""SQLite takes the square of a text's length to mark it: longer ones are shown from their beginning."""
_BELOW_TITLES = """
    WITH newest AS (
        SELECT max(message.id) FROM {found} WHERE {index} MATCH ?3 AND message.trashed IS NULL
        GROUP BY message.conversation, message.parent
    )
    SELECT conversation.id, conversation.title, message.id, {marked}, {project}
    FROM {found} JOIN conversation ON conversation.id = message.conversation
    WHERE {index} MATCH ?3 AND message.id IN newest AND conversation.trashed IS NULL
    ORDER BY {index}.rowid DESC LIMIT ?4
"""
"""Selects the newest matching version of a message."""


def _marked(text: str, marked: str) -> str:
    return f"CASE WHEN length({text}) > {_LONGEST_MARKED} THEN substr({text}, 1, 1000) ELSE {marked} END"


_MESSAGES = _BELOW_TITLES.format(
    index="message_index",
    found="message_index JOIN message ON message.id = message_index.rowid",
    project=NAME_OF_PROJECT,
    marked=_marked("message.text", "highlight(message_index, 0, ?1, ?2)"),
)
_FILES = _BELOW_TITLES.format(
    index="attachment_index",
    found="attachment_index JOIN attachment ON attachment.id = attachment_index.rowid "
    "JOIN message ON message.id = attachment.message",
    project=NAME_OF_PROJECT,
    marked="highlight(attachment_index, 0, ?1, ?2) || char(10, 10) || "
    + _marked("attachment.text", "highlight(attachment_index, 1, ?1, ?2)"),
)


def search(database: Database, query: str, limit: int) -> list[SearchHit]:
    """First titles, then what was said, then what was attached; each message once."""
    if not build_match_query(query):
        return []
    found = search_unspaced(database, query, limit) if UNSPACED.search(query) else _search_words(database, query, limit)
    hits: dict[tuple[int, int | None], SearchHit] = {}
    for conversation, title, message, text, matches, project in found:
        if len(hits) == limit:
            break
        if (conversation, message) not in hits:
            hits[conversation, message] = _hit(conversation, title, message, text, matches, project)
    return list(hits.values())


def _search_words(database: Database, query: str, limit: int) -> Iterator[Found]:
    for sql in (_TITLES, _MESSAGES, _FILES):
        rows = database.rows(sql, _BEGIN, _END, build_match_query(query), limit)
        for conversation, title, message, marked, project in rows:
            yield conversation, title, message, *_read(marked), project


def build_match_query(query: str) -> str:
    """Every word must be there; the last one may be incomplete, unless a space follows."""
    words = ['"' + word.replace('"', '""') + '"' for word in query.replace("\0", " ").split()]
    if words and not query[-1].isspace():
        words[-1] += "*"
    return " ".join(words)


def _hit(
    conversation: int, title: str, message: int | None, text: str, matches: Matches, project: str | None
) -> SearchHit:
    if message is not None:
        text, matches = excerpt(text, matches)
    return SearchHit(conversation, title, message, text, matches, project or "")


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

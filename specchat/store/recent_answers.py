"""Reads the newest stored answers through a connection of its own."""

from collections.abc import Sequence
from contextlib import closing
from itertools import accumulate
from pathlib import Path

from specchat.store.database import Database

_NEWEST = """
    SELECT substr(message.text, 1, ?) FROM message JOIN conversation ON conversation.id = message.conversation
    WHERE message.role = 'assistant' AND message.text != ''
    AND message.trashed IS NULL AND conversation.trashed IS NULL
    ORDER BY message.id DESC LIMIT ?
"""
_MOST = 500


def newest_answers(path: Path, characters: int) -> Sequence[str]:
    """As many of them as have so many characters together, the oldest first. What is in the trash is left out."""
    longest = characters // 4
    with closing(Database(path)) as database:
        newest = [text for (text,) in database.rows(_NEWEST, longest, _MOST)]
    n_fitting = sum(length <= characters for length in accumulate(map(len, newest)))
    return newest[:n_fitting][::-1]

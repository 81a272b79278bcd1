"""The lines of the list, as plain values."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import groupby

from specchat.domain.conversations import Conversation, SearchHit


class Group(Enum):
    """In the order of the list."""

    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    LAST_7_DAYS = auto()
    OLDER = auto()


@dataclass(frozen=True, slots=True)
class Heading:
    group: Group


Row = Heading | Conversation | SearchHit


def conversation_rows(conversations: Sequence[Conversation], now: float) -> list[Row]:
    """Newest first within each group."""
    group_of = _grouping(now)
    newest_first = sorted(conversations, key=lambda conversation: -conversation.updated)
    by_group = sorted(newest_first, key=lambda conversation: group_of(conversation).value)
    rows: list[Row] = []
    for group, members in groupby(by_group, group_of):
        rows += [Heading(group), *members]
    return rows


def _grouping(now: float) -> Callable[[Conversation], Group]:
    midnight = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [
        ((midnight - timedelta(days=days)).timestamp(), group)
        for days, group in ((0, Group.TODAY), (1, Group.YESTERDAY), (7, Group.LAST_7_DAYS))
    ]

    def group_of(conversation: Conversation) -> Group:
        if conversation.pinned:
            return Group.PINNED
        return next((group for start, group in starts if conversation.updated >= start), Group.OLDER)

    return group_of


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str
    matches: tuple[tuple[int, int], ...]


_BEFORE_FIRST_MATCH = 12


def snippet_of(hit: SearchHit) -> Snippet:
    """In one line, cut so that the first match shows."""
    text = hit.snippet.translate(_TO_SPACES)
    first = min((start for start, _ in hit.matches), default=0)
    cut = _word_start(text, first - _BEFORE_FIRST_MATCH)
    if cut <= 0:
        return Snippet(text, hit.matches)
    shift = 1 - cut
    return Snippet("…" + text[cut:], tuple((start + shift, end + shift) for start, end in hit.matches if start >= cut))


_TO_SPACES = str.maketrans("\n\r\t\u2028\u2029", " " * 5)


def _word_start(text: str, at: int) -> int:
    if at <= 0:
        return 0
    space = text.find(" ", at, at + _BEFORE_FIRST_MATCH)
    return at if space < 0 else space + 1

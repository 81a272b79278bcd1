"""Defines the rows of the conversation list and groups conversations by date."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import groupby

from specchat.domain.conversations import Conversation, SearchHit


class ConversationGroup(Enum):
    """In the order of the list."""

    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    LAST_7_DAYS = auto()
    OLDER = auto()


@dataclass(frozen=True, slots=True)
class GroupHeading:
    group: ConversationGroup


SidebarRow = GroupHeading | Conversation | SearchHit


def build_rows(conversations: Sequence[Conversation], now: float) -> list[SidebarRow]:
    """Newest first within each group."""
    group_of = _grouping(now)
    newest_first = sorted(conversations, key=lambda conversation: -conversation.updated)
    by_group = sorted(newest_first, key=lambda conversation: group_of(conversation).value)
    rows: list[SidebarRow] = []
    for group, members in groupby(by_group, group_of):
        rows += [GroupHeading(group), *members]
    return rows


def has_unsent_message(conversation: Conversation) -> bool:
    """A message is typed there, or files are attached to one."""
    return bool(conversation.unsent_text.strip()) or conversation.has_unsent_files


def _grouping(now: float) -> Callable[[Conversation], ConversationGroup]:
    midnight = datetime.fromtimestamp(now).replace(hour=0, minute=0, second=0, microsecond=0)
    starts = [
        ((midnight - timedelta(days=days)).timestamp(), group)
        for days, group in (
            (0, ConversationGroup.TODAY),
            (1, ConversationGroup.YESTERDAY),
            (7, ConversationGroup.LAST_7_DAYS),
        )
    ]

    def group_of(conversation: Conversation) -> ConversationGroup:
        if conversation.pinned:
            return ConversationGroup.PINNED
        return next((group for start, group in starts if conversation.updated >= start), ConversationGroup.OLDER)

    return group_of

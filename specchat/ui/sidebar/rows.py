"""Defines the rows of the conversation list and groups conversations by project and date."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, auto
from itertools import groupby

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project


class ConversationGroup(Enum):
    """In the order of the list."""

    PROJECTS = auto()
    PINNED = auto()
    TODAY = auto()
    YESTERDAY = auto()
    LAST_7_DAYS = auto()
    OLDER = auto()


@dataclass(frozen=True, slots=True)
class GroupHeading:
    group: ConversationGroup


@dataclass(frozen=True, slots=True)
class ProjectRow:
    project: Project
    chats: frozenset[int] = frozenset()
    """All its chats, whether listed below it or not."""


SidebarRow = GroupHeading | ProjectRow | Conversation | SearchHit


def build_rows(conversations: Sequence[Conversation], now: float, projects: Sequence[Project] = ()) -> list[SidebarRow]:
    """Projects with their chats in the order given, then the others, newest first within each group."""
    group_of = _grouping(now)
    newest_first = sorted(conversations, key=lambda conversation: -conversation.updated)
    members: dict[int | None, list[Conversation]] = {project.id: [] for project in projects}
    others: list[Conversation] = []
    for conversation in newest_first:
        members.get(conversation.project, others).append(conversation)
    rows: list[SidebarRow] = [GroupHeading(ConversationGroup.PROJECTS)] if projects else []
    for project in projects:
        rows += _project_rows(project, members[project.id])
    for group, grouped in groupby(sorted(others, key=lambda each: group_of(each).value), group_of):
        rows += [GroupHeading(group), *grouped]
    return rows


def _project_rows(project: Project, members: Sequence[Conversation]) -> list[SidebarRow]:
    """Pinned ones first."""
    row = ProjectRow(project, frozenset(conversation.id for conversation in members))
    return [row] if project.is_folded else [row, *sorted(members, key=lambda conversation: not conversation.pinned)]


def has_unsent_message(conversation: Conversation) -> bool:
    """Whether it has an unsent message or unsent files."""
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

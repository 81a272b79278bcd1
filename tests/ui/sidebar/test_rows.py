from dataclasses import replace
from datetime import datetime

from specchat.domain.conversations import Conversation, SearchHit
from specchat.domain.projects import Project
from specchat.ui.sidebar.rows import ConversationGroup, GroupHeading, ProjectRow, SidebarRow, build_rows

_OTHERS = (SearchHit, ProjectRow)
NOW = datetime(2026, 3, 18, 15, 30).timestamp()


def conversation(number: int, *when: int, pinned: bool = False) -> Conversation:
    updated = datetime(*when).timestamp()  # type: ignore[arg-type]
    return Conversation(number, f"Title {number}", updated, updated, pinned=pinned)


def test_conversations_stand_under_the_day_they_were_last_used() -> None:
    rows = build_rows(
        [
            conversation(1, 2026, 3, 18, 0, 0),
            conversation(2, 2026, 3, 17, 23, 59),
            conversation(3, 2026, 3, 16, 12, 0),
            conversation(4, 2026, 3, 11, 0, 0),
            conversation(5, 2026, 3, 10, 23, 59),
            conversation(6, 2025, 1, 1, 0, 0, pinned=True),
        ],
        NOW,
    )
    shown = [row.group if isinstance(row, GroupHeading) else row.id for row in rows if not isinstance(row, _OTHERS)]
    assert shown == [
        *(ConversationGroup.PINNED, 6),
        *(ConversationGroup.TODAY, 1),
        *(ConversationGroup.YESTERDAY, 2),
        *(ConversationGroup.LAST_7_DAYS, 3, 4),
        *(ConversationGroup.OLDER, 5),
    ]


def test_the_newest_comes_first_whatever_the_order_given() -> None:
    older, newer = conversation(1, 2026, 3, 18, 8, 0), conversation(2, 2026, 3, 18, 9, 0)
    assert build_rows([older, newer], NOW) == [GroupHeading(ConversationGroup.TODAY), newer, older]
    assert build_rows([], NOW) == []


def test_projects_come_first_with_their_chats() -> None:
    """Pinned ones first in each; a chat of a project that is not listed stands among the others."""
    chats = [
        replace(conversation(1, 2026, 3, 18), project=7),
        replace(conversation(2, 2026, 3, 17, pinned=True), project=7),
        replace(conversation(3, 2026, 3, 18), project=8),
        replace(conversation(4, 2026, 3, 18), project=9),
        conversation(5, 2026, 3, 18, pinned=True),
    ]
    open_one, folded = Project(7, "Garden", 0.0), Project(8, "Thesis", 0.0, is_folded=True)
    expected: list[SidebarRow] = [
        GroupHeading(ConversationGroup.PROJECTS),
        ProjectRow(open_one, frozenset((1, 2))),
        *(chats[1], chats[0]),
        ProjectRow(folded, frozenset((3,))),
        *(GroupHeading(ConversationGroup.PINNED), chats[4]),
        *(GroupHeading(ConversationGroup.TODAY), chats[3]),
    ]
    assert build_rows(chats, NOW, [open_one, folded]) == expected

from datetime import datetime

from specchat.domain.conversations import Conversation, SearchHit
from specchat.ui.sidebar.rows import ConversationGroup, GroupHeading, build_rows

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
    shown = [row.group if isinstance(row, GroupHeading) else row.id for row in rows if not isinstance(row, SearchHit)]
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

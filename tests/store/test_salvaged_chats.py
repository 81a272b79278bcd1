"""Chats rebuilt from rows that were read one by one."""

from collections.abc import ItemsView

from specchat.domain.conversations import ConversationSettings
from specchat.domain.types import Role
from specchat.store.encoding import encode
from specchat.store.salvage.salvaged_chats import LOST, SalvagedChats
from specchat.store.salvage.tables import TableRow, Tables


class _Rows(dict[int, TableRow]):
    n_walked = 0
    """How often all of them were walked through."""

    def items(self) -> ItemsView[int, TableRow]:  # type: ignore[override]
        self.n_walked += 1
        return super().items()


def tables(n_messages: int, *, kept: bool) -> tuple[Tables, _Rows]:
    """Of one chat: all of its messages, or none and no index of them."""
    found, rows = Tables({}), _Rows()
    for id_ in range(1, n_messages + 1) if kept else ():
        role = Role.USER if id_ % 2 else Role.ASSISTANT
        row: TableRow = {"id": id_, "conversation": 1, "parent": id_ - 1 or None, "role": role.value, "text": str(id_)}
        rows[id_] = {**row, "created": 1.0, "state": "done", "trashed": None}
    found["message"].rows = rows
    found["message"].is_whole = kept
    settings = encode(ConversationSettings())
    chat: TableRow = {"id": 1, "title": "Tides", "created": 1.0, "updated": 1.0, "trashed": None, "settings": settings}
    found["conversation"].rows[1] = {**chat, "leaf": n_messages}
    return found, rows


def test_the_messages_of_a_copy_are_found_in_one_walk() -> None:
    walks = set()
    for n_messages in (4, 40):
        lost, rows = tables(n_messages, kept=False)
        assert SalvagedChats(lost).fill_from(SalvagedChats(tables(n_messages, kept=True)[0]))
        assert [row["text"] for _, row in sorted(rows.items())] == [str(n) for n in range(1, n_messages + 1)]
        walks.add(rows.n_walked)
    assert len(walks) == 1


def test_placeholders_are_made_in_one_walk() -> None:
    walks = set()
    for n_messages in (4, 40):
        torn, rows = tables(n_messages, kept=True)
        for id_ in range(1, n_messages, 2):
            del rows[id_]
        torn["message"].is_whole = False
        SalvagedChats(torn)._sign_what_is_lost()
        assert [row["text"] == LOST for _, row in sorted(rows.items())] == [True, False] * (n_messages // 2)
        assert [row["parent"] for _, row in sorted(rows.items())] == [None, *range(1, n_messages)]
        walks.add(rows.n_walked)
    assert len(walks) == 1

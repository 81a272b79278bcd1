"""specchat chats list"""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime

from specchat.cli import App
from specchat.cli.output import note, write, write_json
from specchat.cli.table import table
from specchat.domain.conversations import Conversation, DamagedChat
from specchat.domain.plain import to_plain

UNTITLED = "New chat"


class ChatsList:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            listed = chats.conversations.used()
        if arguments.json:
            write_json({"chats": [plain(each) for each in listed], **damage(chats.damaged)})
        elif listed:
            write("\n".join(_lines(listed)) + "\n")
        else:
            note("There is no chat yet. `specchat` opens the window.")
        return 0


def damage(chats: Sequence[DamagedChat] | None) -> dict[str, object]:
    """In JSON, where the database is damaged."""
    return {} if chats is None else {"damaged": [to_plain(each) for each in chats]}


def plain(chat: Conversation) -> dict[str, object]:
    return {
        "id": chat.id,
        "title": chat.own_title,
        "created": moment(chat.created).isoformat(),
        "updated": moment(chat.updated).isoformat(),
        "pinned": chat.pinned,
    }


def _lines(chats: Sequence[Conversation]) -> list[str]:
    rows = [
        (
            str(each.id),
            f"{moment(each.updated):%Y-%m-%d %H:%M}",
            "pinned" if each.pinned else "",
            titled(each.own_title),
        )
        for each in chats
    ]
    return table(("number", "changed", "", "title"), rows, right=("number",))


def titled(title: str) -> str:
    return title or UNTITLED


def moment(seconds: float) -> datetime:
    """An imported chat may be of the last day there is, which in some zones is over already."""
    exact = datetime.fromtimestamp(seconds, UTC)
    try:
        return exact.astimezone()
    except (OverflowError, ValueError):
        return exact

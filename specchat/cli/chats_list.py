"""specchat chats list"""

import argparse
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from specchat.cli import App
from specchat.cli.output import print_note, write_json, write_output
from specchat.cli.text_table import format_table
from specchat.domain.conversations import Conversation, DamagedChat
from specchat.domain.serialization import to_plain
from specchat.services.chat.project_service import ProjectService

UNTITLED = "New chat"


class ChatsListCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            listed, projects = chats.conversations.list_used(), project_names(chats.projects)
        if arguments.json:
            plain = [chat_as_json(each, projects) for each in listed]
            write_json({"chats": plain, **damage_as_json(chats.damaged)})
        elif listed:
            write_output("\n".join(_lines(listed, projects)) + "\n")
        else:
            print_note("No chats yet. Run specchat to open the window.")
        return 0


def damage_as_json(chats: Sequence[DamagedChat] | None) -> dict[str, object]:
    """In JSON, where the database is damaged."""
    return {} if chats is None else {"damaged": [to_plain(each) for each in chats]}


def project_names(projects: ProjectService) -> dict[int | None, str]:
    return {each.id: each.name for each in projects.list_all()}


def chat_as_json(chat: Conversation, projects: Mapping[int | None, str | None]) -> dict[str, object]:
    """`projects`: their names."""
    return {
        "id": chat.id,
        "title": chat.own_title,
        "created": local_time(chat.created).isoformat(),
        "updated": local_time(chat.updated).isoformat(),
        "pinned": chat.pinned,
        "project": projects.get(chat.project),
    }


def _lines(chats: Sequence[Conversation], projects: Mapping[int | None, str]) -> list[str]:
    rows = [
        (
            str(each.id),
            f"{local_time(each.updated):%Y-%m-%d %H:%M}",
            "pinned" if each.pinned else "",
            projects.get(each.project, ""),
            title_or_default(each.own_title),
        )
        for each in chats
    ]
    return format_table(("number", "changed", "", "project", "title"), rows, right=("number",))


def title_or_default(title: str) -> str:
    return title or UNTITLED


def local_time(seconds: float) -> datetime:
    """An imported chat may be of the last day there is, which in some zones is over already."""
    exact = datetime.fromtimestamp(seconds, UTC)
    try:
        return exact.astimezone()
    except (OverflowError, ValueError):
        return exact

"""specchat chats [list|search|show|export|import]"""

import argparse

from specchat.cli import App, Command
from specchat.cli.parser import examples
from specchat.cli.tasks import Tasks, add_tasks, run_task


class Chats:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_tasks(parser, _TASKS)
        parser.epilog = examples("specchat chats", "specchat chats show 3", "specchat chats export chats.json")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        return run_task(arguments, app, _TASKS)


def _list() -> Command:
    from specchat.cli.chats_list import ChatsList

    return ChatsList()


def _search() -> Command:
    from specchat.cli.chats_search import ChatsSearch

    return ChatsSearch()


def _show() -> Command:
    from specchat.cli.chats_show import ChatsShow

    return ChatsShow()


def _export() -> Command:
    from specchat.cli.chats_files import ChatsExport

    return ChatsExport()


def _import() -> Command:
    from specchat.cli.chats_files import ChatsImport

    return ChatsImport()


_TASKS: Tasks = {
    "list": ("the chats of the window, with their numbers; done without a task, too", _list),
    "search": ("where words are in them", _search),
    "show": ("one chat, to read", _show),
    "export": ("chats to a file: .json with everything, .md to read", _export),
    "import": ("chats from such a file", _import),
}

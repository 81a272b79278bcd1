"""specchat chats [list|search|show|export|import|salvage]"""

import argparse
from contextlib import nullcontext
from dataclasses import replace

from specchat.cli import App, Command
from specchat.cli.exit_codes import USER_ERROR
from specchat.cli.output import note, report
from specchat.cli.parser import examples
from specchat.cli.tasks import USUAL, Tasks, add_tasks, run_task
from specchat.domain.errors import DamagedChatsError, UserError


class Chats:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_tasks(parser, _TASKS)
        parser.epilog = examples("specchat chats", "specchat chats show 3", "specchat chats export chats.json")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        """Where the database is damaged, what can be read of it is listed, found, shown and exported."""
        task = arguments.task or USUAL
        if task not in _READING:
            return run_task(arguments, app, _TASKS)
        try:
            app.damaged_chats().require_whole(with_search=task == "search")
            return run_task(arguments, app, _TASKS)
        except DamagedChatsError:
            return _run_with_readable(arguments, app)


def _run_with_readable(arguments: argparse.Namespace, app: App) -> int:
    from specchat.cli.chats_salvage import named

    file = app.damaged_chats().file
    with app.damaged_chats().readable() as chats:
        code = run_task(arguments, replace(app, chats=lambda: nullcontext(chats)), _TASKS)
    damaged = chats.damaged or ()
    if arguments.task != "export":
        words = f" Not everything can be read of: chat {named(damaged)}." if damaged else ""
        note(f"{file.name} is damaged.{words} `specchat chats salvage` makes a fresh one of what can be read.")
        return code
    wanted = arguments.chats or [each.id for each in damaged]
    left_out = [each for each in damaged if each.id in wanted]
    if left_out:
        message = "{file} is damaged: not everything could be exported of chat {chats}."
        report(UserError(message, "Run: specchat chats salvage", file=file.name, chats=named(left_out)))
        return USER_ERROR
    note(f"{file.name} is damaged. `specchat chats salvage` makes a fresh one.")
    return code


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


def _salvage() -> Command:
    from specchat.cli.chats_salvage import ChatsSalvage

    return ChatsSalvage()


_TASKS: Tasks = {
    "list": ("the chats of the window, with their numbers; done without a task, too", _list),
    "search": ("where words are in them", _search),
    "show": ("one chat, to read", _show),
    "export": ("chats to a file: .json with everything, .md to read", _export),
    "import": ("chats from such a file", _import),
    "salvage": ("what can be read of a damaged database, as a fresh one", _salvage),
}
_READING = ("list", "search", "show", "export")

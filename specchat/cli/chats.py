"""specchat chats [list|search|show|export|import|salvage]"""

import argparse
from contextlib import nullcontext
from dataclasses import replace

from specchat.cli import App, Command
from specchat.cli.exit_codes import USER_ERROR
from specchat.cli.output import print_note, report_error
from specchat.cli.parser import format_examples
from specchat.cli.subcommands import DEFAULT_SUBCOMMAND, Subcommands, add_subcommands, run_subcommand
from specchat.domain.errors import DamagedChatsError, UserError


class ChatsCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_subcommands(parser, _TASKS)
        parser.epilog = format_examples("specchat chats", "specchat chats show 3", "specchat chats export chats.json")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        """Where the database is damaged, what can be read of it is listed, found, shown and exported."""
        task = arguments.task or DEFAULT_SUBCOMMAND
        if task not in _READING:
            return run_subcommand(arguments, app, _TASKS)
        try:
            app.damaged_chats().require_intact(with_search=task == "search")
            return run_subcommand(arguments, app, _TASKS)
        except DamagedChatsError:
            return _run_with_readable(arguments, app)


def _run_with_readable(arguments: argparse.Namespace, app: App) -> int:
    from specchat.cli.chats_salvage import chat_names

    file = app.damaged_chats().file
    with app.damaged_chats().open_readable() as chats:
        if not (chats.damaged or chats.conversations.list_used()):
            message = "{file} is damaged, and none of its chats can be read."
            raise DamagedChatsError(message, "Rename it and start afresh with: specchat chats salvage", file=file.name)
        code = run_subcommand(arguments, replace(app, chats=lambda: nullcontext(chats)), _TASKS)
    damaged = chats.damaged or ()
    if arguments.task != "export":
        words = f" Some parts can't be read: chat {chat_names(damaged)}." if damaged else ""
        print_note(f"{file.name} is damaged.{words} Recover the readable chats with: specchat chats salvage")
        return code
    wanted = arguments.chats or [each.id for each in damaged]
    left_out = [each for each in damaged if each.id in wanted]
    if left_out:
        message = "{file} is damaged. Couldn't export parts of these chats: {chats}."
        report_error(UserError(message, "Run: specchat chats salvage", file=file.name, chats=chat_names(left_out)))
        return USER_ERROR
    print_note(f"{file.name} is damaged. Recover the readable chats with: specchat chats salvage")
    return code


def _list() -> Command:
    from specchat.cli.chats_list import ChatsListCommand

    return ChatsListCommand()


def _search() -> Command:
    from specchat.cli.chats_search import ChatsSearchCommand

    return ChatsSearchCommand()


def _show() -> Command:
    from specchat.cli.chats_show import ChatsShowCommand

    return ChatsShowCommand()


def _export() -> Command:
    from specchat.cli.chats_files import ChatsExportCommand

    return ChatsExportCommand()


def _import() -> Command:
    from specchat.cli.chats_files import ChatsImportCommand

    return ChatsImportCommand()


def _salvage() -> Command:
    from specchat.cli.chats_salvage import ChatsSalvageCommand

    return ChatsSalvageCommand()


_TASKS: Subcommands = {
    "list": ("list all chats with their numbers (the default)", _list),
    "search": ("search all chats", _search),
    "show": ("show a chat", _show),
    "export": ("export chats to .json (complete) or .md (for reading)", _export),
    "import": ("import chats from an exported file", _import),
    "salvage": ("recover readable chats from a damaged database", _salvage),
}
_READING = ("list", "search", "show", "export")

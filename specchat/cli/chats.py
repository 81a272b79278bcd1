"""specchat chats [list|search|show|export|import|salvage]"""

import argparse
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace

from specchat.cli import App, Command
from specchat.cli.exit_codes import USER_ERROR
from specchat.cli.output import print_note, report_error
from specchat.cli.parser import format_examples
from specchat.cli.subcommands import DEFAULT_SUBCOMMAND, Subcommands, add_subcommands, run_subcommand
from specchat.domain.errors import DamagedChatsError, UserError

_WAY_OUT = "Recover the readable chats with: specchat chats salvage"


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
        _require_readable(_asked_for(arguments), {each.id for each in chats.conversations.list_used()}, file.name)
        code = run_subcommand(arguments, replace(app, chats=lambda: nullcontext(chats)), _TASKS)
    damaged = chats.damaged or ()
    if arguments.task != "export":
        words = f" Some parts can't be read: chat {chat_names(damaged)}." if damaged else ""
        print_note(f"{file.name} is damaged.{words} {_WAY_OUT}")
        return code
    wanted = arguments.chats or [each.id for each in damaged]
    left_out = [each for each in damaged if each.id in wanted]
    if left_out:
        message = "{file} is damaged. Couldn't export parts of these chats: {chats}."
        report_error(UserError(message, "Run: specchat chats salvage", file=file.name, chats=chat_names(left_out)))
        return USER_ERROR
    print_note(f"{file.name} is damaged. {_WAY_OUT}")
    return code


def _asked_for(arguments: argparse.Namespace) -> Sequence[int]:
    """The chats that were given by number."""
    match arguments.task:
        case "show":
            return [arguments.chat]
        case "export":
            return list(arguments.chats)
    return []


def _require_readable(wanted: Sequence[int], readable: Collection[int], file: str) -> None:
    """A chat that can't be read may exist or not."""
    if not readable:
        message = "{file} is damaged, and none of its chats can be read."
        raise DamagedChatsError(message, "Rename it and start afresh with: specchat chats salvage", file=file)
    for number in wanted:
        if number not in readable:
            message = "{file} is damaged, and chat {number} can't be read."
            raise DamagedChatsError(message, _WAY_OUT, file=file, number=number)


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

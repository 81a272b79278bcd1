"""specchat chats export FILE [NUMBER...], specchat chats import FILE"""

import argparse
from pathlib import Path

from specchat.cli import App
from specchat.cli.chats_list import damage, plain, titled
from specchat.cli.chats_show import NUMBER, require_there
from specchat.cli.notes import INSTEAD
from specchat.cli.output import note, one_line, write, write_json
from specchat.cli.parser import examples


class ChatsExport:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="its name ends with .json or .md")
        parser.add_argument(
            "chats",
            metavar="NUMBER",
            type=NUMBER,
            nargs="*",
            default=[],
            help="which ones, as `specchat chats` lists them (default: all)",
        )
        parser.epilog = examples("specchat chats export chats.json", "specchat chats export story.md 3")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            require_there(chats.conversations, arguments.chats)
            wanted = list(dict.fromkeys(arguments.chats)) or [each.id for each in chats.conversations.used()]
            replaced = arguments.file.exists()
            too_large = chats.exports.write(arguments.file, wanted)
        if arguments.json:
            write_json({"path": str(arguments.file), "chats": wanted, "replaced": replaced, **damage(chats.damaged)})
        else:
            write(f"{one_line(str(arguments.file))}\n  {_counted(len(wanted))}{INSTEAD if replaced else ''}\n")
        if too_large:
            note(f"The file cannot be imported again: too large for that: chat {', '.join(map(str, too_large))}.")
        return 0


class ChatsImport:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="what specchat exported")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            numbers = chats.exports.read(arguments.file)
            added = [chats.conversations.get(number) for number in numbers]
            doubles = chats.exports.doubles(numbers)
        if arguments.json:
            write_json({"chats": [plain(each) for each in added], "doubles": doubles})
            return 0
        write("".join(f"{each.id}  {one_line(titled(each.title))}\n" for each in added))
        if not added:
            note("There is no chat in this file.")
        if doubles:
            note(f"Here already, and imported once more as: {', '.join(map(str, doubles))}.")
        return 0


def _counted(chats: int) -> str:
    return "1 chat" if chats == 1 else f"{chats} chats"

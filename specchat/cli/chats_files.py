"""specchat chats export FILE [NUMBER...], specchat chats import FILE"""

import argparse
from pathlib import Path

from specchat.cli import App
from specchat.cli.chats_list import chat_as_json, damage_as_json, project_names, title_or_default
from specchat.cli.chats_show import chat_number, require_chats
from specchat.cli.option_notes import REPLACED_SUFFIX
from specchat.cli.output import one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples


class ChatsExportCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="output file, .json or .md")
        parser.add_argument(
            "chats",
            metavar="NUMBER",
            type=chat_number,
            nargs="*",
            default=[],
            help="chat numbers, as listed by specchat chats (default: all)",
        )
        parser.epilog = format_examples("specchat chats export chats.json", "specchat chats export story.md 3")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            require_chats(chats.conversations, arguments.chats)
            wanted = list(dict.fromkeys(arguments.chats)) or [each.id for each in chats.conversations.list_used()]
            replaced = arguments.file.exists()
            too_large = chats.files.write(arguments.file, wanted)
        if arguments.json:
            write_json(
                {"path": str(arguments.file), "chats": wanted, "replaced": replaced, **damage_as_json(chats.damaged)}
            )
        else:
            write_output(
                f"{one_line(str(arguments.file))}\n  {_counted(len(wanted))}{REPLACED_SUFFIX if replaced else ''}\n"
            )
        if too_large:
            numbers = ", ".join(map(str, too_large))
            print_note(f"specchat can't import this file again because these chats are too large: {numbers}.")
        return 0


class ChatsImportCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path, help="a file exported by specchat")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            numbers = chats.files.read(arguments.file)
            added = [chats.conversations.get(number) for number in numbers]
            projects = project_names(chats.projects)
            doubles = chats.files.find_duplicates(numbers)
        if arguments.json:
            write_json({"chats": [chat_as_json(each, projects) for each in added], "doubles": doubles})
            return 0
        write_output("".join(f"{each.id}  {one_line(title_or_default(each.title))}\n" for each in added))
        if not added:
            print_note("The file contains no chats.")
        if doubles:
            print_note(f"Chats that already existed were imported again as: {', '.join(map(str, doubles))}.")
        return 0


def _counted(chats: int) -> str:
    return "1 chat" if chats == 1 else f"{chats} chats"

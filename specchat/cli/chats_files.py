"""specchat chats export FILE [NUMBER...], specchat chats import FILE..."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.cli import App
from specchat.cli.chats_list import chat_as_json, damage_as_json, project_names, title_or_default
from specchat.cli.chats_show import chat_number, require_chats
from specchat.cli.option_notes import REPLACED_SUFFIX
from specchat.cli.output import end_progress, one_line, print_note, replace_line, write_json, write_output
from specchat.cli.parser import format_examples

if TYPE_CHECKING:
    from specchat.services.chat.chat_import import ImportReport


_MOST_LISTED = 20
"""Of more imported chats, only their number is told."""


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
        parser.add_argument(
            "files",
            metavar="FILE",
            type=Path,
            nargs="+",
            help="exports of specchat, ChatGPT, Claude, Open WebUI, LM Studio or Jan, or OpenAI messages (JSON)",
        )
        parser.epilog = format_examples("specchat chats import chats.json", "specchat chats import chatgpt.zip")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            report = chats.files.import_files(arguments.files, on_read=_show_read)
            end_progress()
            added = [chats.conversations.get(number) for number in report.added]
            projects = project_names(chats.projects)
        if arguments.json:
            write_json(
                {
                    "chats": [chat_as_json(each, projects) for each in added],
                    "existing": report.n_existing,
                    "skipped": [{"title": each.title, "reason": each.reason} for each in report.skipped],
                }
            )
            return 0
        if len(added) > _MOST_LISTED:
            write_output(f"Imported {_counted(len(added))}.\n")
        else:
            write_output("".join(f"{each.id}  {one_line(title_or_default(each.title))}\n" for each in added))
        _print_notes(report)
        return 0


def _show_read(n_read: int) -> None:
    if sys.stderr.isatty():
        replace_line(f"Importing: {_counted(n_read)} ...")


def _print_notes(report: "ImportReport") -> None:
    if not (report.added or report.n_existing or report.skipped):
        print_note("The file contains no chats.")
    if report.n_existing:
        print_note(f"Not imported because they already exist: {_counted(report.n_existing)}.")
    for skipped in report.skipped:
        print_note(f"Not imported: {title_or_default(skipped.title)}. {skipped.reason}")


def _counted(chats: int) -> str:
    return "1 chat" if chats == 1 else f"{chats:,} chats"

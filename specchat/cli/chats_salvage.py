"""specchat chats salvage [--out FILE]"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from specchat.cli import App
from specchat.cli.chats_list import UNTITLED
from specchat.cli.output import one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.domain.conversations import DamagedChat
from specchat.domain.serialization import to_plain
from specchat.services.chat.chat_salvage import SalvageResult


class ChatsSalvageCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--out",
            metavar="FILE",
            type=Path,
            help="a new file for the database (default: replaces the damaged one, which is kept under another name)",
        )
        parser.epilog = format_examples("specchat chats salvage", "specchat chats salvage --out readable.db")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        chats = app.damaged_chats()
        done = chats.salvage(arguments.out)
        if arguments.json:
            write_json({"path": str(chats.file), "salvaged": False} if done is None else _plain(done))
        elif done is None:
            print_note(f"{chats.file.name} is not damaged.")
        else:
            write_output("\n".join(_lines(done)) + "\n")
        return 0


def chat_names(chats: Sequence[DamagedChat]) -> str:
    return ", ".join(f"{each.id} ({one_line(each.title)})" if each.title else str(each.id) for each in chats)


def _plain(done: SalvageResult) -> dict[str, object]:
    return {
        "path": str(done.path),
        "salvaged": True,
        "aside": None if done.aside is None else str(done.aside),
        "chats": list(done.chats),
        "damaged": [to_plain(each) for each in done.damaged],
        "copies": [str(copy) for copy in done.copies],
    }


def _lines(done: SalvageResult) -> list[str]:
    whole = len(set(done.chats) - {each.id for each in done.damaged})
    lines = [one_line(str(done.path)), f"  {whole} {'chat is' if whole == 1 else 'chats are'} complete."]
    lines += [f"  {_lost(each)}" for each in done.damaged]
    lines += [f"  Some parts come from {one_line(copy.name)}." for copy in done.copies]
    if done.aside is not None:
        lines.append(f"  The damaged database is now {one_line(done.aside.name)}.")
    return lines


def _lost(chat: DamagedChat) -> str:
    name = f"Chat {chat.id} ({one_line(chat.title or UNTITLED)})"
    if not chat.is_left:
        return f"Chat {chat.id} is lost."
    return f"{name} is incomplete: {chat.n_lost} {'part is' if chat.n_lost == 1 else 'parts are'} lost."

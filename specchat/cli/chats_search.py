"""specchat chats search WORDS"""

import argparse
from itertools import groupby

from specchat.cli import App
from specchat.cli.chats_list import damage_as_json, title_or_default
from specchat.cli.output import one_line, print_note, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.text_table import wrap_text
from specchat.domain.conversations import SearchHit
from specchat.domain.errors import UserError


class ChatsSearchCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "words",
            metavar="WORDS",
            nargs="+",
            help="search words; all must match, but the last may be incomplete",
        )
        parser.epilog = format_examples("specchat chats search draft model")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        words = " ".join(arguments.words)
        if not words.strip():
            raise UserError("No search word given.", "Add a search word, as in: specchat chats search draft")
        with app.chats() as chats:
            hits = chats.conversations.search(words)
        if arguments.json:
            write_json({"hits": [_plain(hit) for hit in hits], **damage_as_json(chats.damaged)})
        elif hits:
            write_output("\n".join(_lines(hits)) + "\n")
        else:
            where = "" if chats.damaged is None else " in the readable chats"
            print_note(f"Nothing found{where}. Try other words.")
        return 0


def _lines(hits: list[SearchHit]) -> list[str]:
    """The chats in the order of their first hit."""
    order = {hit.conversation: number for number, hit in reversed(list(enumerate(hits)))}
    lines = []
    for chat, found in groupby(sorted(hits, key=lambda hit: order[hit.conversation]), lambda hit: hit.conversation):
        of_chat = list(found)
        project = f"  ({one_line(of_chat[0].project)})" if of_chat[0].project else ""
        lines.append(f"{chat}  {one_line(title_or_default(of_chat[0].title))}{project}")
        snippets = [" ".join(hit.snippet.split()) for hit in of_chat if hit.message is not None]
        lines += [f"  {line}" for snippet in snippets for line in wrap_text(snippet)]
    return lines


def _plain(hit: SearchHit) -> dict[str, object]:
    return {
        "chat": hit.conversation,
        "title": hit.title,
        "project": hit.project or None,
        "message": hit.message,
        "snippet": hit.snippet,
        "matches": [list(match) for match in hit.matches],
    }

"""specchat chats search WORDS"""

import argparse
from itertools import groupby

from specchat.cli import App
from specchat.cli.chats_list import damage, titled
from specchat.cli.output import note, one_line, write, write_json
from specchat.cli.parser import examples
from specchat.cli.table import wrapped
from specchat.domain.conversations import SearchHit
from specchat.domain.errors import UserError


class ChatsSearch:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "words",
            metavar="WORDS",
            nargs="+",
            help="all of them must be there; the last may be the beginning of a word",
        )
        parser.epilog = examples("specchat chats search draft model")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        words = " ".join(arguments.words)
        if not words.strip():
            raise UserError("There is no word to look for.", "Name one, as in: specchat chats search draft")
        with app.chats() as chats:
            hits = chats.conversations.search(words)
        if arguments.json:
            write_json({"hits": [_plain(hit) for hit in hits], **damage(chats.damaged)})
        elif hits:
            write("\n".join(_lines(hits)) + "\n")
        else:
            note("Nothing found. Fewer words may find more.")
        return 0


def _lines(hits: list[SearchHit]) -> list[str]:
    """The chats in the order of their first hit."""
    order = {hit.conversation: number for number, hit in reversed(list(enumerate(hits)))}
    lines = []
    for chat, found in groupby(sorted(hits, key=lambda hit: order[hit.conversation]), lambda hit: hit.conversation):
        of_chat = list(found)
        lines.append(f"{chat}  {one_line(titled(of_chat[0].title))}")
        snippets = [" ".join(hit.snippet.split()) for hit in of_chat if hit.message is not None]
        lines += [f"  {line}" for snippet in snippets for line in wrapped(snippet)]
    return lines


def _plain(hit: SearchHit) -> dict[str, object]:
    return {
        "chat": hit.conversation,
        "title": hit.title,
        "message": hit.message,
        "snippet": hit.snippet,
        "matches": [list(match) for match in hit.matches],
    }

"""specchat chats show NUMBER"""

import argparse
from collections.abc import Iterator, Sequence

from specchat.cli import App
from specchat.cli.chats_list import moment, plain, titled
from specchat.cli.numbers import integer
from specchat.cli.output import one_line, printable, write, write_json
from specchat.domain.conversations import ConversationTree
from specchat.domain.errors import UserError
from specchat.domain.plain import expect
from specchat.domain.types import Role
from specchat.services.chat.conversations import Conversations
from specchat.services.chat.export_json import plain_tree
from specchat.services.chat.export_markdown import figures_line, shown

NUMBER = integer(1, (1 << 63) - 1)


class ChatsShow:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("chat", metavar="NUMBER", type=NUMBER, help="as `specchat chats` lists it")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            require_there(chats.conversations, [arguments.chat])
            tree = chats.exports.tree(arguments.chat)
        if arguments.json:
            write_json(_plain(tree))
        else:
            write("\n\n".join(map(printable, _parts(tree))) + "\n")
        return 0


def require_there(conversations: Conversations, numbers: Sequence[int]) -> None:
    known = {each.id for each in conversations.used()}
    for number in numbers:
        if number not in known:
            raise UserError("There is no chat {number}.", "`specchat chats` lists them.", number=number)


def _plain(tree: ConversationTree) -> dict[str, object]:
    """As exported, but with the list's times."""
    exported = plain_tree(tree)
    messages = [
        {**expect(dict, each), "created": moment(message.created).isoformat()}
        for each, message in zip(expect(list, exported["messages"]), tree.messages, strict=True)
    ]
    listed = plain(tree.conversation)
    return {"id": listed["id"], **exported, **listed, "messages": messages}


def _parts(tree: ConversationTree) -> Iterator[str]:
    """The versions that the window shows."""
    yield titled(one_line(tree.conversation.own_title))
    if prompt := tree.conversation.settings.system_prompt:
        yield f"System prompt:\n{prompt}"
    for message in shown(tree):
        answer = tree.answers.get(message.id)
        who = "You" if message.role is Role.USER else one_line(answer.target) if answer else "Answer"
        yield f"{who}:\n{message.text}"
        yield from (f"{one_line(each.name)}:\n{each.text}" for each in message.attachments)
        if answer is not None and (figures := figures_line(answer)):
            yield figures

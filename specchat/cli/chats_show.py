"""specchat chats show NUMBER"""

import argparse
from collections.abc import Iterator, Sequence

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.chats_list import chat_as_json, local_time, title_or_default
from specchat.cli.output import one_line, printable_lines, write_json, write_output
from specchat.domain.conversations import ConversationTree
from specchat.domain.documents import readable_text
from specchat.domain.errors import UserError
from specchat.domain.serialization import require_type
from specchat.domain.types import Role
from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.export_json import tree_to_plain
from specchat.services.chat.export_markdown import shown_messages, stats_line

chat_number = integer_in_range(1, (1 << 63) - 1)


class ChatsShowCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("chat", metavar="NUMBER", type=chat_number, help="chat number, as listed by specchat chats")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        with app.chats() as chats:
            require_chats(chats.conversations, [arguments.chat])
            tree = chats.files.load_tree(arguments.chat)
        if arguments.json:
            write_json(_plain(tree))
        else:
            write_output("\n\n".join(map(printable_lines, _parts(tree))) + "\n")
        return 0


def require_chats(conversations: ConversationService, numbers: Sequence[int]) -> None:
    known = {each.id for each in conversations.list_used()}
    for number in numbers:
        if number not in known:
            raise UserError("Chat {number} doesn't exist.", "List the chats with: specchat chats", number=number)


def _plain(tree: ConversationTree) -> dict[str, object]:
    """As exported, but with the list's times."""
    exported = tree_to_plain(tree)
    messages = [
        {**require_type(dict, each), "created": local_time(message.created).isoformat()}
        for each, message in zip(require_type(list, exported["messages"]), tree.messages, strict=True)
    ]
    listed = chat_as_json(tree.conversation, {tree.conversation.project: tree.project or None})
    return {"id": listed["id"], **exported, **listed, "messages": messages}


def _parts(tree: ConversationTree) -> Iterator[str]:
    """The versions that the window shows."""
    yield title_or_default(one_line(tree.conversation.own_title))
    if prompt := tree.conversation.settings.system_prompt:
        yield f"System prompt:\n{prompt.strip()}"
    for message in shown_messages(tree):
        answer = tree.answers.get(message.id)
        who = (one_line(answer.target) if answer else "") or ("You" if message.role is Role.USER else "Answer")
        if called := message.called:
            who = f"{' > '.join(map(one_line, called.name_parts))} {one_line(called.call.arguments)}"
        pictures = (f"[{one_line(each.name) or 'picture'}]" for each in message.pictures)
        recordings = (f"[{one_line(each.name) or 'recording'}]" for each in message.recordings)
        yield "\n".join(filter(None, (f"{who}:", message.text.strip("\n"), *pictures, *recordings)))
        yield from (f"{one_line(each.name)}:\n{readable_text(each.text).strip()}" for each in message.attachments)
        if answer is not None and (figures := stats_line(answer)):
            yield figures

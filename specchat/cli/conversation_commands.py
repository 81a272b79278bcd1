"""Recognizes the commands in an interactive conversation, such as /help."""

import os
import re
import shlex
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.services.models.suggestions import suggest_similar


class CommandName(StrEnum):
    ATTACH = "attach"
    AUDIO = "audio"
    BYE = "bye"
    CLEAR = "clear"
    DETACH = "detach"
    HELP = "help"
    IMAGE = "image"
    RETRY = "retry"
    SAVE = "save"
    SYSTEM = "system"


_NAMES = {str(name): name for name in CommandName}
_NAMES |= {"exit": CommandName.BYE, "quit": CommandName.BYE, "regen": CommandName.RETRY, "?": CommandName.HELP}
_NAMES |= {"read": CommandName.ATTACH}
_USES = {
    "/attach FILE": "add a document, a text file or a folder to the next message; also /read",
    "/image FILE": "add a picture to the next message",
    "/audio FILE": "add a recording to the next message",
    "/detach [NAME]": "take that file, or all, off the next message",
    "/system [TEXT]": 'show the system prompt, or replace it; "" removes it',
    "/retry": "answer the last message again; also /regen",
    "/clear": "begin anew, with the same system prompt",
    "/save FILE": "save the chat there after each answer",
    "/help": "show this list; also /?",
    "/bye": "quit; also /exit, /quit",
}
_COMMAND = re.compile(r"/([a-zA-Z]+|\?)(?:\s+(.*))?")
"""No path: in that, another slash or a dot follows."""

NOTHING = '""', "''"
"""How people write an empty text."""

HELP_TEXT = "\n".join(
    (
        "Commands:",
        *(f"  {use:<16}{words}" for use, words in _USES.items()),
        "To send a message that begins with a slash, put a space before it.",
    )
)


@dataclass(frozen=True, slots=True)
class ConversationCommand:
    name: CommandName
    argument: str

    @property
    def path(self) -> Path:
        """Also as terminals write a file that is dropped on them: in quotes, or with a backslash before each space."""
        unquoted = self.unquoted
        if not unquoted:  # which as a path would be this folder
            example = "talk.json" if self.name is CommandName.SAVE else "FILE"
            raise SettingError("No file given.", "Add its name, as in: /{name} {file}", name=self.name, file=example)
        path = _expanded(self.argument)
        return path if os.path.exists(path) else _expanded(unquoted)

    @property
    def unquoted(self) -> str:
        return _unquoted(self.argument)


def _expanded(argument: str) -> Path:
    """Raises nothing, unlike Path.expanduser: whoever opens the file says what is wrong."""
    return Path(os.path.expanduser(argument))


def _unquoted(argument: str) -> str:
    if os.name == "nt":
        return argument.strip('"')
    try:
        words = shlex.split(argument)
    except ValueError:  # an apostrophe
        return argument
    return words[0] if len(words) == 1 else argument


def parse_command(text: str) -> ConversationCommand | None:
    """Returns None for a message."""
    found = _COMMAND.fullmatch(text.rstrip())
    if found is None:
        return None
    name = _NAMES.get(found[1].lower())
    if name is None:
        meant = suggest_similar(found[1].lower(), _NAMES)
        raise SettingError(
            "Unknown command: {command}.",
            "Did you mean /{meant}?" if meant else "Type /help. To send it as a message, put a space before it.",
            command=f"/{found[1]}",
            meant=meant[0] if meant else "",
        )
    return ConversationCommand(name, (found[2] or "").strip())

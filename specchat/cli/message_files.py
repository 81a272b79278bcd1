"""Reads and writes a conversation as a JSON list of {"role", "content"} objects."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.domain.types import Message, Role
from specchat.services.atomic_write import write_text
from specchat.services.chat.text_files import detect_non_text

_ROLES = {str(role): role for role in Role} | {"developer": Role.SYSTEM}
_FORM = 'Write a JSON list such as [{"role": "user", "content": "Hello"}]. The roles are system, user, and assistant.'


def read_messages(path: Path) -> list[Message]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SettingError(f"Can't read {path}: {error.strerror}.", "Check the path.") from error
    if kind := detect_non_text(content):
        raise SettingError(f"{path} is {kind.name}.", _FORM)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is not UTF-8.", "Save it as UTF-8.") from error
    return parse_messages(text, str(path))


def parse_messages(text: str, name: str) -> list[Message]:
    try:
        entries = json.loads(text.removeprefix("\ufeff"))
    except ValueError as error:
        raise SettingError(f"{name} is not JSON: {error}.", _FORM) from error
    except RecursionError as error:
        raise SettingError(f"{name} is nested too deeply.", _FORM) from error
    if not isinstance(entries, list) or not entries:
        raise SettingError(f"{name} contains no messages.", _FORM)
    return [_message(entry, f"{name}: message {number}") for number, entry in enumerate(entries, 1)]


def write_messages(path: Path, messages: Sequence[Message]) -> None:
    entries = [{"role": message.role, "content": message.content} for message in messages]
    write_text(path, (json.dumps(entries, ensure_ascii=False, indent=1), "\n"))


class ChatFile:
    """The file in which an interactive chat is saved after each answer."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._version = _version(path)
        """As it was read or written last. None: there was no such file."""

    def write(self, messages: Sequence[Message]) -> None:
        if _version(self.path) not in (None, self._version):
            raise SettingError(
                "Another program has changed {file}, so it isn't overwritten.",
                "Save the chat under another name: /save FILE",
                file=self.path,
            )
        write_messages(self.path, messages)
        self._version = _version(self.path)


def _version(path: Path) -> tuple[int, int, int] | None:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_mtime_ns, found.st_size, found.st_ino
    return None


def _message(entry: object, which: str) -> Message:
    if not isinstance(entry, dict):
        raise SettingError(f"{which} is not an object.", _FORM)
    for name in ("role", "content"):
        if entry.get(name) is None:
            raise SettingError(f"{which} has no {name}.", _FORM)
    role = entry["role"]
    if not isinstance(role, str) or role not in _ROLES:
        raise SettingError(f"{which} has an unknown role.", _FORM)
    return Message(_ROLES[role], _text(entry["content"], which))


def _text(content: object, which: str) -> str:
    """OpenAI's list of parts is one as well."""
    parts = content if isinstance(content, list) else [{"type": "text", "text": content}]
    texts = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    found = [text for text in texts if isinstance(text, str)]
    if len(found) < len(parts):
        raise SettingError(f"{which} has content that is not text.", _FORM)
    return "".join(found)

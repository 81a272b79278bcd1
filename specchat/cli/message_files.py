"""A conversation as a JSON list of {"role", "content"}: what --messages answers, and --save keeps."""

import json
from collections.abc import Sequence
from pathlib import Path

from specchat.domain.errors import SettingError
from specchat.domain.types import Message, Role
from specchat.services.written import write_whole


def read_messages(path: Path) -> list[Message]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))
        found = [_message(entry["role"], entry["content"]) for entry in entries]
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SettingError(
            f"{path} holds no messages.",
            'Write a JSON list such as [{"role": "user", "content": "Hello"}]; roles are system, user, assistant.',
        ) from error
    if not found:
        raise SettingError(f"{path} holds no messages.", "Write at least one.")
    return found


def write_messages(path: Path, messages: Sequence[Message]) -> None:
    entries = [{"role": message.role, "content": message.content} for message in messages]
    write_whole(path, (json.dumps(entries, ensure_ascii=False, indent=1), "\n"))


def _message(role: str, content: object) -> Message:
    if not isinstance(content, str):
        raise TypeError("content is no text")
    return Message(Role(role), content)

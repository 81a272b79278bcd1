"""Converts a stored conversation into the messages that a model reads."""

import re
from collections.abc import Sequence
from dataclasses import replace

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.picture_header import MOST_BYTES
from specchat.domain.types import Message, Role
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.chat.titles import one_line


def build_prompt_messages(
    path: Sequence[StoredMessage], settings: ConversationSettings, *, with_pictures: bool = False
) -> tuple[Message, ...]:
    """Builds the messages up to the question, without the reasoning of earlier answers."""
    system = [Message(Role.SYSTEM, settings.system_prompt)] if settings.system_prompt.strip() else []
    messages = [Message(message.role, _content(message)) for message in path]
    return (*system, *(_with_newest_pictures(messages, path) if with_pictures else messages))


def _with_newest_pictures(messages: Sequence[Message], path: Sequence[StoredMessage]) -> list[Message]:
    """Of a very long conversation as many as the engine takes at once: no context has room for more."""
    shown, size = [], 0
    for message, stored in zip(reversed(messages), reversed(path), strict=True):
        size += sum(len(picture.content) for picture in stored.pictures)
        shown.append(replace(message, pictures=stored.pictures) if size <= MOST_BYTES else message)
    return shown[::-1]


def format_attachment(attachment: Attachment) -> str:
    """Formats an attachment in a fence that its text can't close."""
    return f"File: {one_line(attachment.name)}\n{fence_text(attachment.text)}"


def fence_text(text: str) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join((fence, text.removesuffix("\n"), fence))


def _content(message: StoredMessage) -> str:
    if message.role is Role.ASSISTANT:
        return strip_reasoning(message.text)
    return "\n\n".join([*map(format_attachment, message.attachments), message.text])

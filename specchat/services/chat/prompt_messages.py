"""Converts a stored conversation into the messages that a model reads."""

import re
from collections.abc import Sequence

from specchat.domain.conversations import Attachment, ConversationSettings, StoredMessage
from specchat.domain.types import Message, Role
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.chat.titles import one_line


def build_prompt_messages(path: Sequence[StoredMessage], settings: ConversationSettings) -> tuple[Message, ...]:
    """Builds the messages up to the question, without the reasoning of earlier answers."""
    system = [Message(Role.SYSTEM, settings.system_prompt)] if settings.system_prompt.strip() else []
    return (*system, *(Message(message.role, _content(message)) for message in path))


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

"""Reads conversations.json of a claude.ai export."""

import re
from collections.abc import Iterator, Sequence

from specchat.domain.conversations import Attachment
from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import LOST_PICTURE, ForeignChat, ForeignMessage, chain
from specchat.services.chat.imports.untrusted import (
    FindPicture,
    Plain,
    as_list,
    as_object,
    as_text,
    as_thought,
    as_time,
    joined,
)
from specchat.services.chat.prompt_messages import fence_text

_ROLES = {"human": Role.USER, "assistant": Role.ASSISTANT}
_PASTED = "pasted.txt"
"""A pasted text has no name."""
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_MARKDOWN = "text/markdown"
_LANGUAGE = re.compile(r"[\w+#.-]*")


def is_conversation(plain: Plain) -> bool:
    return isinstance(plain.get("chat_messages"), list)


def read_conversation(plain: Plain, find: FindPicture) -> ForeignChat:
    messages = [_message(as_object(message)) for message in as_list(plain.get("chat_messages"))]
    has_versions = any(message.parent is not None for message in messages)
    return ForeignChat(
        messages=messages if has_versions else chain(messages),
        title=as_text(plain.get("name")),
        created=as_time(plain.get("created_at")),
        updated=as_time(plain.get("updated_at")),
        leaf=as_text(plain.get("current_leaf_message_uuid")) or None if has_versions else None,
        pinned=plain.get("is_starred") is True,
    )


def _message(message: Plain) -> ForeignMessage:
    blocks = [as_object(block) for block in as_list(message.get("content"))]
    attachments = list(_attachments(message))
    return ForeignMessage(
        id=as_text(message.get("uuid")),
        parent=as_text(message.get("parent_message_uuid")) or None,
        role=_ROLES.get(as_text(message.get("sender"))),
        text=joined((*_lost_files(message, attachments), joined(map(_text, blocks)) or as_text(message.get("text")))),
        created=as_time(message.get("created_at")),
        attachments=tuple(attachments),
        model=as_text(message.get("model")),
    )


def _text(block: Plain) -> str:
    """Leaves out calls of tools and their results, but not what an artifact contains."""
    match block.get("type"):
        case "text":
            return as_text(block.get("text"))
        case "thinking":
            return as_thought(as_text(block.get("thinking")))
        case "tool_use" if block.get("name") == "artifacts":
            return _artifact(as_object(block.get("input")))
    return ""


def _artifact(artifact: Plain) -> str:
    content = as_text(artifact.get("content"))
    if content.strip() and artifact.get("type") != _MARKDOWN:
        language = _LANGUAGE.match(as_text(artifact.get("language")))
        content = fence_text(content, language[0] if language is not None else "")
    return joined((as_text(artifact.get("title")), content)) if content.strip() else ""


def _attachments(message: Plain) -> Iterator[Attachment]:
    for file in map(as_object, as_list(message.get("attachments"))):
        if text := as_text(file.get("extracted_content")):
            yield Attachment(as_text(file.get("file_name")) or _PASTED, text)


def _lost_files(message: Plain, attachments: Sequence[Attachment]) -> Iterator[str]:
    """The export names files that it doesn't contain."""
    known = {attachment.name for attachment in attachments}
    for file in map(as_object, as_list(message.get("files"))):
        name = as_text(file.get("file_name"))
        if name and name not in known:
            yield LOST_PICTURE if name.lower().endswith(_PICTURES) else f"[{name}]"

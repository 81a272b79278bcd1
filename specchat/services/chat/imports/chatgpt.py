"""Reads conversations.json of a ChatGPT export."""

import re
from collections.abc import Iterator

from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import LOST_PICTURE, ForeignChat, ForeignMessage
from specchat.services.chat.imports.untrusted import (
    FindPicture,
    Plain,
    as_list,
    as_object,
    as_text,
    as_time,
    joined,
)

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_CITATION = re.compile("\ue200[^\ue200\ue201]*\ue201")
"""Links to search results, which ChatGPT marks with private characters."""
_PICTURE = "image_asset_pointer"
_SPOKEN = "audio_transcription"
_INSTRUCTIONS = "user_editable_context"
_QUOTED = re.compile("```(.*)```", re.DOTALL)
"""What the user wrote, within what ChatGPT says about it."""


def is_conversation(plain: Plain) -> bool:
    return isinstance(plain.get("mapping"), dict)


def read_conversation(plain: Plain, find: FindPicture) -> ForeignChat:
    nodes = as_object(plain.get("mapping"))
    leaf = as_text(plain.get("current_node"))
    return ForeignChat(
        messages=[_message(name, as_object(node), find) for name, node in nodes.items()],
        title=as_text(plain.get("title")),
        created=as_time(plain.get("create_time")),
        updated=as_time(plain.get("update_time")),
        system_prompt=joined(dict.fromkeys(_system_prompts(nodes))),
        leaf=leaf or None,
        pinned=isinstance(plain.get("pinned_time"), int | float),
    )


def _message(name: str, node: Plain, find: FindPicture) -> ForeignMessage:
    parent, message = as_text(node.get("parent")) or None, as_object(node.get("message"))
    metadata, author = as_object(message.get("metadata")), as_object(message.get("author"))
    role = _ROLES.get(as_text(author.get("role")))
    is_hidden = metadata.get("is_visually_hidden_from_conversation") is True
    is_for_a_tool = as_text(message.get("recipient")) not in ("", "all")
    content = as_object(message.get("content"))
    if role is None or is_hidden or is_for_a_tool:
        return ForeignMessage(name, parent, None)
    pictures = list(_pictures(content, find))
    return ForeignMessage(
        id=name,
        parent=parent,
        role=role,
        text=_text(content, n_lost=sum(picture is None for picture in pictures)),
        created=as_time(message.get("create_time")),
        pictures=tuple(picture for picture in pictures if picture is not None),
        model=as_text(metadata.get("model_slug")),
    )


def _text(content: Plain, n_lost: int) -> str:
    """Leaves out searches, programs and reasoning."""
    match content.get("content_type"):
        case "text" | "multimodal_text":
            texts = [*[LOST_PICTURE] * n_lost, *map(_part, as_list(content.get("parts")))]
            return _CITATION.sub("", joined(texts))
        case "code":
            return f"```\n{as_text(content.get('text'))}\n```" if as_text(content.get("text")) else ""
    return ""


def _part(part: object) -> str:
    if isinstance(part, str):
        return as_text(part)
    spoken = as_object(part)
    return as_text(spoken.get("text")) if spoken.get("content_type") == _SPOKEN else ""


def _pictures(content: Plain, find: FindPicture) -> Iterator[Picture | None]:
    for part in map(as_object, as_list(content.get("parts"))):
        if part.get("content_type") == _PICTURE:
            name = as_text(part.get("asset_pointer")).rpartition("/")[2]
            yield find(name) if name else None


def _system_prompts(nodes: Plain) -> Iterator[str]:
    """Yields the custom instructions of the user, not ChatGPT's own system prompts."""
    for node in map(as_object, nodes.values()):
        message = as_object(node.get("message"))
        metadata, content = as_object(message.get("metadata")), as_object(message.get("content"))
        if content.get("content_type") == _INSTRUCTIONS:
            written = as_object(metadata.get("user_context_message_data"))
            yield _instructions(
                as_text(written.get("about_user_message")) or _unquoted(content.get("user_profile")),
                as_text(written.get("about_model_message")) or _unquoted(content.get("user_instructions")),
            )
        elif (
            as_object(message.get("author")).get("role") == "system" and metadata.get("is_user_system_message") is True
        ):
            yield _text(content, n_lost=0)


def _instructions(profile: str, wishes: str) -> str:
    return joined((f"About the user:\n{profile.strip()}" if profile.strip() else "", wishes.strip()))


def _unquoted(value: object) -> str:
    text = as_text(value)
    found = _QUOTED.search(text)
    return text if found is None else found[1]

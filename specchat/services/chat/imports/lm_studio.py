"""Reads LM Studio's *.conversation.json."""

from collections.abc import Iterator

from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import LOST_PICTURE, ForeignChat, ForeignMessage
from specchat.services.chat.imports.untrusted import (
    FindPicture,
    Plain,
    as_list,
    as_object,
    as_text,
    as_thought,
    as_time,
    first_time,
    joined,
)

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def is_conversation(plain: Plain) -> bool:
    messages = as_list(plain.get("messages"))
    has_versions = bool(messages) and isinstance(as_object(messages[0]).get("versions"), list)
    return has_versions or (isinstance(plain.get("messages"), list) and "perChatPredictionConfig" in plain)


def read_conversation(plain: Plain, find: FindPicture) -> ForeignChat:
    messages, selected = _messages(as_list(plain.get("messages")))
    return ForeignChat(
        messages=messages,
        title=as_text(plain.get("name")),
        created=as_time(plain.get("createdAt")),
        updated=first_time(plain.get("assistantLastMessagedAt"), plain.get("userLastMessagedAt")),
        system_prompt=as_text(plain.get("systemPrompt")),
        leaf=selected,
        pinned=plain.get("pinned") is True,
    )


def _messages(entries: list[object]) -> tuple[list[ForeignMessage], str | None]:
    """Each message follows the selected version of the one before."""
    messages: list[ForeignMessage] = []
    before: str | None = None
    for place, entry in enumerate(map(as_object, entries)):
        versions = [as_object(version) for version in as_list(entry.get("versions"))]
        ids = [f"{place}.{number}" for number in range(len(versions))]
        messages += [_version(own, before, version) for own, version in zip(ids, versions, strict=True)]
        if ids:
            selected = entry.get("currentlySelected")
            before = ids[selected if isinstance(selected, int) and 0 <= selected < len(ids) else -1]
    return messages, before


def _version(own: str, before: str | None, version: Plain) -> ForeignMessage:
    return ForeignMessage(
        id=own,
        parent=before,
        role=_ROLES.get(as_text(version.get("role"))),
        text=joined(_texts(version)),
        model=as_text(as_object(version.get("senderInfo")).get("senderName")),
    )


def _texts(version: Plain) -> Iterator[str]:
    """Yields the steps that are text; others are calls, or notes for developers."""
    yield _content(version)
    for step in map(as_object, as_list(version.get("steps"))):
        if step.get("type") == "contentBlock":
            text = _content(step)
            yield as_thought(text) if as_object(step.get("style")).get("type") == "thinking" else text


def _content(block: Plain) -> str:
    return "".join(map(_part, map(as_object, as_list(block.get("content")))))


def _part(part: Plain) -> str:
    """Pictures are in another folder, so they can't be read."""
    if part.get("type") == "file":
        return f"{LOST_PICTURE}\n\n" if part.get("fileType") == "image" else ""
    return as_text(part.get("text")) if part.get("type") == "text" else ""

"""Reads messages in the format of OpenAI's chat completions."""

from collections.abc import Iterator, Sequence

from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import LOST_PICTURE, ForeignChat, ForeignMessage, chain
from specchat.services.chat.imports.untrusted import (
    FindPicture,
    Plain,
    as_list,
    as_object,
    as_text,
    as_thought,
    first_time,
    joined,
    picture_from_text,
)

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_INSTRUCTIONS = ("system", "developer")
_KNOWN = (*_ROLES, *_INSTRUCTIONS, "tool", "function")
_TEXTS = ("text", "input_text", "output_text")
_PICTURES = ("image_url", "input_image")


def is_message(plain: Plain) -> bool:
    return plain.get("role") in _KNOWN and ("content" in plain or "tool_calls" in plain)


def is_request(plain: Plain) -> bool:
    messages = as_list(plain.get("messages"))
    return bool(messages) and is_message(as_object(messages[0]))


def read_request(plain: Plain, find: FindPicture) -> ForeignChat:
    chat = read_messages([as_object(message) for message in as_list(plain.get("messages"))])
    return ForeignChat(
        messages=chat.messages,
        title=as_text(plain.get("title")),
        created=first_time(plain.get("created"), plain.get("created_at")),
        system_prompt=chat.system_prompt,
    )


def read_messages(messages: Sequence[Plain]) -> ForeignChat:
    instructions = [content_text(each.get("content")) for each in messages if each.get("role") in _INSTRUCTIONS]
    return ForeignChat(chain([_message(each) for each in messages]), system_prompt=joined(instructions))


def content_text(content: object) -> str:
    """Returns the text of a string, or of content parts."""
    if isinstance(content, str):
        return as_text(content)
    return joined(map(_part_text, map(as_object, as_list(content))))


def content_pictures(content: object) -> Iterator[Picture]:
    for part in map(as_object, as_list(content)):
        if (picture := _picture(part)) is not None:
            yield picture


def _message(message: Plain) -> ForeignMessage:
    content = message.get("content")
    thought = as_thought(as_text(message.get("reasoning_content")))
    return ForeignMessage(
        id="",
        parent=None,
        role=_ROLES.get(as_text(message.get("role"))),
        text=joined((thought, content_text(content))),
        created=first_time(message.get("created"), message.get("created_at"), message.get("timestamp")),
        pictures=tuple(content_pictures(content)),
    )


def _part_text(part: Plain) -> str:
    if part.get("type") in _PICTURES:
        return "" if _picture(part) is not None else LOST_PICTURE
    return as_text(part.get("text")) if part.get("type") in _TEXTS else ""


def _picture(part: Plain) -> Picture | None:
    if part.get("type") not in _PICTURES:
        return None
    address = part.get("image_url")
    return picture_from_text(as_object(address).get("url") if isinstance(address, dict) else address)

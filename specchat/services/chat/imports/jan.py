"""Reads threads of Jan: a thread.json and the messages.jsonl beside it."""

from collections.abc import Iterator, Sequence

from specchat.domain.pictures import Picture
from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import ForeignChat, ForeignMessage, chain
from specchat.services.chat.imports.untrusted import (
    Plain,
    as_list,
    as_object,
    as_text,
    first_time,
    joined,
    picture_from_text,
)

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


def is_message(plain: Plain) -> bool:
    return plain.get("object") == "thread.message"


def read_messages(messages: Sequence[Plain]) -> ForeignChat:
    return ForeignChat(chain([_message(each) for each in messages]))


def read_thread(thread: Plain, messages: Sequence[Plain]) -> ForeignChat:
    assistants = [as_object(each) for each in as_list(thread.get("assistants"))]
    return ForeignChat(
        messages=read_messages(messages).messages,
        title=as_text(thread.get("title")) or as_text(as_object(thread.get("metadata")).get("title")),
        created=first_time(thread.get("created"), thread.get("created_at")),
        updated=first_time(thread.get("updated"), thread.get("updated_at")),
        system_prompt=joined(as_text(each.get("instructions")) for each in assistants),
    )


def _message(message: Plain) -> ForeignMessage:
    parts = [as_object(part) for part in as_list(message.get("content"))]
    return ForeignMessage(
        id="",
        parent=None,
        role=_ROLES.get(as_text(message.get("role"))),
        text=joined(map(_text, parts)),
        created=first_time(message.get("created_at"), message.get("created")),
        pictures=tuple(_pictures(parts)),
    )


def _text(part: Plain) -> str:
    text = part.get("text")
    return as_text(as_object(text).get("value")) if isinstance(text, dict) else as_text(text)


def _pictures(parts: Sequence[Plain]) -> Iterator[Picture]:
    for part in parts:
        if (picture := picture_from_text(as_object(part.get("image_url")).get("url"))) is not None:
            yield picture

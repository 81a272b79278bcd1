"""Reads chats that Open WebUI exported."""

import html
import re
from collections.abc import Mapping, Sequence

from specchat.domain.conversations import Attachment
from specchat.domain.types import Role
from specchat.services.chat.imports.foreign_chat import ForeignChat, ForeignMessage, chain
from specchat.services.chat.imports.openai_messages import content_pictures, content_text
from specchat.services.chat.imports.untrusted import (
    FindPicture,
    Plain,
    as_list,
    as_object,
    as_text,
    as_thought,
    as_time,
    first_time,
    picture_from_text,
)

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_DETAILS = re.compile(r'<details type="(\w+)"[^<>]*>')
_DETAILS_END = re.compile(r"</details>\s*")
_SUMMARY, _SUMMARY_END = "<summary>", "</summary>"
_QUOTED = re.compile(r"^> ?", re.MULTILINE)


def is_chat(plain: Plain) -> bool:
    chat = _chat(plain)
    return _has_history(chat) or (chat is not plain and isinstance(chat.get("messages"), list))


def read_chat(plain: Plain, find: FindPicture) -> ForeignChat:
    chat = _chat(plain)
    history = as_object(chat.get("history"))
    messages = _tree(as_object(history.get("messages"))) or chain(_list(as_list(chat.get("messages"))))
    return ForeignChat(
        messages=messages,
        title=as_text(plain.get("title")) or as_text(chat.get("title")),
        created=first_time(plain.get("created_at"), chat.get("timestamp")),
        updated=first_time(plain.get("updated_at"), chat.get("timestamp")),
        system_prompt=as_text(chat.get("system")) or as_text(as_object(chat.get("params")).get("system")),
        leaf=as_text(history.get("currentId")) or None,
        pinned=plain.get("pinned") is True,
    )


def _chat(plain: Plain) -> Plain:
    """Returns the chat without the fields that the server adds, if there are any."""
    return as_object(plain["chat"]) if isinstance(plain.get("chat"), dict) else plain


def _has_history(chat: Plain) -> bool:
    return isinstance(as_object(chat.get("history")).get("messages"), dict)


def _tree(messages: Plain) -> list[ForeignMessage]:
    return [_message(name, as_object(message)) for name, message in messages.items()]


def _list(messages: Sequence[object]) -> list[ForeignMessage]:
    return [_message("", as_object(message)) for message in messages]


def _message(name: str, message: Plain) -> ForeignMessage:
    files = [as_object(file) for file in as_list(message.get("files"))]
    pictures = [picture_from_text(file.get("url"), as_text(file.get("name"))) for file in files if _is_picture(file)]
    content = message.get("content")
    return ForeignMessage(
        id=name,
        parent=as_text(message.get("parentId")) or None,
        role=_ROLES.get(as_text(message.get("role"))),
        text=_without_details(content_text(content)),
        created=as_time(message.get("timestamp")),
        pictures=(*content_pictures(content), *(picture for picture in pictures if picture is not None)),
        attachments=tuple(filter(None, map(_attachment, files))),
        model=as_text(message.get("model")),
    )


def _is_picture(file: Mapping[str, object]) -> bool:
    return file.get("type") == "image" or as_text(file.get("content_type")).startswith("image/")


def _attachment(file: Plain) -> Attachment | None:
    stored = as_object(file.get("file"))
    text = as_text(as_object(stored.get("data")).get("content"))
    name = as_text(file.get("name")) or as_text(stored.get("filename"))
    return Attachment(name, text) if name and text else None


def _without_details(text: str) -> str:
    """Keeps reasoning, and drops calls. Searching for beginnings and ends separately takes linear time, even if many
    sections never end.
    """
    pieces, at = list[str](), 0
    while (begin := _DETAILS.search(text, at)) and (end := _DETAILS_END.search(text, begin.end())):
        pieces.append(text[at : begin.start()])
        if begin[1] == "reasoning":
            pieces.append(_thought(text[begin.end() : end.start()]))
        at = end.end()
    return "".join([*pieces, text[at:]])


def _thought(details: str) -> str:
    summary, end, body = details.partition(_SUMMARY_END)
    quoted = body if end and summary.lstrip().startswith(_SUMMARY) else details
    thought = as_thought(_QUOTED.sub("", html.unescape(quoted.strip("\n"))))
    return f"{thought}\n\n" if thought else ""

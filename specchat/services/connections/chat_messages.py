"""Messages as OpenAI's API has them."""

from collections.abc import Sequence
from dataclasses import replace

from specchat.domain.data_uris import to_data_uri
from specchat.domain.types import Message, Role
from specchat.services.chat.prompt_fitting import merge_same_role


def plain_messages(messages: Sequence[Message], *, thoughts: bool = False) -> list[dict[str, object]]:
    """`thoughts`: with what was thought before calls."""
    return [_plain(message, thoughts=thoughts) for message in messages]


def without_calls(messages: Sequence[Message]) -> tuple[Message, ...]:
    """With the results of earlier calls as text, for a request that offers no tools: engines refuse calls in these, and
    strict templates do.
    """
    if all(message.role is not Role.TOOL for message in messages):
        return tuple(messages)
    said = (message for message in messages if message.content or message.pictures or not message.tool_calls)
    return tuple(merge_same_role([_without_call(message) for message in said]))


def _without_call(message: Message) -> Message:
    if message.role is Role.TOOL:
        return Message(Role.USER, f"Result of {message.name}:\n{message.content}")
    return replace(message, tool_calls=(), thought="") if message.tool_calls else message


def _plain(message: Message, *, thoughts: bool) -> dict[str, object]:
    plain: dict[str, object] = {"role": str(message.role), "content": _content(message)}
    if message.tool_calls:
        plain["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.thought and thoughts:
        plain["reasoning_content"] = message.thought
    if message.role is Role.TOOL:
        plain["tool_call_id"] = message.tool_call_id
    if message.name:
        plain["name"] = message.name
    return plain


def _content(message: Message) -> str | list[dict[str, object]]:
    if not message.pictures:
        return message.content
    parts: list[dict[str, object]] = [
        {"type": "image_url", "image_url": {"url": to_data_uri(picture)}} for picture in message.pictures
    ]
    return [*parts, {"type": "text", "text": message.content}] if message.content else parts

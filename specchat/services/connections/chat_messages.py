"""Messages as OpenAI's API has them."""

from collections.abc import Sequence

from specchat.domain.data_uris import to_data_uri
from specchat.domain.types import Message, Role


def plain_messages(messages: Sequence[Message]) -> list[dict[str, object]]:
    return [_plain(message) for message in messages]


def _plain(message: Message) -> dict[str, object]:
    plain: dict[str, object] = {"role": str(message.role), "content": _content(message)}
    if message.tool_calls:
        plain["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
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

"""Messages as OpenAI's API has them."""

from collections.abc import Sequence

from specchat.domain.types import Message, Role


def plain_messages(messages: Sequence[Message]) -> list[dict[str, object]]:
    return [_plain(message) for message in messages]


def _plain(message: Message) -> dict[str, object]:
    plain: dict[str, object] = {"role": str(message.role), "content": message.content}
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

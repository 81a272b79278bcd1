"""Converts messages to the dictionaries that chat templates expect."""

import json
from dataclasses import replace
from hashlib import sha256

from specchat.domain.nesting import is_nested_deeper
from specchat.domain.types import Message, Role, ToolCall

WireMessage = dict[str, object]

_SHORT = 9
"""The length of a call's ID of letters and digits; Mistral's templates reject all others."""
_DEEPEST = 100


def wire_message(message: Message) -> WireMessage:
    wire: WireMessage = {"role": str(message.role), "content": message.content}
    if message.name:
        wire["name"] = message.name
    if message.tool_call_id:
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire["tool_calls"] = [_wire_call(call, _arguments(call)) for call in message.tool_calls]
    if message.thought:
        wire["reasoning_content"] = message.thought
    return wire


def with_short_ids(message: Message) -> WireMessage:
    calls = tuple(replace(call, id=_short(call.id)) for call in message.tool_calls)
    answered = _short(message.tool_call_id) if message.role is Role.TOOL else ""
    return wire_message(replace(message, tool_calls=calls, tool_call_id=answered))


def with_arguments_as_text(message: Message) -> WireMessage:
    wire = wire_message(message)
    if message.tool_calls:
        wire["tool_calls"] = [_wire_call(call, call.arguments) for call in message.tool_calls]
    return wire


def without_thought(message: Message) -> WireMessage:
    return wire_message(replace(message, thought=""))


def with_typed_content(message: Message) -> WireMessage:
    return {**wire_message(message), "content": [{"type": "text", "text": message.content}]}


def encodable_message(message: Message) -> Message:
    calls = tuple(
        ToolCall(encodable(call.id), encodable(call.name), encodable(call.arguments)) for call in message.tool_calls
    )
    return Message(
        message.role,
        encodable(message.content),
        calls,
        encodable(message.tool_call_id),
        encodable(message.name),
        encodable(message.thought),
    )


def encodable(text: str) -> str:
    """Replaces halves of characters (lone surrogates), which UTF-8 can't encode, with replacement characters."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _wire_call(call: ToolCall, arguments: object) -> WireMessage:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _arguments(call: ToolCall) -> object:
    try:
        arguments = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return call.arguments
    return call.arguments if is_nested_deeper(arguments, _DEEPEST) else arguments


def _short(call_id: str) -> str:
    """Returns a short ID, which is the same for a call and its result."""
    if len(call_id) == _SHORT and call_id.isalnum():
        return call_id
    return sha256(call_id.encode()).hexdigest()[:_SHORT]

"""Parses the messages and tools of a request."""

import json
import re
from collections.abc import Collection, Mapping, Sequence

from specchat.domain.pictures import Picture
from specchat.domain.printable_text import printable_text
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, Role, Tool, ToolCall
from specchat.server.errors import BadRequestError
from specchat.server.pictures import check_number, picture_from_part
from specchat.server.recordings import check_recordings, recording_from_part
from specchat.server.request_fields import RequestFields, raise_invalid_value

MAX_MESSAGES = 10_000
MAX_TOOLS = 128
_LONGEST_TOOLS = 1 << 20
_MOST_PARTS = 1_000
_LONGEST_KIND = 60

_ROLES = {str(role): role for role in Role} | {"developer": Role.SYSTEM}
_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_CHOICES = ("auto", "none", "required")
_NO_PARAMETERS = {"type": "object", "properties": {}}


def parse_messages(body: RequestFields) -> tuple[Message, ...]:
    body.required("messages")
    found = tuple(map(_message, body.get_items("messages", MAX_MESSAGES)))
    return found or raise_invalid_value("messages", "must hold at least one message")


def parse_tools(body: RequestFields) -> tuple[Tool, ...]:
    return check_tools(body, list(map(_tool, body.get_items("tools", MAX_TOOLS))))


def check_tools(body: RequestFields, found: Sequence[Tool]) -> tuple[Tool, ...]:
    if len(set(map(_name, found))) < len(found):
        raise_invalid_value("tools", "must have unique names")
    if len(json.dumps(found)) > _LONGEST_TOOLS:
        raise_invalid_value(body.param("tools"), "are too long")
    return tuple(found)


def parse_tool_choice(body: RequestFields, known: tuple[Tool, ...]) -> str:
    choice = body.get("tool_choice")
    match choice:
        case None:
            return "auto"
        case str() if choice in _CHOICES:
            name = choice
        case dict():
            name = parse_tool_name(body.get_fields("tool_choice").get_fields("function"), known)
        case _:
            raise_invalid_value("tool_choice", "must be auto, none, or required, or name a function")
    if not known and name == "required":
        raise_invalid_value("tool_choice", "needs tools")
    return name


def parse_tool_name(chosen: RequestFields, known: Sequence[Tool]) -> str:
    name = chosen.required_text("name")
    return name if name in map(_name, known) else raise_invalid_value("tool_choice", "must name one of the tools")


def parse_role(message: RequestFields, among: Collection[str] = _ROLES.keys()) -> Role:
    role = message.required_text("role")
    if role not in among:
        raise_invalid_value(message.param("role"), f"must be one of {', '.join(among)}")
    return _ROLES[role]


def _message(fields: RequestFields) -> Message:
    role = parse_role(fields)
    calls = tuple(map(_call, fields.get_items("tool_calls", MAX_TOOLS)))
    if calls and role is not Role.ASSISTANT:
        raise_invalid_value(fields.param("tool_calls"), "are allowed only in assistant messages")
    text, pictures, recordings = _content(fields, role)
    return Message(
        role,
        text,
        calls,
        fields.get_text("tool_call_id") or "",
        fields.get_text("name") or "",
        fields.get_text("reasoning_content") or "",
        pictures,
        recordings,
    )


def _content(fields: RequestFields, role: Role) -> tuple[str, tuple[Picture, ...], tuple[Recording, ...]]:
    if role is Role.ASSISTANT and "content" not in fields:
        return "", (), ()
    fields.required("content")
    content = fields.get_text_or_items("content", _MOST_PARTS)
    if isinstance(content, str):
        return content, (), ()
    parts = [_part(part, role) for part in content]
    pictures = [part for part in parts if isinstance(part, Picture)]
    recordings = [part for part in parts if isinstance(part, Recording)]
    text, param = "".join(part for part in parts if isinstance(part, str)), fields.param("content")
    return text, check_number(pictures, param), check_recordings(recordings, param)


def _part(part: RequestFields, role: Role) -> str | Picture | Recording:
    match part.required_text("type"):
        case "text":
            return part.required_text("text")
        case "image_url" if role is Role.USER:
            return picture_from_part(part)
        case "input_audio" if role is Role.USER:
            return recording_from_part(part)
        case kind:
            raise unsupported_part(part, kind)


def unsupported_part(part: RequestFields, kind: str | None) -> BadRequestError:
    said = printable_text(kind or "This", "")[:_LONGEST_KIND]
    message = f"{said} is not supported here. Messages can have text, and those of users also have media and documents."
    return BadRequestError(message, part.param("type"), "unsupported_value")


def _call(call: RequestFields) -> ToolCall:
    function = call.get_fields("function")
    name = function.required_text("name")
    arguments = function.required_text("arguments")
    return ToolCall(call.get_text("id") or "", name, arguments)


def _tool(tool: RequestFields) -> Tool:
    kind = tool.required_text("type")
    if kind != "function":
        raise BadRequestError(f"Tools of type {kind} are not supported.", tool.param("type"), "unsupported_value")
    return tool_of(tool.get_fields("function"), "parameters")


def tool_of(function: RequestFields, parameters: str) -> Tool:
    """`parameters`: what its schema is called."""
    name = function.required_text("name")
    if not _NAME.fullmatch(name):
        raise_invalid_value(function.param("name"), "must have 1 to 64 letters, digits, dots, dashes, or underscores")
    if name in _CHOICES:
        raise_invalid_value(function.param("name"), "is reserved in tool_choice")
    about: dict[str, object] = {"name": name, "description": function.get_text("description") or ""}
    about["parameters"] = dict(function.get_bounded_object(parameters)) if parameters in function else _NO_PARAMETERS
    return {"type": "function", "function": about}


def _name(tool: Tool) -> object:
    function = tool["function"]
    return function["name"] if isinstance(function, Mapping) else None

"""The conversation of a request, and the tools that the model may call."""

import json
import re
from collections.abc import Mapping

from specchat.domain.serving import Tool
from specchat.domain.types import Message, Role, ToolCall
from specchat.server.errors import BadRequest
from specchat.server.fields import Fields, a_text, wrong

MOST_MESSAGES = 10_000
MOST_TOOLS = 128
_LONGEST_TOOLS = 1 << 20
_MOST_PARTS = 1_000

_ROLES = {str(role): role for role in Role} | {"developer": Role.SYSTEM}
_NAME = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_CHOICES = ("auto", "none", "required")
_NO_PARAMETERS = {"type": "object", "properties": {}}


def messages(body: Fields) -> tuple[Message, ...]:
    body.required("messages")
    found = tuple(map(_message, body.items("messages", MOST_MESSAGES)))
    return found or wrong("messages", "must hold at least one message")


def tools(body: Fields) -> tuple[Tool, ...]:
    found = tuple(map(_tool, body.items("tools", MOST_TOOLS)))
    if len(set(map(_name, found))) < len(found):
        wrong("tools", "must have different names")
    if len(json.dumps(found)) > _LONGEST_TOOLS:
        wrong("tools", "are too long")
    return found


def tool_choice(body: Fields, known: tuple[Tool, ...]) -> str:
    choice = body.get("tool_choice")
    match choice:
        case None:
            return "auto"
        case str() if choice in _CHOICES:
            name = choice
        case dict():
            name = a_text(body.fields("tool_choice").fields("function").required("name"), "tool_choice.function.name")
            if name not in map(_name, known):
                wrong("tool_choice", "must name one of the tools")
        case _:
            wrong("tool_choice", "must be auto, none, required, or name a function")
    if not known and name == "required":
        wrong("tool_choice", "needs tools")
    return name


def _message(fields: Fields) -> Message:
    role = a_text(fields.required("role"), fields.param("role"))
    if role not in _ROLES:
        wrong(fields.param("role"), f"must be one of {', '.join(_ROLES)}")
    calls = tuple(map(_call, fields.items("tool_calls", MOST_TOOLS)))
    if calls and role != Role.ASSISTANT:
        wrong(fields.param("tool_calls"), "belong to the assistant")
    return Message(
        _ROLES[role],
        _content(fields, may_be_missing=role == Role.ASSISTANT),
        calls,
        fields.text("tool_call_id") or "",
        fields.text("name") or "",
    )


def _content(fields: Fields, *, may_be_missing: bool) -> str:
    if may_be_missing and "content" not in fields:
        return ""
    content = fields.required("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        wrong(fields.param("content"), "must be a text or a list of parts")
    return "".join(map(_part, fields.items("content", _MOST_PARTS)))


def _part(part: Fields) -> str:
    kind = a_text(part.required("type"), part.param("type"))
    if kind != "text":
        param = part.param("type")
        raise BadRequest(f"{kind} is not supported here: only text is.", param, "unsupported_value")
    return a_text(part.required("text"), part.param("text"))


def _call(call: Fields) -> ToolCall:
    function = call.fields("function")
    name = a_text(function.required("name"), function.param("name"))
    arguments = a_text(function.required("arguments"), function.param("arguments"))
    return ToolCall(call.text("id") or "", name, arguments)


def _tool(tool: Fields) -> Tool:
    kind = a_text(tool.required("type"), tool.param("type"))
    if kind != "function":
        raise BadRequest(f"Tools of type {kind} are not supported.", tool.param("type"), "unsupported_value")
    function = tool.fields("function")
    name = a_text(function.required("name"), function.param("name"))
    if not _NAME.fullmatch(name):
        wrong(function.param("name"), "must have 1 to 64 letters, digits, dots, dashes or underscores")
    if name in _CHOICES:
        wrong(function.param("name"), "means something else in tool_choice")
    about: dict[str, object] = {"name": name, "description": function.text("description") or ""}
    about["parameters"] = dict(function.shallow("parameters")) if "parameters" in function else _NO_PARAMETERS
    return {"type": "function", "function": about}


def _name(tool: Tool) -> object:
    function = tool["function"]
    return function["name"] if isinstance(function, Mapping) else None

"""Parses requests of OpenAI's Responses API."""

import json
from collections.abc import Iterator
from dataclasses import replace

from specchat.domain.completions import CompletionTask
from specchat.domain.nesting import is_nested_deeper
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, Role, Tool, ToolCall
from specchat.server.completion_request import MAX_TOKENS, ApiRequest, parse_sampling
from specchat.server.errors import BadRequestError
from specchat.server.messages import (
    MAX_MESSAGES,
    MAX_TOOLS,
    check_tools,
    parse_role,
    parse_tool_name,
    tool_of,
    unsupported_part,
)
from specchat.server.pictures import check_number, picture_from_part
from specchat.server.recordings import check_recordings, recording_from_part
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_text

_TEXT_PARTS = ("input_text", "output_text", "text", "refusal", "summary_text", "reasoning_text")
_PICTURE_PART = "input_image"
_RECORDING_PART = "input_audio"
_MOST_PARTS = 1_000
_DEEPEST = 100
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")


def parse_responses_request(body: RequestFields, client: str) -> ApiRequest:
    for name in ("previous_response_id", "conversation", "prompt"):
        body.reject(name)
    body.reject("background", False)
    tools = check_tools(body, [_tool(each) for each in body.get_items("tools", MAX_TOOLS)])
    task = CompletionTask(
        prompt=(*_instructions(body), *_input(body)),
        sampling=parse_sampling(body),
        max_tokens=body.get_integer("max_output_tokens", 1, MAX_TOKENS),
        json_schema=_schema(body.get_fields("text").get_fields("format")),
        tools=tools,
        tool_choice=_tool_choice(body, tools),
        one_call=not body.get_flag("parallel_tool_calls", default=True),
        thoughts_apart=True,
        template_variables=_effort(body),
        client=client,
    )
    return ApiRequest((task,), body.get_flag("stream"), model=body.model)


def repeated_fields(body: RequestFields) -> dict[str, object]:
    """Returns the fields of a request that its response repeats."""
    usual: dict[str, object] = {
        "instructions": None,
        "max_output_tokens": None,
        "metadata": {},
        "parallel_tool_calls": True,
        "reasoning": None,
        "temperature": None,
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "truncation": "disabled",
    }
    repeated = {name: body.get(name) if name in body else value for name, value in usual.items()}
    if is_nested_deeper(repeated, _DEEPEST):
        raise_invalid_value(None, "is nested too deeply")
    try:
        json.dumps(repeated, allow_nan=False)
    except ValueError:
        raise_invalid_value(None, "has a number that is too large")
    return repeated


def _instructions(body: RequestFields) -> Iterator[Message]:
    text = body.get_text("instructions")
    if text:
        yield Message(Role.SYSTEM, text)


def _input(body: RequestFields) -> tuple[Message, ...]:
    body.required("input")
    given = body.get_text_or_items("input", MAX_MESSAGES)
    if isinstance(given, str):
        return (Message(Role.USER, given),)
    messages: list[Message] = []
    for item in given:
        _add(messages, _message(item))
    return tuple(messages) or raise_invalid_value("input", "must hold at least one item")


def _message(item: RequestFields) -> Message:
    match item.get_text("type"):
        case None | "message":
            role = parse_role(item)
            if role is not Role.USER:
                return Message(role, _text(item, "content"))
            text = _text(item, "content", may_have_media=True)
            return Message(role, text, pictures=_pictures(item), recordings=_recordings(item))
        case "reasoning":
            return Message(Role.ASSISTANT, "", thought=_text(item, "content") or _text(item, "summary"))
        case "function_call":
            name, arguments = item.required_text("name"), item.required_text("arguments")
            return Message(Role.ASSISTANT, "", (ToolCall(item.required_text("call_id"), name, arguments),))
        case "function_call_output":
            call_id = item.required_text("call_id")
            return Message(Role.TOOL, _text(item, "output"), tool_call_id=call_id)
        case kind:
            raise unsupported_part(item, kind)


def _add(messages: list[Message], message: Message) -> None:
    """What the assistant thought, said and called in one turn is one message of it."""
    last = messages[-1] if messages else None
    if last is not None and last.role is message.role is Role.ASSISTANT and not (last.content and message.content):
        messages[-1] = replace(
            last,
            content=last.content + message.content,
            tool_calls=(*last.tool_calls, *message.tool_calls),
            thought=last.thought + message.thought,
        )
    else:
        messages.append(message)


def _pictures(item: RequestFields) -> tuple[Picture, ...]:
    if not isinstance(item.get("content"), list):
        return ()
    parts = item.get_items("content", _MOST_PARTS)
    found = [picture_from_part(part) for part in parts if part.get_text("type") == _PICTURE_PART]
    return check_number(found, item.param("content"))


def _recordings(item: RequestFields) -> tuple[Recording, ...]:
    if not isinstance(item.get("content"), list):
        return ()
    parts = item.get_items("content", _MOST_PARTS)
    found = [recording_from_part(part) for part in parts if part.get_text("type") == _RECORDING_PART]
    return check_recordings(found, item.param("content"))


def _text(item: RequestFields, name: str, *, may_have_media: bool = False) -> str:
    given = item.get_text_or_items(name, _MOST_PARTS) if name in item else ""
    if isinstance(given, str):
        return given
    parts = []
    for part in given:
        kind = part.get_text("type")
        if may_have_media and kind in (_PICTURE_PART, _RECORDING_PART):
            continue
        if kind not in _TEXT_PARTS:
            raise unsupported_part(part, kind)
        parts.append(require_text(part.get("text") or part.get("refusal") or "", part.param("text")))
    return "".join(parts)


def _tool(fields: RequestFields) -> Tool:
    kind = fields.required_text("type")
    if kind != "function":
        raise BadRequestError(f"Tools of type {kind} are not supported.", fields.param("type"), "unsupported_value")
    return tool_of(fields, "parameters")


def _tool_choice(body: RequestFields, tools: tuple[Tool, ...]) -> str:
    choice = body.get("tool_choice")
    if choice is None:
        return "auto"
    if choice in ("auto", "none", "required"):
        return str(choice) if tools or choice != "required" else raise_invalid_value("tool_choice", "needs tools")
    fields = body.get_fields("tool_choice") if isinstance(choice, dict) else None
    if fields is None or fields.get_text("type") != "function":
        raise_invalid_value("tool_choice", "must be auto, none, or required, or name a function")
    return parse_tool_name(fields, tools)


def _schema(given: RequestFields) -> str:
    match given.get_text("type"):
        case None | "text":
            return ""
        case "json_object":
            return "{}"
        case "json_schema":
            return json.dumps(given.get_bounded_object("schema"))
    return raise_invalid_value("text.format.type", "must be text, json_object, or json_schema")


def _effort(body: RequestFields) -> dict[str, object]:
    effort = body.get_fields("reasoning").get_text("effort")
    if effort is None:
        return {}
    if effort not in _EFFORTS:
        raise_invalid_value("reasoning.effort", f"must be one of {', '.join(_EFFORTS)}")
    return {"reasoning_effort": effort, "enable_thinking": effort != "none"}

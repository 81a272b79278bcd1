"""Parses requests for messages in Anthropic's form."""

import json
from collections.abc import Iterator, Sequence

from specchat.domain.completions import CompletionTask
from specchat.domain.pictures import Picture
from specchat.domain.types import Message, Role, Tool, ToolCall
from specchat.server.completion_request import MAX_TOKENS, ApiRequest, parse_sampling, parse_stops
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
from specchat.server.pictures import check_number, picture_from_source
from specchat.server.request_fields import RequestFields, raise_invalid_value

_MOST_BLOCKS = 10_000
_ROLES = (Role.USER, Role.ASSISTANT, Role.SYSTEM)
_CHOICES = {"auto": "auto", "any": "required", "none": "none"}


def parse_anthropic_request(body: RequestFields, client: str) -> ApiRequest:
    longest = body.get_integer("max_tokens", 1, MAX_TOKENS)
    if longest is None:
        body.required("max_tokens")
    task = _task(body, client, longest)
    return ApiRequest((task,), body.get_flag("stream"), model=body.model)


def parse_anthropic_prompt(body: RequestFields, client: str) -> CompletionTask:
    """Parses the messages whose tokens are counted."""
    return _task(body, client, None)


def _task(body: RequestFields, client: str, longest: int | None) -> CompletionTask:
    body.get_text("model")
    body.reject("mcp_servers", [])
    messages = (*_system(body), *_messages(body))
    begun = ""
    if len(messages) > 1 and messages[-1].role is Role.ASSISTANT and not messages[-1].tool_calls:
        *_, last = messages
        messages, begun = messages[:-1], last.content.rstrip()
    tools = check_tools(body, [tool for each in body.get_items("tools", MAX_TOOLS) for tool in _tools(each)])
    choice = body.get_fields("tool_choice")
    return CompletionTask(
        prompt=messages,
        begun=begun,
        sampling=parse_sampling(body),
        max_tokens=longest,
        stop=parse_stops(body, "stop_sequences"),
        json_schema=_schema(body),
        tools=tools,
        tool_choice=_choice(choice, tools),
        one_call=choice.get_flag("disable_parallel_tool_use"),
        thoughts_apart=True,
        template_variables=_thinking(body),
        client=client,
    )


def _system(body: RequestFields) -> Iterator[Message]:
    text = _text(body, "system", "\n\n") if "system" in body else ""
    if text:
        yield Message(Role.SYSTEM, text)


def _messages(body: RequestFields) -> list[Message]:
    body.required("messages")
    found = [part for message in body.get_items("messages", MAX_MESSAGES) for part in _message(message)]
    return found or raise_invalid_value("messages", "must hold at least one message")


def _message(fields: RequestFields) -> Iterator[Message]:
    role = parse_role(fields, _ROLES)
    fields.required("content")
    content = fields.get_text_or_items("content", _MOST_BLOCKS)
    if isinstance(content, str):
        yield Message(role, content)
    elif role is Role.ASSISTANT:
        yield _assistant(content)
    else:
        yield from _user(content, role, fields.param("content"))


def _assistant(blocks: Sequence[RequestFields]) -> Message:
    text, thought, calls = "", "", list[ToolCall]()
    for block in blocks:
        match block.get_text("type"):
            case "text":
                text += block.required_text("text")
            case "thinking":
                thought += block.required_text("thinking")
            case "redacted_thinking":
                continue
            case "tool_use":
                name = block.required_text("name")
                arguments = json.dumps(dict(block.get_bounded_object("input")), ensure_ascii=False)
                calls.append(ToolCall(block.get_text("id") or "", name, arguments))
            case kind:
                raise unsupported_part(block, kind)
    return Message(Role.ASSISTANT, text, tuple(calls), thought=thought)


def _user(blocks: Sequence[RequestFields], role: Role, param: str) -> Iterator[Message]:
    """Results of tools are messages of their own."""
    text, pictures = "", list[Picture]()
    for block in blocks:
        match block.get_text("type"):
            case "text":
                text += block.required_text("text")
            case "image" if role is Role.USER:
                pictures.append(picture_from_source(block))
                check_number(pictures, param)
            case "tool_result":
                if text or pictures:
                    yield Message(role, text, pictures=tuple(pictures))
                    text, pictures = "", []
                answered = block.required_text("tool_use_id")
                yield Message(Role.TOOL, _text(block, "content", "") if "content" in block else "", (), answered)
            case kind:
                raise unsupported_part(block, kind)
    if text or pictures:
        yield Message(role, text, pictures=tuple(pictures))


def _text(fields: RequestFields, name: str, between: str) -> str:
    given = fields.get_text_or_items(name, _MOST_BLOCKS)
    if isinstance(given, str):
        return given
    parts = []
    for block in given:
        if block.get_text("type") != "text":
            raise unsupported_part(block, block.get_text("type"))
        parts.append(block.required_text("text"))
    return between.join(parts)


def _tools(fields: RequestFields) -> Iterator[Tool]:
    kind = fields.get_text("type")
    if kind not in (None, "custom"):
        raise BadRequestError(
            f"Tools of type {kind} run at Anthropic and are not supported here.",
            fields.param("type"),
            "unsupported_value",
        )
    yield tool_of(fields, "input_schema")


def _choice(choice: RequestFields, tools: tuple[Tool, ...]) -> str:
    kind = choice.get_text("type")
    if kind is None:
        return "auto"
    if kind == "tool":
        return parse_tool_name(choice, tools)
    if kind not in _CHOICES:
        raise_invalid_value(choice.param("type"), "must be auto, any, tool, or none")
    if kind == "any" and not tools:
        raise_invalid_value("tool_choice", "needs tools")
    return _CHOICES[kind]


def _schema(body: RequestFields) -> str:
    """Of `output_config.format`, or `output_format` as it was called before."""
    given = body.get_fields("output_config").get_fields("format")
    given = given if "type" in given else body.get_fields("output_format")
    return json.dumps(given.get_bounded_object("schema")) if "type" in given else ""


def _thinking(body: RequestFields) -> dict[str, object]:
    match body.get_fields("thinking").get_text("type"):
        case None:
            return {}
        case "enabled" | "adaptive":
            return {"enable_thinking": True}
        case "disabled":
            return {"enable_thinking": False}
    return raise_invalid_value("thinking.type", "must be enabled, adaptive, or disabled")

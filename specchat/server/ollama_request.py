"""Parses chats and prompts in Ollama's form."""

import json
from dataclasses import replace

from specchat.domain.completions import CompletionTask, InfillPrompt
from specchat.domain.types import Message, Role, ToolCall
from specchat.server.completion_request import (
    LLAMA_LIMITS,
    MAX_TOKENS,
    ApiRequest,
    parse_sampling,
    parse_stops,
    parse_top_logprobs,
)
from specchat.server.messages import MAX_MESSAGES, MAX_TOOLS, parse_role, parse_tools
from specchat.server.pictures import pictures_from_list
from specchat.server.request_fields import RequestFields, raise_invalid_value

_EFFORTS = ("low", "medium", "high", "max")


def parse_ollama_chat(body: RequestFields, client: str) -> ApiRequest | None:
    """None: without messages it asks to load the model."""
    messages = _messages(body)
    return _asked(body, replace(_task(body, client), prompt=messages, tools=parse_tools(body))) if messages else None


def parse_ollama_prompt(body: RequestFields, client: str) -> ApiRequest | None:
    """None: without a prompt it asks to load the model."""
    prompt, suffix = body.get_text("prompt") or "", body.get_text("suffix") or ""
    pictures = pictures_from_list(body, "images")
    task = _task(body, client)
    if pictures and (suffix or body.get_flag("raw")):
        raise_invalid_value("images", "can't be combined with suffix or raw")
    if suffix:
        return _asked(body, replace(task, prompt=InfillPrompt(prompt, suffix)))
    if not (prompt or pictures):
        return None
    if body.get_flag("raw"):
        return _asked(body, replace(task, prompt=prompt))
    system = body.get_text("system")
    before = [Message(Role.SYSTEM, system)] if system else []
    return _asked(body, replace(task, prompt=(*before, Message(Role.USER, prompt, pictures=pictures))))


def is_unloading(body: RequestFields) -> bool:
    """Where it asks nothing else."""
    return body.get("keep_alive") in (0, "0", "0s", "0m", "0h")


def _asked(body: RequestFields, task: CompletionTask) -> ApiRequest:
    return ApiRequest((task,), body.get_flag("stream", default=True), model=body.model)


def _task(body: RequestFields, client: str) -> CompletionTask:
    """Without its prompt."""
    body.reject("template", "")
    options = body.get_fields("options")
    longest = options.get_integer("num_predict", -2, MAX_TOKENS)
    return CompletionTask(
        prompt="",
        sampling=parse_sampling(options, LLAMA_LIMITS),
        max_tokens=None if longest is None or longest < 0 else longest,
        stop=parse_stops(options),
        top_logprobs=parse_top_logprobs(body),
        json_schema=_schema(body),
        thoughts_apart=body.get("think") is not False,
        template_variables=_thinking(body),
        client=client,
    )


def _messages(body: RequestFields) -> tuple[Message, ...]:
    """Answers of tools belong to the calls before them, in their order: Ollama's have no ids."""
    open_calls: list[ToolCall] = []
    messages = []
    for number, fields in enumerate(body.get_items("messages", MAX_MESSAGES)):
        message = _message(fields, number, open_calls)
        open_calls = [*message.tool_calls] or open_calls
        messages.append(message)
    return tuple(messages)


def _message(fields: RequestFields, number: int, open_calls: list[ToolCall]) -> Message:
    role = parse_role(fields)
    if role is not Role.USER:
        fields.reject("images", [])
    name = fields.get_text("tool_name") or fields.get_text("name") or ""
    answered = _answered(open_calls, name) if role is Role.TOOL else ""
    return Message(
        role,
        fields.get_text("content") or "",
        _calls(fields, number),
        answered,
        name,
        fields.get_text("thinking") or "",
        pictures_from_list(fields, "images"),
    )


def _calls(fields: RequestFields, number: int) -> tuple[ToolCall, ...]:
    calls = []
    for index, call in enumerate(fields.get_items("tool_calls", MAX_TOOLS)):
        function = call.get_fields("function")
        name = function.required_text("name")
        arguments = json.dumps(dict(function.get_bounded_object("arguments")), ensure_ascii=False)
        calls.append(ToolCall(call.get_text("id") or f"call{number:03}{index:02}", name, arguments))
    return tuple(calls)


def _answered(open_calls: list[ToolCall], name: str) -> str:
    """The id of the call; it is answered then."""
    call = next((call for call in open_calls if call.name == name), open_calls[0] if open_calls else None)
    if call is None:
        return ""
    open_calls.remove(call)
    return call.id


def _schema(body: RequestFields) -> str:
    match body.get("format"):
        case None | "":
            return ""
        case "json":
            return "{}"
        case dict():
            return json.dumps(body.get_bounded_object("format"))
    return raise_invalid_value("format", "must be json or a JSON schema")


def _thinking(body: RequestFields) -> dict[str, object]:
    think = body.get("think")
    if think is None:
        return {}
    if isinstance(think, bool):
        return {"enable_thinking": think}
    if think not in _EFFORTS:
        raise_invalid_value("think", f"must be true, false, or one of {', '.join(_EFFORTS)}")
    return {"enable_thinking": True, "reasoning_effort": think}

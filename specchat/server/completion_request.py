"""Parses completion requests; ignores unknown fields and rejects unsupported ones."""

import json
import secrets
from dataclasses import dataclass

from specchat.domain.completions import CompletionTask
from specchat.domain.types import SAMPLING_LIMITS, Message, Role, SamplingParams
from specchat.server.messages import parse_messages, parse_tool_choice, parse_tools
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_list

MAX_TOKENS = 1 << 24
_HIGHEST_SEED = (1 << 63) - 1
_MOST_PROMPT_TOKENS = 1 << 20
_MOST_STOPS = 16
_LONGEST_STOP = 256
_MOST_LOGPROBS = 20
_USUAL_LENGTH = 16
"""Of a completion, as OpenAI has it; a chat's answer ends by itself."""
_DEFAULTS = SamplingParams()
_LIMITS = {
    **SAMPLING_LIMITS,
    "repeat_last_n": SAMPLING_LIMITS["penalty_last_n"],
    "temperature": (0, 2),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
    "seed": (-_HIGHEST_SEED - 1, _HIGHEST_SEED),
}
"""OpenAI's, where it has some."""
_LONGEST_GRAMMAR = _LONGEST_VARIABLES = 64 << 10


@dataclass(frozen=True, slots=True)
class ApiRequest:
    task: CompletionTask
    stream: bool
    include_usage: bool


def parse_chat_request(body: RequestFields, client: str) -> ApiRequest:
    for name in ("functions", "audio", "web_search_options", "logit_bias"):
        body.reject(name, [], {})
    body.reject("function_call", "none", "auto")
    body.reject("modalities", ["text"])
    known = parse_tools(body)
    wants_logprobs = body.get_flag("logprobs")
    top_logprobs = body.get_integer("top_logprobs", 0, _MOST_LOGPROBS)
    if top_logprobs is not None and not wants_logprobs:
        raise_invalid_value("top_logprobs", "needs logprobs to be true")
    longest = _most_tokens(body, "max_completion_tokens")
    messages, begun = _begun(body, parse_messages(body))
    task = CompletionTask(
        prompt=messages,
        begun=begun,
        sampling=_sampling(body),
        max_tokens=_length(_most_tokens(body, "max_tokens") if longest is None else longest),
        stop=_stop(body),
        ignore_eos=body.get_flag("ignore_eos"),
        top_logprobs=(top_logprobs or 0) if wants_logprobs else None,
        json_schema=_json_schema(body),
        grammar=_grammar(body),
        tools=known,
        tool_choice=parse_tool_choice(body, known),
        one_call="parallel_tool_calls" in body and not body.get_flag("parallel_tool_calls"),
        thoughts_apart=_thoughts_apart(body),
        template_variables=_template_variables(body),
        client=client,
    )
    if task.grammar and task.tools and task.tool_choice not in ("auto", "none"):
        raise_invalid_value("grammar", "can't be combined with a required tool call")
    return _asked(body, task)


def parse_text_request(body: RequestFields, client: str) -> ApiRequest:
    body.reject("echo", False)
    body.reject("suffix", "")
    body.reject("best_of", 1)
    body.reject("logit_bias", {})
    longest = _most_tokens(body, "max_tokens")
    task = CompletionTask(
        prompt=_prompt(body),
        sampling=_sampling(body),
        max_tokens=_length(_USUAL_LENGTH if longest is None else longest),
        stop=_stop(body),
        ignore_eos=body.get_flag("ignore_eos"),
        top_logprobs=body.get_integer("logprobs", 0, _MOST_LOGPROBS),
        json_schema=_json_schema(body),
        grammar=_grammar(body),
        client=client,
    )
    return _asked(body, task)


def _begun(body: RequestFields, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], str]:
    """As vLLM and llama.cpp have it: the last message is the answer so far."""
    if not body.get_flag("continue_final_message"):
        return messages, ""
    if body.get_flag("add_generation_prompt"):
        raise_invalid_value("add_generation_prompt", "can't be combined with continue_final_message")
    *asked, last = messages
    if not asked or last.role is not Role.ASSISTANT or last.tool_calls:
        raise_invalid_value("continue_final_message", "needs an assistant message without tool calls at the end")
    return tuple(asked), last.content


def _asked(body: RequestFields, task: CompletionTask) -> ApiRequest:
    if task.grammar and task.json_schema:
        raise_invalid_value("grammar", "can't be combined with a JSON schema")
    body.get_text("model")
    body.get_integer("n", 1, 128)
    body.reject("n", 1)
    return ApiRequest(task, body.get_flag("stream"), body.get_fields("stream_options").get_flag("include_usage"))


def _sampling(body: RequestFields) -> SamplingParams:
    def number(name: str, default: float) -> float:
        value = body.get_number(name, *_LIMITS[name])
        return default if value is None else value

    def whole(name: str, default: int) -> int:
        value = body.get_integer(name, *_LIMITS[name])
        return default if value is None else value

    seed = whole("seed", -1)
    d = _DEFAULTS
    return SamplingParams(
        temperature=number("temperature", d.temperature),
        top_k=whole("top_k", d.top_k),
        top_p=number("top_p", d.top_p),
        min_p=number("min_p", d.min_p),
        repeat_penalty=number("repeat_penalty", d.repeat_penalty),
        frequency_penalty=number("frequency_penalty", d.frequency_penalty),
        presence_penalty=number("presence_penalty", d.presence_penalty),
        penalty_last_n=whole("repeat_last_n", d.penalty_last_n),
        seed=secrets.randbits(32) if seed == -1 else seed & _HIGHEST_SEED,
    )


def _most_tokens(body: RequestFields, name: str) -> int | None:
    most = body.get_integer(name, -1, MAX_TOKENS)
    return most if most != 0 else raise_invalid_value(name, "must be at least 1, or -1 for no limit")


def _length(longest: int | None) -> int | None:
    """-1 as in llama.cpp: until the answer ends."""
    return None if longest == -1 else longest


def _stop(body: RequestFields) -> tuple[str, ...]:
    if "stop" not in body:
        return ()
    given = body.get("stop")
    stops = require_list(given if isinstance(given, list) else [given], "stop", _MOST_STOPS)
    texts = tuple(stop for stop in stops if isinstance(stop, str))
    if len(texts) < len(stops):
        raise_invalid_value("stop", "must be a string or a list of strings")
    if any(len(text) > _LONGEST_STOP for text in texts):
        raise_invalid_value("stop", f"must have at most {_LONGEST_STOP} characters")
    return tuple(filter(None, texts))


def _prompt(body: RequestFields) -> str | tuple[int, ...]:
    given = body.required("prompt")
    match given:
        case [str() | [*_] as only]:
            given = only
        case [str() | [*_], *_]:
            raise_invalid_value("prompt", "must be a single prompt: send one request per prompt")
    match given:
        case "" | []:
            raise_invalid_value("prompt", "is empty")
        case str():
            return given
        case [*tokens] if len(tokens) > _MOST_PROMPT_TOKENS:
            raise_invalid_value("prompt", "has too many tokens")
        case [*tokens]:
            return _tokens(tokens)
    return raise_invalid_value("prompt", "must be a string or a list of tokens")


def _tokens(given: list[object]) -> tuple[int, ...]:
    """All at once: while a million is looked at, nobody else is answered."""
    tokens = tuple(value for value in given if type(value) is int)
    if len(tokens) < len(given) or not 0 <= min(tokens) <= max(tokens) < 1 << 31:
        raise_invalid_value("prompt", "must be a string or a list of tokens")
    return tokens


def _json_schema(body: RequestFields) -> str:
    """OpenAI's way to say it, and llama.cpp's."""
    if "json_schema" in body:
        return json.dumps(body.get_bounded_object("json_schema"))
    given = body.get_fields("response_format")
    match given.get_text("type"):
        case None | "text":
            return ""
        case "json_object":
            return json.dumps(given.get_bounded_object("schema")) if "schema" in given else "{}"
        case "json_schema":
            return json.dumps(given.get_fields("json_schema").get_bounded_object("schema"))
    return raise_invalid_value("response_format.type", "must be text, json_object, or json_schema")


def _grammar(body: RequestFields) -> str:
    grammar = body.get_text("grammar") or ""
    return grammar if len(grammar) <= _LONGEST_GRAMMAR else raise_invalid_value("grammar", "is too long")


def _thoughts_apart(body: RequestFields) -> bool:
    """As llama.cpp has it."""
    match body.get_text("reasoning_format"):
        case None | "auto" | "deepseek":
            return True
        case "none":
            return False
    return raise_invalid_value("reasoning_format", "must be auto, deepseek, or none")


def _template_variables(body: RequestFields) -> dict[str, object]:
    if "chat_template_kwargs" not in body:
        return {}
    variables = body.get_bounded_object("chat_template_kwargs")
    if len(json.dumps(variables)) > _LONGEST_VARIABLES:
        raise_invalid_value("chat_template_kwargs", "are too long")
    return dict(variables)

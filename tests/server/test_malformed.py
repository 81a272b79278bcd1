"""Each field of a request in each API's form, with what does not belong there: read, or refused with its name."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from specchat.server.answer_response import to_json
from specchat.server.anthropic_request import parse_anthropic_prompt, parse_anthropic_request
from specchat.server.completion_request import parse_chat_request, parse_text_request
from specchat.server.embedding_request import (
    is_base64,
    parse_embedding_request,
    parse_ollama_embed,
    parse_ollama_prompt_embedding,
    parse_ranking_request,
)
from specchat.server.errors import BadRequestError
from specchat.server.llama_request import parse_infill_request, parse_llama_request
from specchat.server.ollama_request import parse_ollama_chat, parse_ollama_prompt
from specchat.server.request_fields import RequestFields, parse_body
from specchat.server.responses_request import parse_responses_request, repeated_fields

Body = dict[str, Any]

SCHEMA: Body = {"type": "object", "properties": {"a": {"type": "string"}}}
FUNCTION: Body = {"name": "look", "description": "", "parameters": SCHEMA}
SAMPLING: Body = {"temperature": 0.5, "top_p": 0.5, "top_k": 4, "seed": 1, "stop": ["x"], "stream": True}
CHAT: Body = {
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "content": "42", "tool_call_id": "1"},
    ],
    "tools": [{"type": "function", "function": FUNCTION}],
    "tool_choice": {"type": "function", "function": {"name": "look"}},
    "logit_bias": {"1": 1},
    "n": 2,
    "response_format": {"type": "json_schema", "json_schema": {"schema": SCHEMA}},
    "chat_template_kwargs": {"a": 1},
    **SAMPLING,
}
TEXT: Body = {"prompt": ["a", "b"], "suffix": "c", "echo": True, "logit_bias": [[1, 0.5]], **SAMPLING}
RESPONSES: Body = {
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "function_call", "call_id": "1", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "1", "output": [{"type": "input_text", "text": "42"}]},
    ],
    "instructions": "Be brief.",
    "tools": [{"type": "function", **FUNCTION}],
    "tool_choice": {"type": "function", "name": "look"},
    "text": {"format": {"type": "json_schema", "schema": SCHEMA}},
    "reasoning": {"effort": "low"},
    "metadata": {"a": "b"},
    "truncation": "disabled",
    **SAMPLING,
}
ANTHROPIC: Body = {
    "max_tokens": 5,
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "hi"}]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "id": "1", "name": "look", "input": {"a": "b"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "42"}]},
    ],
    "tools": [{"name": "look", "input_schema": SCHEMA}],
    "tool_choice": {"type": "tool", "name": "look"},
    "stop_sequences": ["x"],
    "thinking": {"type": "enabled"},
    "output_config": {"format": {"type": "json_schema", "schema": SCHEMA}},
}
OLLAMA: Body = {
    "messages": [
        {"role": "user", "content": "hi", "images": []},
        {"role": "assistant", "thinking": "hm", "tool_calls": [{"function": {"name": "look", "arguments": {}}}]},
        {"role": "tool", "content": "42", "tool_name": "look"},
    ],
    "tools": [{"type": "function", "function": FUNCTION}],
    "options": {"num_predict": 5, **SAMPLING},
    "format": SCHEMA,
    "think": "low",
    "stream": True,
}
PROMPT: Body = {"prompt": "a", "suffix": "b", "system": "c", "raw": True, "format": "json", "options": {"stop": "x"}}
INFILL: Body = {
    "input_prefix": "a",
    "input_suffix": "b",
    "input_extra": [{"filename": "c", "text": "d"}],
    "prompt": "e",
    "n_predict": 5,
    "n_probs": 2,
    "n_indent": 4,
    "t_max_prompt_ms": 5,
    "response_fields": ["content"],
    "samplers": ["top_k", "infill"],
    **SAMPLING,
}

EMBEDDING: Body = {"input": ["a", [1, 2]], "dimensions": 8, "encoding_format": "base64", "embd_normalize": 1}
OLLAMA_EMBEDDING: Body = {"input": ["a"], "prompt": "b", "truncate": False, "dimensions": 8}
RANKING: Body = {"query": "a", "documents": ["b", {"text": "c"}], "top_n": 1, "return_documents": True}


def repeat_responses_request(body: RequestFields, client: str) -> None:
    """The response repeats fields of it, in JSON as well."""
    parse_responses_request(body, client)
    json.loads(to_json(repeated_fields(body)), parse_constant=pytest.fail)


PARSERS: list[tuple[Callable[[RequestFields, str], object], Body]] = [
    (parse_chat_request, CHAT),
    (parse_text_request, TEXT),
    (repeat_responses_request, RESPONSES),
    (parse_anthropic_request, ANTHROPIC),
    (parse_anthropic_prompt, ANTHROPIC),
    (parse_ollama_chat, OLLAMA),
    (parse_ollama_prompt, PROMPT),
    (parse_infill_request, INFILL),
    (parse_llama_request, {**INFILL, "json_schema": SCHEMA}),
    (lambda body, _: (parse_embedding_request(body), is_base64(body)), EMBEDDING),
    (lambda body, _: (parse_ollama_embed(body), parse_ollama_prompt_embedding(body)), OLLAMA_EMBEDDING),
    (lambda body, _: parse_ranking_request(body), RANKING),
]
DEEP = json.loads("[" * 300 + "]" * 300)
WRONG: tuple[object, ...] = (
    None,
    True,
    0,
    -1,
    0.5,
    float("inf"),
    "",
    "x",
    [],
    {},
    [None],
    ["x"],
    [[]],
    [{}],
    {"a": 1},
    {"type": []},
    DEEP,
)


@pytest.mark.parametrize(("parse", "body"), PARSERS)
def test_what_does_not_belong_there(parse: Callable[[RequestFields, str], object], body: Body) -> None:
    parse(fields(body), "a program")
    for changed in changed_bodies(body):
        with suppress(BadRequestError):
            parse(fields(changed), "a program")


def fields(body: Body) -> RequestFields:
    return parse_body(json.dumps(body).replace("Infinity", "1e999").encode())


def changed_bodies(body: Body) -> Iterator[Body]:
    for path in paths(body):
        for value in WRONG:
            changed = deepcopy(body)
            place: Any = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
            yield changed


def paths(value: object, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in entries:
        yield (*before, key)
        yield from paths(entry, (*before, key))

"""Detects the tool call format of a chat template and builds the grammar of calls."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from specchat.backends.grammar.json_schema import MAX_SCHEMA_LENGTH, json_rule, schema_error
from specchat.domain.completions import Tool
from specchat.domain.errors import SettingError

_LONGEST_TOOLS = 8 * MAX_SCHEMA_LENGTH
"""Characters of their descriptions together."""


@dataclass(frozen=True, slots=True)
class CallFormat:
    begin: str
    end: str = ""
    arguments: str = "arguments"
    """Their key."""
    between: str = ""
    """Name and arguments, where they are not in one object."""
    in_list: bool = False
    may_begin_bare: bool = False
    """At the beginning of an answer, an object alone is a call."""

    @property
    def markers(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.begin, self.end, self.between)))


HERMES = CallFormat("<tool_call>", "</tool_call>")
LLAMA = CallFormat("<|python_tag|>", arguments="parameters", may_begin_bare=True)
MISTRAL = CallFormat("[TOOL_CALLS]", in_list=True)
MISTRAL_NAMED = CallFormat("[TOOL_CALLS]", between="[ARGS]")


def detect_call_format(template: str) -> CallFormat | None:
    """None: it calls in a way that is not known here."""
    if "[TOOL_CALLS]" in template:
        return MISTRAL_NAMED if "[ARGS]" in template else MISTRAL
    if "<tool_call>" in template:
        return None if "<function=" in template else HERMES
    return LLAMA if "<|python_tag|>" in template or '"parameters": dictionary' in template else None


def tool_name(tool: Tool) -> str:
    return str(_function(tool).get("name", ""))


def calls_rule(form: CallFormat, tools: Sequence[Tool], *, several: bool) -> str:
    """For an answer that calls one of them; `several`: or more, where the format says where each ends."""
    if form.between:
        return " | ".join(_named_call(form, tool) for tool in tools)
    begin, end = json.dumps(form.begin), json.dumps(form.end)
    schema: dict[str, object] = {"anyOf": [_call_schema(form, tool) for tool in tools]}
    if form.in_list:
        schema = {"type": "array", "items": schema, "minItems": 1} | ({} if several else {"maxItems": 1})
    call = json_rule(schema, strict=False, longest=_LONGEST_TOOLS)
    if form.in_list:
        return f'{begin} " "? {call}'
    if not form.end:
        return f"{begin} {call}"
    whole = f'{begin} "\\n" {call} "\\n" {end}'
    return f'{whole} ("\\n" {whole})*' if several else whole


def select_tools(tools: Sequence[Tool], choice: str) -> Sequence[Tool]:
    """Those that may be called."""
    found = tools if choice == "required" else [tool for tool in tools if tool_name(tool) == choice]
    if not found:
        raise SettingError("Unknown tool: {name}.", "Use the name of one of the tools in the request.", name=choice)
    return found


def _named_call(form: CallFormat, tool: Tool) -> str:
    return f"{json.dumps(form.begin + tool_name(tool) + form.between)} {json_rule(_parameters(tool), strict=False)}"


def _call_schema(form: CallFormat, tool: Tool) -> Mapping[str, object]:
    """Its parameters have an id of their own, for what they refer to."""
    name = tool_name(tool)
    return {
        "type": "object",
        "properties": {"name": {"const": name}, form.arguments: {"$id": f"tool:{quote(name)}", **_parameters(tool)}},
        "required": ["name", form.arguments],
        "additionalProperties": False,
    }


def _parameters(tool: Tool) -> Mapping[str, object]:
    parameters = _function(tool).get("parameters") or {"type": "object"}
    if not isinstance(parameters, Mapping):
        raise schema_error(f"the parameters of {tool_name(tool)[:100]} must be an object")
    return parameters


def _function(tool: Tool) -> Mapping[str, object]:
    function = tool.get("function")
    return function if isinstance(function, Mapping) else {}

"""Builds the grammar of tool calls in the format of a model."""

import json
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import quote

from specchat.backends.grammar.json_schema import MAX_SCHEMA_LENGTH, json_rule, schema_error
from specchat.domain.errors import SettingError
from specchat.domain.types import Tool
from specchat.services.answers.call_format import ANY_ID, THE_KEY, CallFormat, ParameterFormat

_LONGEST_TOOLS = 8 * MAX_SCHEMA_LENGTH
"""Characters of their descriptions together."""
_TEXT = "argument_text"
"""The rule of a text with what follows it."""
_ID = "/[a-zA-Z0-9]{1,9}/"
_ID_PATTERN = "^[a-zA-Z0-9]{9}$"
_DEFINITIONS = ("$defs", "definitions")


def tool_name(tool: Tool) -> str:
    return str(_function(tool).get("name", ""))


def argument_schemas(tools: Sequence[Tool]) -> Mapping[str, Mapping[str, object]]:
    """Returns the argument schemas by tool name; invalid schemas are omitted."""
    found = {tool_name(tool): _function(tool).get("parameters") for tool in tools}
    return {name: schema for name, schema in found.items() if isinstance(schema, Mapping)}


def calls_rule(form: CallFormat, tools: Sequence[Tool], *, several: bool) -> str:
    """For an answer that calls one of them; `several`: or more, where the format says how the next one begins. It has
    to be the last rule of a grammar: what it needs itself follows it.
    """
    if form.is_object:
        return _object_calls(form, tools, several=several)
    call = " | ".join(_named_call(form, tool) for tool in tools)
    rule = _repeat_call(form, f"({call})", several=several)
    if form.parameters is None:
        return rule
    return f"{rule}\n{_TEXT}[suffix={json.dumps(form.parameters.after_text)}]: /(.|\\n)*/"


def select_tools(tools: Sequence[Tool], choice: str) -> Sequence[Tool]:
    """Returns the tools that may be called."""
    found = tools if choice == "required" else [tool for tool in tools if tool_name(tool) == choice]
    if not found:
        raise SettingError("Unknown tool: {name}.", "Use the name of one of the tools in the request.", name=choice)
    return found


def _object_calls(form: CallFormat, tools: Sequence[Tool], *, several: bool) -> str:
    schema: dict[str, object] = {"anyOf": [_call_schema(form, tool) for tool in tools]}
    if form.in_list:
        schema = {"type": "array", "items": schema, "minItems": 1} | ({} if several else {"maxItems": 1})
    call = json_rule(schema, strict=False, longest=_LONGEST_TOOLS)
    return _repeat_call(form, call, several=several)


def _repeat_call(form: CallFormat, call: str, *, several: bool) -> str:
    more = f"({_literal(form.again)} {call})*" if several and form.again is not None and form.again else ""
    return " ".join(filter(None, (_literal(form.begin), call, more, _literal(form.end))))


def _named_call(form: CallFormat, tool: Tool) -> str:
    name = json.dumps(tool_name(tool))
    if form.parameters is None:
        return f"{name} {_literal(form.between)} {json_rule(_parameters(tool), strict=False)}"
    return f"{name} ({' | '.join(_one_by_one(form.parameters, _parameters(tool)))})"


def _one_by_one(form: ParameterFormat, schema: Mapping[str, object]) -> Iterator[str]:
    """Those that are needed come first; of the others each may be left out."""
    given = schema.get("properties")
    properties = given if isinstance(given, Mapping) else {}
    required = schema.get("required")
    needed = [name for name in properties if isinstance(required, list) and name in required]
    more = [name for name in properties if name not in needed]
    shared = {key: schema[key] for key in _DEFINITIONS if key in schema}

    def argument(name: str) -> str:
        return _argument(form, name, {**shared, **_as_schema(properties[name])})

    def behind(names: Sequence[str]) -> str:
        return " ".join(f"({_literal(form.between)} {argument(name)})?" for name in names)

    if needed:
        first, *others = map(argument, needed)
        rest = " ".join(f"{_literal(form.between)} {other}" for other in others)
        yield " ".join(filter(None, (_literal(form.first), first, rest, behind(more), _literal(form.last))))
        return
    yield _literal(form.none)
    for number, name in enumerate(more):
        rest = behind(more[number + 1 :])
        yield " ".join(filter(None, (_literal(form.first), argument(name), rest, _literal(form.last))))


def _argument(form: ParameterFormat, name: str, schema: Mapping[str, object]) -> str:
    choices = schema.get("enum", [schema["const"]] if "const" in schema else None)
    is_text = schema.get("type") == "string"
    if isinstance(choices, list) and choices and all(isinstance(choice, str) for choice in choices):
        is_text, value = True, f"({' | '.join(json.dumps(choice) for choice in choices)})"
    elif is_text:
        return f"{json.dumps(name)} {_literal(form.before_text)} {_TEXT}"
    else:
        value = json_rule(schema, strict=False)
    kind = schema.get("type")
    said = kind if isinstance(kind, str) and kind != "integer" else "number"
    before_json = form.before_json.replace(ANY_ID, said)
    before, after = (form.before_text, form.after_text) if is_text else (before_json, form.after_json)
    parts = (json.dumps(name), _literal(before), value, _literal(after.replace(THE_KEY, name)))
    return " ".join(filter(None, parts))


def _literal(text: str) -> str:
    """What means nothing may be anything; empty: nothing at all."""
    parts = text.split(ANY_ID)
    return f" {_ID} ".join(json.dumps(part) if part else "" for part in parts).strip()


def _call_schema(form: CallFormat, tool: Tool) -> Mapping[str, object]:
    """Its parameters have an id of their own, for what they refer to."""
    name = tool_name(tool)
    arguments = {"$id": f"tool:{quote(name)}", **_parameters(tool)}
    properties: dict[str, object] = (
        {form.name: {"const": name}, form.arguments: arguments} if form.name else {name: arguments}
    )
    if form.id:
        properties[form.id] = {"type": "string", "pattern": _ID_PATTERN}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _parameters(tool: Tool) -> Mapping[str, object]:
    parameters = _function(tool).get("parameters") or {"type": "object"}
    if not isinstance(parameters, Mapping):
        raise schema_error(f"the parameters of {tool_name(tool)[:100]} must be an object")
    return parameters


def _as_schema(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _function(tool: Tool) -> Mapping[str, object]:
    function = tool.get("function")
    return function if isinstance(function, Mapping) else {}

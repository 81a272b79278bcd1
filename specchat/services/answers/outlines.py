"""Writes down what calls and JSON will look like, without their values: keys and forms are guessed from there."""

import json
from collections.abc import Iterator, Mapping, Sequence

from specchat.domain.types import Tool
from specchat.services.answers.call_format import ANY_ID, THE_KEY, CallFormat, ParameterFormat
from specchat.services.answers.tool_calls import argument_schemas, tool_name

_Schema = Mapping[str, object]

_VALUE = ANY_ID
"""Where a value stands that nobody knows."""
_LONGEST = 16 << 10
"""Characters of all together."""
_DEEPEST = 8


def call_outlines(form: CallFormat, tools: Sequence[Tool]) -> list[str]:
    """The parts of each call between its values."""
    schemas = argument_schemas(tools)
    return _parts(_call(form, tool_name(tool), schemas.get(tool_name(tool), {})) for tool in tools)


def json_outline(schema: object) -> list[str]:
    return _parts([_value(schema, _DEEPEST)])


def _parts(outlines: Iterator[str] | Sequence[str]) -> list[str]:
    found, room = list[str](), _LONGEST
    for outline in outlines:
        room -= len(outline)
        if room < 0:
            break
        found += filter(None, outline.split(_VALUE))
    return found


def _call(form: CallFormat, name: str, schema: _Schema) -> str:
    if form.parameters is not None:
        return f"{form.begin}{name}{_one_by_one(form.parameters, _properties(schema))}{form.end}"
    arguments = _value(schema, _DEEPEST)
    if not form.is_object:
        return f"{form.begin}{name}{form.between}{arguments}{form.end}"
    call = _pair(form.name, json.dumps(name)) + ", " + _pair(form.arguments, arguments)
    call = "{" + (call if form.name else _pair(name, arguments)) + (f', "{form.id}": "{_VALUE}"' * bool(form.id)) + "}"
    return f"{form.begin}[{call}]{form.end}" if form.in_list else f"{form.begin}{call}{form.end}"


def _one_by_one(form: ParameterFormat, properties: _Schema) -> str:
    if not properties:
        return form.none
    return form.first + form.between.join(_argument(form, *each) for each in properties.items()) + form.last


def _argument(form: ParameterFormat, name: str, schema: object) -> str:
    is_text = isinstance(schema, Mapping) and schema.get("type") == "string"
    before, after = (form.before_text, form.after_text) if is_text else (form.before_json, form.after_json)
    value = _VALUE if is_text else _value(schema, _DEEPEST)
    return name + before + value + after.replace(THE_KEY, name)


def _value(schema: object, deepest: int) -> str:
    if not isinstance(schema, Mapping) or not deepest:
        return _VALUE
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    if properties := _properties(schema):
        pairs = (_pair(name, _value(part, deepest - 1)) for name, part in properties.items())
        return "{" + ", ".join(pairs) + "}"
    if schema.get("type") == "string":
        return f'"{_VALUE}"'
    if "items" in schema:
        return f"[{_value(schema['items'], deepest - 1)}]"
    return _VALUE


def _pair(name: str, value: str) -> str:
    return f"{json.dumps(name, ensure_ascii=False)}: {value}"


def _properties(schema: _Schema) -> _Schema:
    found = schema.get("properties")
    return found if isinstance(found, Mapping) else {}

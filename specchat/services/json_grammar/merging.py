"""Merges JSON schemas that all apply, and resolves references."""

import json
import re
from collections.abc import Callable, Mapping
from urllib.parse import unquote

from specchat.services.json_grammar.schema_fields import Schema, invalid_keyword_error, unsupported_keyword_error

ANNOTATION_KEYWORDS = frozenset(
    {
        "$anchor",
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "examples",
        "readOnly",
        "strict",
        "title",
        "writeOnly",
    }
)


_INDEX = re.compile("[0-9]{1,9}")


def resolve_reference(reference: str, root: Schema) -> object:
    path, _, rest = reference.partition("#")
    if path or (rest and not rest.startswith("/")):
        raise unsupported_keyword_error("$ref")
    found: object = root
    for step in rest.split("/")[1:]:
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(found, Mapping) and key in found:
            found = found[key]
        elif isinstance(found, list) and _INDEX.fullmatch(key) and int(key) < len(found):
            found = found[int(key)]
        else:
            raise invalid_keyword_error("$ref")
    return found


def merge_schemas(one: Schema, other: Schema) -> Schema:
    merged = dict(one)
    for key, value in other.items():
        if key not in merged:
            merged[key] = value
        elif key not in ANNOTATION_KEYWORDS and not _are_same(merged[key], value):
            if key not in _JOINED:
                raise unsupported_keyword_error(key)
            merged[key] = _JOINED[key](merged[key], value)
    return merged


def _are_same(one: object, other: object) -> bool:
    """To Python, 1 is true."""
    return one is other or (one == other and json.dumps(one) == json.dumps(other))


def _all_of(one: object, other: object) -> object:
    return {"allOf": [one, other]}


def _properties(one: object, other: object) -> object:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        raise invalid_keyword_error("properties")
    shared = {name: _all_of(one[name], other[name]) for name in one if name in other}
    return {**one, **other, **shared}


def _required(one: object, other: object) -> object:
    if not isinstance(one, list) or not isinstance(other, list):
        raise invalid_keyword_error("required")
    known = {name for name in one if isinstance(name, str)}
    return [*one, *(name for name in other if not isinstance(name, str) or name not in known)]


def _types(one: object, other: object) -> object:
    first, second = (list(kinds) if isinstance(kinds, list) else [kinds] for kinds in (one, other))
    if "number" in first and "integer" in second:
        first.append("integer")
    if "number" in second and "integer" in first:
        second.append("integer")
    return [kind for kind in first if kind in second]


def common_values(one: object, other: object) -> list[object]:
    if not isinstance(one, list) or not isinstance(other, list):
        raise invalid_keyword_error("enum")
    others = set(map(json.dumps, other))
    return [value for value in one if json.dumps(value) in others]


def _higher(one: object, other: object) -> object:
    return max(_number(one), _number(other))


def _lower(one: object, other: object) -> object:
    return min(_number(one), _number(other))


def _number(value: object) -> float:
    if not isinstance(value, int | float):
        raise invalid_keyword_error("allOf")
    return value


_JOINED: Mapping[str, Callable[[object, object], object]] = {
    "additionalProperties": _all_of,
    "enum": common_values,
    "exclusiveMaximum": _lower,
    "exclusiveMinimum": _higher,
    "items": _all_of,
    "maxItems": _lower,
    "maxLength": _lower,
    "maximum": _lower,
    "minItems": _higher,
    "minLength": _higher,
    "minimum": _higher,
    "properties": _properties,
    "required": _required,
    "type": _types,
}

"""Prepares JSON schemas for llguidance, which doesn't check them and rejects some keywords even if they have no effect.

Four things are interpreted as most programs do: a value may match several schemas of `oneOf`; an unknown `format` is
ignored; keywords for objects mean that the value is an object; and an object has only the properties that its schema
names, unless it says otherwise or combines several schemas.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NoReturn

from specchat.domain.errors import SettingError
from specchat.domain.nesting import is_nested_deeper

_Schema = Mapping[str, object]

MAX_SCHEMA_LENGTH = 64 << 10
"""In characters."""
MAX_SCHEMA_DEPTH = 64
_MOST_JOINED_PATTERNS = 8
"""The maximum number of patterns for one value, because the time to combine them grows exponentially."""

_OPTIONS = {"whitespace_pattern": r" |\n[ \t]{0,20}", "coerce_one_of": True}
_DATA = frozenset({"const", "default", "enum", "example", "examples"})
"""Keywords whose values contain no schemas."""
_NAMED = frozenset({"$defs", "definitions", "patternProperties", "properties"})
"""Keywords whose values contain schemas by name."""
_JOINING = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
_ANNOTATIONS = frozenset(
    {
        *("$anchor", "$comment", "$defs", "$id", "$schema", "default", "definitions", "deprecated", "description"),
        *("example", "examples", "readOnly", "strict", "title", "writeOnly"),
    }
)
_FORMATS = frozenset({"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uri", "uuid"})
_ENDS_AMID_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
"""Matches a pattern that llguidance would ignore."""
_TYPES_BY_KEYWORDS: Mapping[str, frozenset[str]] = {
    "object": frozenset({"additionalProperties", "patternProperties", "properties", "required"}),
    "array": frozenset({"items", "maxItems", "minItems", "prefixItems"}),
    "string": frozenset({"format", "maxLength", "minLength", "pattern"}),
    "number": frozenset({"exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"}),
}
_WITHOUT_EFFECT: Mapping[str, tuple[object, ...]] = {
    **dict.fromkeys(("dependencies", "dependentRequired", "dependentSchemas"), ({},)),
    **dict.fromkeys(("else", "if", "propertyNames", "then"), (True, {})),
    **dict.fromkeys(("unevaluatedItems", "unevaluatedProperties"), (True, {})),
    "uniqueItems": (False,),
}
"""Values without effect, of keywords that llguidance rejects."""


def read_schema(text: str) -> object:
    """Reads a schema. `{}` means any object, because a model that may write anything writes a string."""
    try:
        schema = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise schema_error("it is not valid JSON") from None
    return {"type": "object"} if schema == {} else schema


def json_rule(schema: object, *, strict: bool, longest: int = MAX_SCHEMA_LENGTH) -> str:
    """Returns an llguidance rule for a schema. If not strict, it ignores constraints that can't be enforced."""
    if not isinstance(schema, Mapping):
        raise schema_error("it must be an object")
    try:
        if is_nested_deeper(schema, MAX_SCHEMA_DEPTH) or len(json.dumps(schema)) > longest:
            raise schema_too_large_error()
        return f"%json {json.dumps(_prepared(schema, strict=strict), allow_nan=False)}"
    except ValueError:
        raise schema_error("a number is too large") from None


def schema_error(reason: str) -> SettingError:
    return SettingError("The JSON schema is not supported: {reason}.", "Change that part of the schema.", reason=reason)


def schema_too_large_error() -> SettingError:
    return SettingError("The JSON schema is too large or nested too deeply.", "Simplify it.")


def _prepared(schema: _Schema, *, strict: bool) -> _Schema:
    nodes = list(_nodes(schema, ""))
    joins = any(_is_joining(node) for _, node in nodes)
    has_many_patterns = joins and _most_patterns(nodes) > _MOST_JOINED_PATTERNS
    if has_many_patterns and strict:
        raise schema_too_large_error()
    prepared = _Preparation(strict=strict, closes=not joins, keeps_patterns=not has_many_patterns).schema(schema)
    return {**prepared, "x-guidance": {**_OPTIONS, "lenient": not strict}}


class _Preparation:
    def __init__(self, *, strict: bool, closes: bool, keeps_patterns: bool) -> None:
        """`closes`: objects have only the named properties."""
        self._strict = strict
        self._closes = closes
        self._keeps_patterns = keeps_patterns

    def schema(self, schema: _Schema) -> dict[str, object]:
        kept = {
            keyword: self._value(keyword, value) for keyword, value in schema.items() if self._keeps(keyword, value)
        }
        types = [kind for kind, keywords in _TYPES_BY_KEYWORDS.items() if kept.keys() & keywords]
        if types and not kept.keys() & {"type", "const", "enum", *_JOINING}:
            kept["type"] = types
        if self._closes and _names_all(kept):
            kept["additionalProperties"] = False
        if not self._strict and "pattern" in kept and not (self._keeps_patterns and _is_regular(kept)):
            del kept["pattern"]
        return kept

    def _keeps(self, keyword: str, value: object) -> bool:
        match keyword:
            case "multipleOf":
                promised = False
            case "pattern":
                promised = not (isinstance(value, str) and _ENDS_AMID_ESCAPE.search(value))
            case "format":
                return str(value) in _FORMATS
            case _:
                return value not in _WITHOUT_EFFECT.get(keyword, ())
        if self._strict and not promised:
            raise schema_error(f"{keyword} can't be enforced")
        return promised

    def _value(self, keyword: str, value: object) -> object:
        if keyword in _DATA:
            return value
        if keyword in _NAMED and isinstance(value, Mapping):
            return {name: self._part(part) for name, part in value.items()}
        return [self._part(part) for part in value] if isinstance(value, list) else self._part(value)

    def _part(self, part: object) -> object:
        return self.schema(part) if isinstance(part, Mapping) else part


def _nodes(schema: object, name: str) -> Iterator[tuple[str, _Schema]]:
    """Yields all schemas in a schema, with the names of the properties that they describe."""
    if not isinstance(schema, Mapping):
        return
    yield name, schema
    for keyword, value in schema.items():
        if keyword in _NAMED and isinstance(value, Mapping):
            for key, part in value.items():
                yield from _nodes(part, key if keyword == "properties" else "")
        elif keyword not in _DATA:
            for part in value if isinstance(value, list) else [value]:
                yield from _nodes(part, "")


def _is_joining(schema: _Schema) -> bool:
    parts = schema.get("allOf")
    said = schema.keys() - _ANNOTATIONS
    return bool(said & _JOINING) and (len(said) > 1 or (isinstance(parts, list) and len(parts) > 1))


def _most_patterns(nodes: list[tuple[str, _Schema]]) -> int:
    """Returns the maximum number of patterns for one value: those of a property, and those without a name."""
    patterns = defaultdict[str, set[object]](set)
    for name, node in nodes:
        of_names = node.get("patternProperties")
        patterns[""] |= of_names.keys() if isinstance(of_names, Mapping) else set()
        if isinstance(node.get("pattern"), str):
            patterns[name].add(node["pattern"])
    return max(len(found | patterns[""]) for found in patterns.values())


def _names_all(schema: _Schema) -> bool:
    """Whether the schema names all allowed and required properties."""
    properties, required = schema.get("properties"), schema.get("required", [])
    if not isinstance(properties, Mapping) or not isinstance(required, list):
        return False
    return not schema.keys() & {"additionalProperties", "patternProperties"} and all(
        isinstance(name, str) and name in properties for name in required
    )


def _is_regular(schema: _Schema) -> bool:
    """Whether llguidance can enforce the pattern together with the lengths."""
    from llguidance import LLMatcher

    text = {keyword: schema[keyword] for keyword in ("pattern", "minLength", "maxLength") if keyword in schema}
    return not LLMatcher.validate_grammar(LLMatcher.grammar_from_json_schema({"type": "string", **text}))


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(constant)

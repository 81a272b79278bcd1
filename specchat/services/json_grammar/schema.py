"""Translates a JSON schema into grammar rules."""

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

from specchat.domain.nesting import is_nested_deeper
from specchat.services.json_grammar.grammar_builder import GrammarBuilder, literal
from specchat.services.json_grammar.merging import ANNOTATION_KEYWORDS, common_values, merge_schemas, resolve_reference
from specchat.services.json_grammar.objects import OBJECT_KEYWORDS, object_rule
from specchat.services.json_grammar.schema_fields import (
    Schema,
    get_list,
    get_string,
    invalid_keyword_error,
    too_large_error,
    unsupported_keyword_error,
)
from specchat.services.json_grammar.values import (
    ARRAY_KEYWORDS,
    NUMBER_KEYWORDS,
    STRING_KEYWORDS,
    array_rule,
    number_rule,
    string_rule,
)

MAX_SCHEMA_LENGTH = 64 << 10
"""Characters."""
MAX_SCHEMA_DEPTH = 64
_MOST_READ = 50_000
"""Schemas and what they list, counted each time that one is used."""
_TOLD_BY = {"object": OBJECT_KEYWORDS, "array": ARRAY_KEYWORDS, "string": STRING_KEYWORDS, "number": NUMBER_KEYWORDS}
_ANY_OBJECT = {"type": "object"}
_UNSUPPORTED: Mapping[str, tuple[object, ...]] = {
    "$dynamicRef": (),
    "$recursiveRef": (),
    "contains": (),
    "dependencies": ({},),
    "dependentRequired": ({},),
    "dependentSchemas": ({},),
    "else": (True, {}),
    "if": (True, {}),
    "maxProperties": (),
    "minProperties": (0,),
    "multipleOf": (),
    "not": (),
    "patternProperties": ({},),
    "propertyNames": (True, {}),
    "then": (True, {}),
    "unevaluatedItems": (True, {}),
    "unevaluatedProperties": (True, {}),
    "uniqueItems": (False,),
}
"""And what they may say nevertheless: what forbids nothing."""
_SAID_OF_VALUES = frozenset({*OBJECT_KEYWORDS, *ARRAY_KEYWORDS, *STRING_KEYWORDS, *NUMBER_KEYWORDS} - {"format"})


def schema_rule(text: str, rules: GrammarBuilder) -> str:
    """The name of a rule for what conforms. What no grammar can promise is refused.

    "{}" means any object: a model that may say anything says a string.
    """
    try:
        schema = json.loads(text, parse_constant=_not_json)
    except (ValueError, RecursionError):
        raise invalid_keyword_error("its beginning") from None
    return value_rule(_ANY_OBJECT if schema == {} else schema, rules, strict=True)


def value_rule(schema: object, rules: GrammarBuilder, *, strict: bool) -> str:
    """The name of a rule for such values. Not strict, what no grammar can promise is not promised."""
    if not isinstance(schema, Mapping):
        raise invalid_keyword_error("its beginning")
    if is_nested_deeper(schema, MAX_SCHEMA_DEPTH) or len(json.dumps(schema)) > MAX_SCHEMA_LENGTH:
        raise too_large_error()
    try:
        return _Reader(schema, rules, strict=strict).rule(schema)
    except RecursionError:
        raise too_large_error() from None


class _Reader:
    def __init__(self, root: Schema, rules: GrammarBuilder, *, strict: bool) -> None:
        self._root = root
        self._rules = rules
        self._strict = strict
        self._referred: dict[str, str] = {}
        """The rules of what references mean."""
        self._n_read = 0

    def rule(self, schema: object) -> str:
        self._count()
        if schema is True:
            return "value"
        if not isinstance(schema, Mapping):
            raise invalid_keyword_error("false" if schema is False else "what is no schema")
        said = schema.keys() - ANNOTATION_KEYWORDS
        if not said:
            return "value"
        return self._reference(schema) if said == {"$ref"} else self._described(self._whole(schema, ()))

    def _reference(self, schema: Schema) -> str:
        """It may mention itself."""
        reference = get_string(schema, "$ref")
        if reference not in self._referred:
            name = self._referred[reference] = self._rules.new_name()
            self._rules.define(name, self.rule(resolve_reference(reference, self._root)))
        return self._referred[reference]

    def _whole(self, schema: object, within: tuple[str, ...]) -> Schema:
        """With what its references and `allOf` add. `within`: the references that led here."""
        if schema is True:
            return {}
        if not isinstance(schema, Mapping) or len(within) > MAX_SCHEMA_DEPTH:
            raise invalid_keyword_error("allOf")
        self._count(1 + sum(len(said) for said in schema.values() if isinstance(said, list | Mapping)))
        whole: Schema = {keyword: value for keyword, value in schema.items() if keyword not in ("$ref", "allOf")}
        if "$ref" in schema:
            reference = get_string(schema, "$ref")
            if reference in within:
                raise invalid_keyword_error("$ref")
            whole = merge_schemas(whole, self._whole(resolve_reference(reference, self._root), (*within, reference)))
        for part in get_list(schema, "allOf"):
            whole = merge_schemas(whole, self._whole(part, within))
        return whole

    def _described(self, schema: Schema) -> str:
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._one_of(keyword, map(self.rule, _ways(schema, keyword)))
        named = next((keyword for keyword in ("const", "enum") if keyword in schema), None)
        refused = next((keyword for keyword in schema if _is_refused(keyword, schema, of_values=bool(named))), None)
        if self._strict and refused is not None:
            raise unsupported_keyword_error(refused)
        if named is not None:
            return self._one_of(named, map(_constant, _values(schema)))
        kinds = _kinds(schema)
        return self._one_of("type", (self._of_kind(kind, schema) for kind in kinds)) if kinds else "value"

    def _of_kind(self, kind: object, schema: Schema) -> str:
        match kind:
            case "object" if schema.keys() & set(OBJECT_KEYWORDS):
                return object_rule(schema, self.rule, self._rules)
            case "array":
                return array_rule(schema, self.rule, self._rules)
            case "string":
                return string_rule(schema, self._rules, strict=self._strict)
            case "integer" | "number":
                return number_rule(schema, self._rules, whole=kind == "integer")
            case "object" | "boolean" | "null":
                return kind
        raise invalid_keyword_error("type")

    def _one_of(self, keyword: str, ways: Iterable[str]) -> str:
        different = list(dict.fromkeys(ways))
        if not different:
            raise invalid_keyword_error(keyword)
        return different[0] if keyword == "type" and len(different) == 1 else self._rules.add(" | ".join(different))

    def _count(self, number: int = 1) -> None:
        self._n_read += number
        if self._n_read > _MOST_READ:
            raise too_large_error()


def _is_refused(keyword: str, schema: Schema, *, of_values: bool) -> bool:
    if keyword in _UNSUPPORTED:
        return schema[keyword] not in _UNSUPPORTED[keyword]
    return of_values and keyword in _SAID_OF_VALUES


def _values(schema: Schema) -> list[object]:
    """Those that are named and of the right kind."""
    values = [schema["const"]] if "const" in schema else get_list(schema, "enum")
    if "const" in schema and "enum" in schema:
        values = common_values(values, schema["enum"])
    kinds = _kinds({"type": schema["type"]}) if "type" in schema else None
    return [value for value in values if kinds is None or any(_is_of_kind(value, kind) for kind in kinds)]


def _is_of_kind(value: object, kind: object) -> bool:
    match value:
        case None:
            return kind == "null"
        case bool():
            return kind == "boolean"
        case int() | float():
            whole = isinstance(value, int) or value.is_integer()
            return kind == "number" or (kind == "integer" and whole)
        case str():
            return kind == "string"
    return kind == ("array" if isinstance(value, list) else "object")


def _kinds(schema: Schema) -> list[object]:
    """None are named, and none told by what is said about them: any."""
    if "type" not in schema:
        return [kind for kind, told_by in _TOLD_BY.items() if schema.keys() & set(told_by)]
    return get_list(schema, "type") or [""] if isinstance(schema["type"], list) else [schema["type"]]


def _ways(schema: Schema, keyword: str) -> list[object]:
    """The rest of the schema holds for each of them."""
    rest = {other: value for other, value in schema.items() if other != keyword}
    ways = get_list(schema, keyword)
    return [{"allOf": [rest, way]} for way in ways] if rest.keys() - ANNOTATION_KEYWORDS else ways


def _constant(value: object) -> str:
    try:
        return literal(json.dumps(value, ensure_ascii=False, allow_nan=False))
    except ValueError:  # a number that was too large to be read
        raise invalid_keyword_error("enum") from None


def _not_json(constant: str) -> NoReturn:
    raise ValueError(constant)

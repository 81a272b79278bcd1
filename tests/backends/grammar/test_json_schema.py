"""What a schema's grammar lets a model say conforms to the schema, and enough can be said."""

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from support.grammars import Texts, json_texts

from specchat.backends.grammar.json_schema import MAX_SCHEMA_LENGTH, json_rule
from specchat.domain.errors import SettingError

Schema = dict[str, Any]
WEATHER: Schema = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "minLength": 1},
        "days": {"type": "integer", "minimum": 1, "maximum": 14},
        "unit": {"enum": ["°C", "°F", 'a "quoted\\" one', None, 3.5]},
    },
    "required": ["city"],
}
LIST: Schema = {"$defs": {"node": {"properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}}}
LIST |= {"$ref": "#/$defs/node"}
BASE: Schema = {"$defs": {"base": {"properties": {"kind": {"type": "string"}}, "required": ["kind"]}}}
BASE |= {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"more": {"type": "integer"}}, "required": ["more"]}]}


def texts(schema: object, *, strict: bool = True) -> Texts:
    return json_texts(json.dumps(schema)) if strict else Texts(f"start: {json_rule(schema, strict=False)}")


def is_weather(value: Any) -> bool:
    return (
        list(value) == [name for name in ("city", "days", "unit") if name in value]
        and len(value["city"]) >= 1
        and value.get("days", 1) in range(1, 15)
        and value.get("unit") in WEATHER["properties"]["unit"]["enum"]
    )


def is_list(value: Any) -> bool:
    return value == {} or (list(value) == ["next"] and (value["next"] is None or is_list(value["next"])))


CONFORMING: list[tuple[Schema, Callable[[Any], bool]]] = [
    ({}, lambda value: isinstance(value, dict)),
    ({"description": "anything"}, lambda value: True),
    (WEATHER, is_weather),
    (LIST, is_list),
    ({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 4}, lambda v: len(v) in (2, 3, 4)),
    ({"type": "array", "maxItems": 0}, lambda value: value == []),
    (
        {"prefixItems": [{"type": "string"}, {"type": "null"}], "items": False},
        lambda v: len(v) < 3 and all(isinstance(item, str) for item in v[:1]) and v[1:] in ([], [None]),
    ),
    (
        {"type": "array", "items": {"type": "null"}, "prefixItems": [{"const": 1}], "minItems": 3},
        lambda value: value[0] == 1 and len(value) > 2 and set(value[1:]) == {None},
    ),
    ({"type": ["integer", "null"]}, lambda value: value is None or isinstance(value, int)),
    ({"type": "string", "minLength": 300, "maxLength": 700}, lambda value: 300 <= len(value) <= 700),
    ({"type": "string", "maxLength": 3}, lambda value: len(value) <= 3),
    ({"type": "string", "pattern": "^[a-c]{2,3}-\\d+$"}, lambda value: bool(re.fullmatch("[a-c]{2,3}-[0-9]+", value))),
    ({"type": "string", "pattern": "^x\\Sy"}, lambda value: bool(re.match(r"x\Sy", value))),
    ({"type": "string", "format": "date"}, lambda value: bool(re.fullmatch(r"\d{4}-[01]\d-[0-3]\d", value))),
    ({"type": "string", "format": "uuid"}, lambda value: len(value) == 36),
    ({"type": "string", "format": "unheard of"}, lambda value: isinstance(value, str)),
    ({"allOf": [{"type": "integer", "minimum": -3}, {"maximum": 4}]}, lambda value: -3 <= value <= 4),
    ({"type": "number", "exclusiveMinimum": 0, "maximum": 1.5}, lambda value: 0 < value <= 1.5),
    ({"oneOf": [{"const": {"a": [1, "é"]}}, {"const": "\ud83d\ude00"}]}, lambda v: v in ({"a": [1, "é"]}, "😀")),
    (
        {"type": "object", "properties": {"k": True}, "anyOf": [{"required": ["k"]}, {"required": ["other"]}]},
        lambda value: "k" in value or "other" in value,
    ),
    (
        {"type": "object", "properties": {"one": {"const": 1}}, "additionalProperties": {"type": "boolean"}},
        lambda value: all(found == 1 if name == "one" else found in (True, False) for name, found in value.items()),
    ),
    ({"type": "object", "additionalProperties": False}, lambda value: value == {}),
    (
        {"type": "object", "required": ["x"], "additionalProperties": {"type": "integer"}},
        lambda value: all(isinstance(found, int) for found in value.values()) and "x" in value,
    ),
    ({"type": "integer", "enum": ["a", 1, True, 2.5]}, lambda value: value == 1 and value is not True),
    ({"type": ["string", "null"], "enum": ["a", None, 1]}, lambda value: value in ("a", None)),
    ({"enum": [1, 2], "const": 2}, lambda value: value == 2),
    ({"allOf": [{"enum": [1, "a"]}, {"enum": [True, "a"]}]}, lambda value: value == "a"),
    ({"type": "array", "uniqueItems": False, "maxItems": 1}, lambda value: len(value) < 2),
    ({"type": "object", "minProperties": 0, "patternProperties": {}}, lambda value: isinstance(value, dict)),
    (
        {"properties": {"a/b": {"const": 1}, "c": {"$ref": "#/properties/a~1b"}}, "required": ["c"]},
        lambda v: v["c"] == 1,
    ),
]


@pytest.mark.parametrize(("schema", "conforms"), CONFORMING, ids=[json.dumps(schema)[:60] for schema, _ in CONFORMING])
def test_whatever_can_be_said_conforms(schema: Schema, conforms: Callable[[Any], bool]) -> None:
    allowed, random = texts(schema), Random(0)
    for _ in range(40):
        said = allowed.some(random)
        assert conforms(json.loads(said)), said


@pytest.mark.parametrize(
    ("schema", "values"),
    [
        ({}, [{}, {"a": [1, -2.5e3, '\n\\"é😀', None, True, {"b": []}]}]),
        (WEATHER, [{"city": "Köln"}, {"city": "x", "unit": "°F"}, {"city": "x", "days": 14, "unit": None}]),
        (LIST, [{}, {"next": None}, {"next": {"next": {}}}]),
        ({"type": "string", "maxLength": 5000}, ["", "a" * 256, "a" * 4999, "\n" * 5000]),
        ({"type": "array", "items": {"type": "integer"}, "maxItems": 600}, [[], [1], list(range(600))]),
        ({"type": "number", "minimum": 0, "maximum": 1}, [0, 1, 0.5, 0.123456]),
        ({"type": "object", "properties": {"ab": {}}, "additionalProperties": True}, [{"a": 1, "abc": 2, "": 3}]),
        ({"type": "string", "pattern": "b"}, ["b", "abc"]),
        ({"enum": ["yes", "no", 1, None]}, ["yes", "no", 1, None]),
        ({"allOf": [{"pattern": "a"}, {"pattern": "b"}]}, ["ab", "ba"]),
        ({"enum": ["a", "bb"], "minLength": 2}, ["bb"]),
        ({"type": "object", "maxProperties": 0}, [{}]),
        ({"patternProperties": {"^a": {"type": "null"}}}, [{"ab": None, "c": 1}]),
        ({"type": "string", "pattern": "a", "maxLength": 3}, ["a", "bab"]),
        ({"type": "string", "minLength": 70_000}, ["a" * 70_000]),
        ({"enum": list(range(2500))}, [0, 1234]),
        ({"type": "object", "x-note": 1, "format": []}, [{}]),
        (BASE, [{"kind": "b", "more": 1}]),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_what_conforms_can_be_said(schema: Schema, values: list[object], indent: int | None) -> None:
    allowed = texts(schema)
    assert [value for value in values if json.dumps(value, ensure_ascii=False, indent=indent) not in allowed] == []


@pytest.mark.parametrize(
    ("schema", "others"),
    [
        (
            WEATHER,
            ["{}", '{"days":3,"city":"x"}', '{"city":""}', '{"city":"x","days":15}', '{"city":"x","more":1}', "[]"],
        ),
        ({"type": "string"}, ['"\n"', '"\\ud83d"', '"\\x"', "'a'", '"a', '"a" ']),
        ({"type": "string", "maxLength": 600}, [json.dumps("a" * 601)]),
        ({"type": "array", "items": {}, "minItems": 2}, ["[]", "[1]", "[1,]"]),
        ({"type": "object", "properties": {"ab": {"const": 1}}, "additionalProperties": True}, ['{"ab":2}']),
        ({"allOf": [{"pattern": "a"}, {"pattern": "b"}]}, ['"a"', '"b"', "1"]),
        ({"enum": ["a", "bb"], "minLength": 2}, ['"a"']),
        ({"type": "object", "maxProperties": 0}, ['{"a":1}']),
        ({"patternProperties": {"^a": {"type": "null"}}}, ['{"ab":1}']),
        ({"type": "string", "pattern": "a", "maxLength": 3}, ['"aaaa"', '"b"']),
        ({"type": "integer"}, ["01", "1.0", "+1", "1e3"]),
    ],
)
def test_what_does_not_conform_cannot_be_said(schema: Schema, others: list[str]) -> None:
    assert [other for other in others if other in texts(schema)] == []


def test_only_control_characters_are_numbered() -> None:
    assert json.dumps({"é": "😀\x1b"}, ensure_ascii=False) in texts({})
    assert json.dumps({"é": "😀"}) not in texts({})


def test_blanks_are_few() -> None:
    assert not texts({}).may_begin("{" + " " * 40)
    assert not texts({}).may_begin("{\n\n")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "objekt"},
        {"type": 3},
        {"type": []},
        {"enum": []},
        {"enum": "a"},
        {"anyOf": []},
        {"anyOf": [False]},
        {"properties": []},
        {"properties": {"a": 3}},
        {"required": "a"},
        {"required": [1]},
        {"minItems": -1, "type": "array"},
        {"minItems": 3, "maxItems": 2, "type": "array"},
        {"minItems": 1, "items": False, "type": "array"},
        {"minLength": "3", "type": "string"},
        {"minimum": 3, "maximum": 2, "type": "integer"},
        {"minimum": "3", "type": "number"},
        {"minimum": True, "type": "number"},
        {"minimum": 10**40, "type": "integer"},
        {"allOf": [{"type": "string"}, {"type": "null"}]},
        {"$ref": "#/$defs/none"},
        {"$ref": "https://example.org/schema"},
        {"$ref": 3},
        {"not": {"type": "null"}},
        {"not": {}},
        {"if": False, "else": False},
        {"enum": [1, 2], "not": {"const": 2}},
        {"type": "integer", "enum": ["a"]},
        {"type": "null", "const": 0},
        {"const": 1, "enum": [True]},
        {"type": "object", "required": ["a"], "additionalProperties": False},
        {"type": "object", "unevaluatedProperties": False},
        {"type": "array", "unevaluatedItems": {"type": "null"}},
        {"$dynamicRef": "#a"},
        {"$ref": "#/allOf/" + "9" * 5000, "allOf": [{}]},
        {"type": "number", "maximum": -(10**4299)},
        {"type": "integer", "minimum": 10**4299},
        {"type": "array", "uniqueItems": True},
        {"type": "integer", "multipleOf": 3},
        {"x-guidance": {"lenient": True}, "not": {}},
        {"type": "string", "pattern": "a\\"},
        {"type": "string", "pattern": "(?=a)b"},
        {"type": "string", "pattern": "(a)\\1"},
        [],
        "",
        None,
        True,
    ],
    ids=json.dumps,
)
def test_what_cannot_be_promised_is_refused(schema: object) -> None:
    with pytest.raises(SettingError, match="JSON schema"):
        texts(schema)


@pytest.mark.parametrize(
    "text", ["", "{", "{'a': 1}", "[1e999, NaN]", '{"minimum": NaN}', "nul", "9" * 5000, "[" * 9999, '{"const": 1e999}']
)
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="JSON schema"):
        json_texts(text)


def nested(levels: int) -> Schema:
    schema: Schema = {"type": "null"}
    for _ in range(levels):
        schema = {"type": "array", "items": schema}
    return schema


def chain(length: int, links: int = 1) -> Schema:
    """Of references, each to the next, so many times."""
    link = [{"anyOf": [{"$ref": f"#/$defs/{n + 1}"}] * links} for n in range(length)]
    return {"$defs": {str(n): each for n, each in enumerate(link)} | {str(length): {}}, "$ref": "#/$defs/0"}


@pytest.mark.parametrize(
    "schema",
    [
        nested(65),
        {"enum": ["x" * MAX_SCHEMA_LENGTH]},
        {"type": "string", "allOf": [{"pattern": f".*a.{{{n}}}b.*"} for n in range(16)]},
        {"allOf": [{"allOf": [{"allOf": [{"$ref": "#/$defs/a"}] * 30}] * 30}] * 30, "$defs": {"a": {"type": "null"}}},
        {"anyOf": [{"anyOf": [{"anyOf": [{"type": "null"}] * 40}] * 40}] * 40},
        {"$defs": {"a": {"enum": list(range(5000))}}, "allOf": [{"$ref": "#/$defs/a"}] * 1000},
    ],
    ids=["deep", "long", "patterns", "allOf", "anyOf", "list"],
)
def test_what_is_too_large_is_refused(schema: Schema) -> None:
    with pytest.raises(SettingError, match="too large or nested too deeply"):
        texts(schema)


def test_hostile_schemas_that_only_look_large() -> None:
    assert "[[null]]" in texts(nested(2))
    assert "null" in texts(chain(60, links=2)), "2**60 ways to the same"
    assert "null" in texts(chain(1200)), "far down"
    loop = texts({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"})
    assert not loop.may_begin("{")
    doubling: Schema = {
        "anyOf": [{"properties": {"a": {"$ref": "#"}, end: {}}, "required": ["a", end]} for end in "bc"]
    }
    assert texts(doubling).may_begin('{"a":' * 40)


def test_tools_are_described_more_loosely() -> None:
    schema = {"type": "object", "properties": {"ids": {"type": "array", "uniqueItems": True, "items": {}}}, "not": {}}
    assert '{"ids":[1,1]}' in texts(schema, strict=False)
    lookahead = {"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=a)b", "maxLength": 2}}}
    assert '{"a":"xy"}' in texts(lookahead, strict=False)
    assert '{"a":[1,1,2]}' in texts({"properties": {"a": {"items": {"multipleOf": 3}}}}, strict=False)
    many = {"type": "string", "allOf": [{"pattern": f".*a.{{{n}}}b.*"} for n in range(16)]}
    assert '"x"' in texts(many, strict=False)


def test_what_is_refused_is_named() -> None:
    with pytest.raises(SettingError, match="not supported: uniqueItems can't be enforced"):
        texts({"type": "array", "uniqueItems": True})
    with pytest.raises(SettingError, match="not supported: Invalid type: objekt"):
        texts({"type": "objekt"})

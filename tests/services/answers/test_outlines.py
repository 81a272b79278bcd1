"""What calls and JSON will look like, without their values."""

import json
from typing import Any

import pytest
from support.call_formats import HERMES, LLAMA, MISTRAL, MISTRAL_NAMED
from support.grammars import Texts

from specchat.services.answers.call_format import CallFormat, ParameterFormat
from specchat.services.answers.outlines import call_outlines, json_outline
from specchat.services.answers.tool_calls import calls_rule

ARGUMENTS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer"},
        "größe": {"type": "object", "properties": {"unit": {"const": "cm"}}, "required": ["unit"]},
    },
    "required": ["city", "days", "größe"],
}
TOOL = {"type": "function", "function": {"name": "find", "parameters": ARGUMENTS}}
XML = ParameterFormat(">\n<", "\n<", "\n</find>", ">\n</find>", ">\n", "\n</p>", ">\n", "\n</\1>")


@pytest.mark.parametrize("form", [HERMES, LLAMA, MISTRAL, MISTRAL_NAMED, CallFormat("<", parameters=XML)])
def test_with_values_it_is_a_call(form: CallFormat) -> None:
    first, second, last = call_outlines(form, [TOOL])
    call = f"{first}Köln{second}2{last}"
    assert call in Texts(f"start: {calls_rule(form, [TOOL], several=False)}")


def test_ids_are_left_out() -> None:
    assert call_outlines(CallFormat("[", id="id", in_list=True), [{"function": {"name": "f"}}]) == [
        '[[{"name": "f", "arguments": ',
        ', "id": "',
        '"}]',
    ]


def test_json() -> None:
    listed = {"type": "array", "items": ARGUMENTS}
    first, second, last = json_outline(listed)
    assert json.loads(f"{first}{second}1{last}") == [{"city": "", "days": 1, "größe": {"unit": "cm"}}]
    assert json_outline({}) == json_outline({"$ref": "#"}) == json_outline(True) == []


def test_of_many_only_some() -> None:
    many = [{"function": {"name": f"tool{i}", "parameters": ARGUMENTS}} for i in range(2000)]
    assert 100 < sum(map(len, call_outlines(HERMES, many))) <= 16 << 10


def test_a_schema_within_itself_ends() -> None:
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(60):
        deep = {"type": "object", "properties": {"next": deep}}
    assert sum(map(len, json_outline(deep))) < 200

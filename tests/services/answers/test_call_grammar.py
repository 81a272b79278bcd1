"""What calls of tools may look like, in each format."""

import json
from typing import Any

import pytest
from support.call_formats import HERMES, LLAMA, MISTRAL, MISTRAL_NAMED
from support.grammars import Texts

from specchat.domain.errors import SettingError
from specchat.services.answers.call_format import CallFormat
from specchat.services.answers.tool_calls import calls_rule


def tool(name: str, **parameters: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


NUMBER = tool(
    "set",
    type="object",
    properties={"n": {"$ref": "#/$defs/digit"}},
    required=["n"],
    **{"$defs": {"digit": {"enum": [1, 2]}}},
)
ANY = tool('say "é😀"')
TREE = tool("grow", type="object", properties={"next": {"$ref": "#"}})


def calls(form: CallFormat, *, several: bool = False) -> Texts:
    return Texts(f"start: {calls_rule(form, [NUMBER, ANY, TREE], several=several)}")


def hermes(name: str, arguments: Any) -> str:
    return f"<tool_call>\n{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}\n</tool_call>"


def test_hermes() -> None:
    one, more = calls(HERMES), calls(HERMES, several=True)
    for allowed in (one, more):
        assert hermes("set", {"n": 1}) in allowed
        assert hermes('say "é😀"', {"a": [1]}) in allowed
        assert hermes("grow", {"next": {"next": {}}}) in allowed
        assert hermes("set", {"n": 3}) not in allowed
        assert hermes("set", {"next": {}}) not in allowed
        assert hermes("grow", {"next": {"n": 1}}) not in allowed
        assert hermes("other", {}) not in allowed
    two = f"{hermes('set', {'n': 1})}\n{hermes('grow', {})}"
    assert two in more
    assert two not in one


def test_llama() -> None:
    assert '<|python_tag|>{"name": "set", "parameters": {"n": 2}}' in calls(LLAMA)
    assert '<|python_tag|>{"name": "set", "parameters": {"n": 2}, "more": 1}' not in calls(LLAMA)


def test_mistral() -> None:
    call = '{"name": "set", "arguments": {"n": 1}}'
    assert f"[TOOL_CALLS][{call}]" in calls(MISTRAL)
    assert f"[TOOL_CALLS][{call}, {call}]" in calls(MISTRAL, several=True)
    assert f"[TOOL_CALLS][{call}, {call}]" not in calls(MISTRAL)
    assert "[TOOL_CALLS][]" not in calls(MISTRAL, several=True)


def test_mistral_with_names() -> None:
    assert '[TOOL_CALLS]set[ARGS]{"n": 1}' in calls(MISTRAL_NAMED)
    assert '[TOOL_CALLS]say "é😀"[ARGS]{"a": 1}' in calls(MISTRAL_NAMED)
    assert "[TOOL_CALLS]grow[ARGS]{}" in calls(MISTRAL_NAMED)
    assert '[TOOL_CALLS]grow[ARGS]{"n": 1}' not in calls(MISTRAL_NAMED)


def test_json_or_a_call_that_begins_alike() -> None:
    json_list = '%json {"type": "array", "items": {"type": "integer"}}'
    either = Texts(f"start: {json_list} | {calls_rule(MISTRAL, [NUMBER], several=False)}")
    assert "[1,2]" in either
    assert '[TOOL_CALLS][{"name": "set", "arguments": {"n": 1}}]' in either


@pytest.mark.parametrize("form", [HERMES, MISTRAL_NAMED])
def test_parameters_that_are_no_schema(form: CallFormat) -> None:
    broken = {"type": "function", "function": {"name": "a", "parameters": [1]}}
    with pytest.raises(SettingError, match="parameters of a must be an object"):
        calls_rule(form, [broken], several=False)

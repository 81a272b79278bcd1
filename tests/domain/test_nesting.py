import json

import pytest

from specchat.domain.nesting import exceeds_size, is_nested_deeper

DEPTHS = {"3": 0, '"[[["': 0, "[]": 1, "[1]": 1, '{"a": [1, {"b": []}]}': 4, "[[], [[1]]]": 3}


@pytest.mark.parametrize(("text", "levels"), DEPTHS.items())
def test_how_deep(text: str, levels: int) -> None:
    value = json.loads(text)
    assert is_nested_deeper(value, levels) is False
    assert levels == 0 or is_nested_deeper(value, levels - 1) is True


def test_as_deep_as_can_be() -> None:
    value: object = 1
    for _ in range(100_000):
        value = [value]
    assert is_nested_deeper(value, 64)


@pytest.mark.parametrize(("text", "parts"), [("3", 0), ("[]", 0), ("[1, 2]", 2), ('{"a": [1, {"b": []}]}', 4)])
def test_how_much(text: str, parts: int) -> None:
    value = json.loads(text)
    assert exceeds_size(value, levels=9, parts=parts) is False
    assert exceeds_size(value, levels=9, parts=parts - 1) is True

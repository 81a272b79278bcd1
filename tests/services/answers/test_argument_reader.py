"""Arguments that are written one by one, in calls that grow."""

import json
from typing import Any

import pytest

from specchat.services.answers.call_format import CallFormat, ParameterFormat
from specchat.services.answers.call_reader import CallReader

PYTHON = CallFormat(
    begin="<|call|>",
    end="<|done|>",
    parameters=ParameterFormat(
        first="(",
        between=", ",
        last=")",
        none="()",
        before_text='="',
        after_text='"',
        before_json="=",
        after_json="",
    ),
)
MARKED = CallFormat(
    begin="<|call|>",
    end="<|done|>",
    parameters=ParameterFormat(
        first="{",
        between=",",
        last="}}",
        none="{}}",
        before_text=':<|"|>',
        after_text='<|"|>',
        before_json=":",
        after_json="",
    ),
)


def arguments(form: CallFormat, answer: str, size: int) -> Any:
    reader = CallReader(form, ["look"], several=True)
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    (call,) = [call for piece in pieces for call in reader.push(piece).calls]
    assert reader.finish() == ""
    return json.loads(call.arguments)


@pytest.mark.parametrize("size", [1, 2, 3, 100])
@pytest.mark.parametrize(
    ("form", "written", "read"),
    [
        (PYTHON, 'look(a=[1, {"b": ")"}], c="d, e=(")', {"a": [1, {"b": ")"}], "c": "d, e=("}),
        (PYTHON, "look(a=['x]', 'it\\'s'], b=True)", {"a": ["x]", "it's"], "b": True}),
        (PYTHON, "look(a=NaN, b=1e999)", {"a": "NaN", "b": "1e999"}),
        (MARKED, 'look{a:[<|"|>},b:}}<|"|>,2],b:<|"|>c<|"|>}}', {"a": ["},b:}}", 2], "b": "c"}),
        (MARKED, "look{a:{b:{c:1}},d:true}}", {"a": {"b": {"c": 1}}, "d": True}),
    ],
)
def test_in_pieces_of_any_size(form: CallFormat, written: str, read: object, size: int) -> None:
    assert arguments(form, f"<|call|>{written}<|done|>", size) == read


def test_a_long_list_is_read_once() -> None:
    """Read again with each letter, it would take minutes."""
    numbers = list(range(10_000))
    assert arguments(PYTHON, f"<|call|>look(a={numbers})<|done|>", 1) == {"a": numbers}

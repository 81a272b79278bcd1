"""What is said to be forced is what every text of the grammar says there."""

import json
from random import Random
from typing import Any

import pytest
from support.grammars import Texts

from specchat.backends.grammar.forced_text import Certainty, ForcedText
from specchat.backends.grammar.gbnf import gbnf_to_lark
from specchat.backends.grammar.json_schema import json_rule
from specchat.backends.grammar.token_grammar import compile_bytes
from specchat.domain.errors import SettingError

ENOUGH = 96


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


NESTED = an_object(person=an_object(name={"type": "string"}, address=an_object(street={"type": "string"})))
SCHEMAS: dict[str, dict[str, Any]] = {
    "nested": NESTED,
    "enum": an_object(colour={"enum": ["red", "green", "greenish"]}, unit={"const": "celsius"}),
    "array": an_object(points={"type": "array", "items": an_object(x={"type": "integer"}, y={"type": "integer"})}),
    "union": {"anyOf": [an_object(circle={"type": "number"}), an_object(clear={"type": "boolean"}), {"type": "null"}]},
    "unicode": an_object(größe={"type": "integer"}, 名前={"enum": ["é", "è😀"]}),
    "optional": {"type": "object", "properties": {"alpha": {"type": "null"}, "beta": {"type": "boolean"}}},
}


def rule(schema: dict[str, Any]) -> str:
    return f"start: {json_rule(schema, strict=True)}"


class Clock:
    """Goes on by a step whenever it is asked."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def after(grammar: str, said: str | bytes, most: int = ENOUGH) -> tuple[bytes, tuple[float, ...]]:
    text = ForcedText(lambda: compile_bytes(grammar))
    text.add(said if isinstance(said, bytes) else said.encode())
    return text.foresee(most)


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_nothing_else_was_allowed(schema: dict[str, Any]) -> None:
    """Whatever a text of this schema says, it says what was forced; and it is read on from any place."""
    grammar, random = rule(schema), Random(5)
    allowed, compiled, n_forced = Texts(grammar), compile_bytes(grammar), 0
    for _ in range(4):
        said = allowed.some(random).encode()[:300]
        text, at = ForcedText(compiled.deep_copy), 0
        while at < len(said):
            foreseen, certainties = text.foresee(ENOUGH)
            forced = foreseen[: certainties.count(Certainty.FORCED)]
            assert said[at:].startswith(forced[: len(said) - at])
            n_forced += len(forced)
            step = random.randint(1, 5)
            text.add(said[at : at + step])
            at += step
    assert n_forced > 0


def test_keys_come_up_to_their_values() -> None:
    assert after(rule(NESTED), "") == (b'{"person": {"name": "', after(rule(NESTED), "")[1])
    assert after(rule(NESTED), '{"per')[0] == b'son": {"name": "'
    assert after(rule(NESTED), '{"person": {"name": "Ann"')[0] == b', "address": {"street": "'
    assert after(rule(NESTED), '{"person": {"name": "Ann", "address": {"street": "x"')[0] == b"}}}"
    assert after(rule(SCHEMAS["unicode"]), "{")[0].decode() == '"größe": '
    assert after(rule(SCHEMAS["unicode"]), '{"größe": 1, "')[0] == '名前": "é'.encode()[:-1], "half a character"


def test_choices_are_left_to_the_target_until_one_is_left() -> None:
    enum = rule(SCHEMAS["enum"])
    assert after(enum, '{"colour": "')[0] == b""
    assert after(enum, '{"colour": "r')[0] == b'ed", "unit": "celsius"}'
    assert after(enum, '{"colour": "green')[0] == b"", "or greenish"
    assert after(rule(SCHEMAS["union"]), '{"c')[0] == b""
    assert after(rule(SCHEMAS["union"]), '{"cl')[0] == b'ear": '
    assert after(rule(SCHEMAS["optional"]), "{")[0] == b"", "or nothing at all"


def test_blanks_are_as_they_were_before() -> None:
    points = an_object(points={"type": "array", "items": an_object(x={"type": "integer"}, name={"type": "string"})})
    wide = json.dumps({"points": [{"x": 1, "name": "a"}]}, indent=2)
    for said, following in (
        ('{"points":[{"x":1,"name":"a"},{"', b'x":'),
        ('{"points":[{"x":1,"name":"a"},{"x":2,', b'"name":"'),
        (wide.split("]")[0].rstrip() + ',\n    {\n      "x": 2,', b'\n      "name": "'),
        (wide.split("]")[0].rstrip() + ',\n    {\n      "x": 2,\n   ', b'   "name": "'),
    ):
        text, certainties = after(rule(points), said)
        assert text == following
        assert min(certainties) == Certainty.AS_BEFORE
    assert min(after(rule(points), "{")[1]) == Certainty.AS_USUAL


def test_calls_in_other_grammars() -> None:
    call = gbnf_to_lark('root ::= "<call>\\n" name "\\n</call>" "!"?\nname ::= "get_weather" | "get_time"')
    assert after(call, "")[0] == b"<call>\nget_"
    assert after(call, "<call>\nget_t") == (b"ime\n</call>", (Certainty.FORCED,) * 11)
    assert after(call, "<call>\nget_time\n</call>")[0] == b"", "it may end"


def test_a_grammar_that_forces_nothing() -> None:
    anything = gbnf_to_lark(r"root ::= .*")
    for said in ("", "a, ", '{"a":', "a\n"):
        assert after(anything, said) == (b"", ())


def test_it_looks_no_further_than_it_is_asked_to() -> None:
    assert after(gbnf_to_lark('root ::= "ab"{900}'), "a", most=10)[0] == b"ba" * 5


def test_a_grammar_that_takes_long_is_not_asked_again() -> None:
    clock = Clock(0.005)
    text = ForcedText(lambda: compile_bytes(rule(NESTED)), clock)
    assert text.foresee(1)[0] == b"{"
    clock.step = 0.015
    assert text.foresee(1)[0] == b"{"
    assert text.foresee(1) == (b"", ())


def test_no_more_is_looked_for_where_that_takes_long() -> None:
    text = ForcedText(lambda: compile_bytes('start: "a"{900}'), Clock(0.006))
    assert text.foresee(ENOUGH)[0] == b"aaa"
    assert text.foresee(ENOUGH) == (b"", ())


def test_a_grammar_that_is_too_large_for_it_is_none() -> None:
    def refuse() -> Any:
        raise SettingError("It is too large.", "Simplify it.")

    assert ForcedText(refuse).foresee(3) == (b"", ())

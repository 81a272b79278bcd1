"""Builds grammar rules for objects: named properties in schema order, then any others."""

import json
from collections.abc import Callable, Iterable, Mapping

from specchat.services.json_grammar.grammar_builder import GrammarBuilder, char_class, literal
from specchat.services.json_grammar.schema_fields import Schema, get_strings, invalid_keyword_error, too_large_error

OBJECT_KEYWORDS = ("properties", "required", "additionalProperties")

_LONGEST_NAME = 256
_PLAIN = ((0x20, 0x21), (0x23, 0x5B), (0x5D, 0x7E), (0x80, 0xD7FF), (0xE000, 0x10FFFF))
"""What a key of no property is made of: nothing that could be written in another way."""


def object_rule(schema: Schema, rule: Callable[[object], str], rules: GrammarBuilder) -> str:
    """`rule`: for the value of a property."""
    properties = schema.get("properties", {})
    if not isinstance(properties, Mapping):
        raise invalid_keyword_error("properties")
    others = schema.get("additionalProperties", not properties)
    required = set(get_strings(schema, "required"))
    unnamed = [name for name in get_strings(schema, "required") if name not in properties]
    if unnamed and schema.get("additionalProperties") is False:
        raise invalid_keyword_error("required")
    properties = {**properties, **dict.fromkeys(unnamed, schema.get("additionalProperties", True))}
    if any(len(name) > _LONGEST_NAME for name in properties):
        raise too_large_error()
    pairs = [
        (rules.add(f'{literal(json.dumps(name, ensure_ascii=False))} ":" ws {rule(value)}'), name in required)
        for name, value in properties.items()
    ]
    other = None if others is False else rules.add(f'{_other_key(properties, rules)} ":" ws {rule(others)}')
    ways = [f"{members} ws" if members else "" for members in _members(pairs, other, rules)]
    return rules.add(f'"{{" ws ({" | ".join(ways)}) "}}"')


def _members(pairs: list[tuple[str, bool]], other: str | None, rules: GrammarBuilder) -> list[str]:
    """Ways to list them, one for each that may come first."""
    following = rules.add(f'("," ws {other})*') if other else ""
    ways = [f"{other} {following}", ""] if other else [""]
    for pair, needed in reversed(pairs):
        ways = [f"{pair} {following}", *([] if needed else ways)]
        following = rules.add(f'"," ws {pair} {following}' if needed else f'("," ws {pair})? {following}')
    return ways


def _other_key(names: Iterable[str], rules: GrammarBuilder) -> str:
    """Letter by letter: what is not yet one of the names may still become another."""
    names = set(names)
    if not names:
        return "string"
    beginnings = {name[:end] for name in names for end in range(len(name) + 1)} | {""}
    nexts: dict[str, list[str]] = {}
    for beginning in sorted(beginnings - {""}):
        nexts.setdefault(beginning[:-1], []).append(beginning[-1])
    any_more = rules.add(f"{char_class(_PLAIN)}*")
    after: dict[str, str] = {}
    for beginning in sorted(beginnings, key=len, reverse=True):
        letters = nexts.get(beginning, [])
        ways = [f"{literal(letter)} {after[beginning + letter]}" for letter in letters]
        ways.append(f"{char_class(_without(letters))} {any_more}")
        after[beginning] = rules.add(" | ".join(ways if beginning in names else [*ways, ""]))
    return rules.add(rf'"\"" {after[""]} "\""')


def _without(letters: list[str]) -> tuple[tuple[int, int], ...]:
    ranges = list(_PLAIN)
    for code in map(ord, letters):
        ranges = [
            part
            for low, high in ranges
            for part in (((low, code - 1), (code + 1, high)) if low <= code <= high else ((low, high),))
            if part[0] <= part[1]
        ]
    return tuple(ranges)

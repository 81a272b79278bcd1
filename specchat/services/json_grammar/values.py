"""Builds grammar rules for arrays, strings and numbers."""

from collections.abc import Callable

from specchat.domain.errors import SettingError
from specchat.services.json_grammar.grammar_builder import GrammarBuilder
from specchat.services.json_grammar.numbers import Bounds, integer_alternatives, number_alternatives
from specchat.services.json_grammar.patterns import pattern_rule
from specchat.services.json_grammar.schema_fields import (
    Schema,
    get_list,
    get_number,
    get_range,
    get_string,
    invalid_keyword_error,
    unsupported_keyword_error,
)

ARRAY_KEYWORDS = ("items", "prefixItems", "minItems", "maxItems")
STRING_KEYWORDS = ("pattern", "format", "minLength", "maxLength")
NUMBER_KEYWORDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")

_COMMA = '"," ws '
_DATE = '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [12] [0-9] | "3" [01])'
_TIME = '([01] [0-9] | "2" [0-3]) (":" [0-5] [0-9]){2} ("." [0-9]{1,9})? ("Z" | [+-] [01] [0-9] ":" [0-5] [0-9])'
_FORMATS = {
    "date": _DATE,
    "time": _TIME,
    "date-time": f'{_DATE} "T" {_TIME}',
    "uuid": 'hex{8} ("-" hex{4}){3} "-" hex{12}',
}


def array_rule(schema: Schema, rule: Callable[[object], str], rules: GrammarBuilder) -> str:
    """`rule`: for an item. After items that are described one by one, only as many as are needed."""
    items = schema.get("items", True)
    described = get_list(schema, "items" if isinstance(items, list) else "prefixItems")
    least, most = get_range(schema, "minItems", "maxItems")
    body = _COMMA.join(rule(item) for item in described[:most])
    if body:
        n_more = max(0, least - len(described))
        if n_more:
            following = rules.add(_COMMA + ("value" if isinstance(items, list) else rule(items)))
            body += f" {rules.add_repetition(following, n_more, n_more)}"
        body += " ws"
    elif most != 0 and items is not False:
        item = rule(items)
        more = rules.add_repetition(rules.add(_COMMA + item), max(0, least - 1), None if most is None else most - 1)
        body = f"{item} {more} ws" if least else f"({item} {more} ws)?"
    elif least:
        raise invalid_keyword_error("minItems")
    return rules.add(f'"[" ws {body} "]"')


def string_rule(schema: Schema, rules: GrammarBuilder, *, strict: bool) -> str:
    least, most = get_range(schema, "minLength", "maxLength")
    if "pattern" in schema:
        if strict and (least or most is not None):
            raise unsupported_keyword_error("pattern")
        try:
            return rules.add(pattern_rule(get_string(schema, "pattern"), rules))
        except SettingError:
            if strict:
                raise
    known = _FORMATS.get(str(schema.get("format")))
    if known is not None:
        return rules.add(rf'"\"" {known} "\""')
    if (least, most) == (0, None):
        return "string"
    return rules.add(rf'"\"" {rules.add_repetition("char", least, most)} "\""')


def number_rule(schema: Schema, rules: GrammarBuilder, *, whole: bool) -> str:
    if not any(keyword in schema for keyword in NUMBER_KEYWORDS):
        return "integer" if whole else "number"
    bounds = _bounds(schema)
    ways = integer_alternatives(bounds) if whole else number_alternatives(bounds)
    if not ways:
        raise invalid_keyword_error("minimum" if "minimum" in schema or "exclusiveMinimum" in schema else "maximum")
    return rules.add(" | ".join(ways))


def _bounds(schema: Schema) -> Bounds:
    low, above = get_number(schema, "minimum"), get_number(schema, "exclusiveMinimum")
    high, below = get_number(schema, "maximum"), get_number(schema, "exclusiveMaximum")
    above_low = above is not None and (low is None or above >= low)
    below_high = below is not None and (high is None or below <= high)
    low, high = above if above_low else low, below if below_high else high
    usual = Bounds()
    return Bounds(usual.low if low is None else low, usual.high if high is None else high, above_low, below_high)

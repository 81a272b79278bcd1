"""A restricted Jinja environment for chat templates; limits on time and memory are set elsewhere."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, Undefined, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from specchat.backends.shielded_text import Table, shielded

MAX_RANGE = 10_000
MAX_REPEATED = 1 << 20
MAX_POWER_BITS = 4096

_NOT_ASCII = re.compile("[^\0-\x7f\U000f0000-\U0010ffff]")


class TemplateRefusal(TemplateError):
    """The template called `raise_exception` to reject this conversation."""


class GenerationMarks(Extension):
    """Supports `{% generation %}`, which marks text for training; only its content is rendered."""

    tags = {"generation"}

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


class TemplateSandbox(ImmutableSandboxedEnvironment):
    intercepted_binops = frozenset({"*", "**"})

    def __init__(self) -> None:
        super().__init__(trim_blocks=True, lstrip_blocks=True, extensions=[GenerationMarks, loopcontrols])
        self.shadows: Table = {}
        """The shadows of the current conversation."""
        self.globals["range"] = _bounded_range
        self.globals["raise_exception"] = _raise_exception
        del self.globals["lipsum"]
        self.filters["tojson"] = _to_json

    def concat(self, pieces: Iterable[str]) -> str:
        """Joins the results of macros and blocks."""
        return shielded("".join(pieces), self.shadows)

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """Allows changing lists, because some templates collect messages; the inputs exist for one rendering only."""
        return (isinstance(obj, list) and attr in ("append", "pop")) or super().is_safe_attribute(obj, attr, value)

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        if attribute.startswith("_"):
            raise SecurityError(f"it tries to access {attribute}")
        return super().unsafe_undefined(obj, attribute)

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "*":
            _check_product(left, right)
        else:
            _check_power(left, right)
        return super().call_binop(context, operator, left, right)


def strftime_at(moment: datetime) -> Callable[[str], str]:
    def strftime_now(form: str) -> str:
        return moment.strftime(form)

    return strftime_now


def _bounded_range(*arguments: int) -> range:
    numbers = range(*arguments)
    if len(numbers) > MAX_RANGE:
        raise OverflowError(f"a range of more than {MAX_RANGE} numbers")
    return numbers


def _check_product(left: Any, right: Any) -> None:
    for sequence, times in ((left, right), (right, left)):
        if isinstance(times, int) and isinstance(sequence, str | bytes | list | tuple):
            if len(sequence) * times > MAX_REPEATED:
                raise OverflowError("a repetition that is too long")
            return
    _check_bits(_bits(left) + _bits(right))


def _check_power(left: Any, right: Any) -> None:
    if isinstance(right, int):
        _check_bits(_bits(left) * abs(right))


def _bits(number: Any) -> int:
    return number.bit_length() if isinstance(number, int) else 0


def _check_bits(bits: int) -> None:
    if bits > MAX_POWER_BITS:
        raise OverflowError("a number that is too large")


def _raise_exception(message: object) -> NoReturn:
    raise TemplateRefusal(str(message))


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | str | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Replaces Jinja's filter, which escapes characters for HTML. Shadows (see `shielding`) stay unchanged."""
    text = json.dumps(
        value, ensure_ascii=False, indent=indent, separators=separators, sort_keys=sort_keys, default=_as_list
    )
    return _NOT_ASCII.sub(_escaped, text) if ensure_ascii else text


def _as_list(value: Any) -> list[Any]:
    """Converts iterators, which filters such as `map` return."""
    if isinstance(value, Iterator):
        return list(value)
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _escaped(character: re.Match[str]) -> str:
    return json.dumps(character[0])[1:-1]

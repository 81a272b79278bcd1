"""Yields the values of a JSON or JSON Lines text one at a time, to save memory."""

import json
import re
from collections.abc import Iterator
from typing import NoReturn

_BLANKS = re.compile(r"[ \t\r\n]*")


def json_values(text: str) -> Iterator[object]:
    """Yields the items of a list, or consecutive values. Raises a ValueError or a RecursionError."""
    decoder = json.JSONDecoder(parse_constant=refuse_constant)
    at, end = _after_blanks(text, 0), ""
    if text[at : at + 1] == "[":
        at, end = _after_blanks(text, at + 1), "]"
    while at < len(text) and text[at] != end:
        value, at = decoder.raw_decode(text, at)
        yield value
        at = _after_blanks(text, at)
        if end and text[at : at + 1] == ",":
            at = _after_blanks(text, at + 1)
        elif end and text[at : at + 1] != end:
            raise ValueError("a comma is missing")
    if end and text[at : at + 1] != end:
        raise ValueError("its end is missing")
    if _after_blanks(text, at + len(end)) < len(text):
        raise ValueError("there is extra data after its end")


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found is not None else at


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")

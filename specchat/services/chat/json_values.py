"""Yields the values of a JSON or JSON Lines text one at a time, to save memory."""

import json
import re
from collections.abc import Iterator
from typing import NoReturn

from specchat.domain.errors import UserError

MOST_VALUES = 10_000_000
"""Of one chat. Each takes up to 90 bytes of memory, and only two of the file."""
_BLANKS = re.compile(r"[ \t\r\n]*")
_BEFORE_VALUES = "[{,:"
_COUNTED_AT_ONCE = 1 << 20


class JsonValues:
    """The items of a list, or consecutive values. Can be iterated once; `name`: the file's.

    Raises a ValueError, a RecursionError, or a UserError if a single value contains too many others.
    """

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._decoder = _BoundedDecoder(text, name)
        self._are_few = self._decoder.is_last

    def require_few(self) -> None:
        """Raises a UserError if all of them together contain too many."""
        if not self._are_few:
            raise _too_many_values_error(self._name)

    def __iter__(self) -> Iterator[object]:
        text = self._text
        at, end = _after_blanks(text, 0), ""
        if text[at : at + 1] == "[":
            at, end = _after_blanks(text, at + 1), "]"
        while at < len(text) and text[at] != end:
            value, at = self._decoder.decode(at)
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


def parse_json(text: str, name: str) -> object:
    """Raises a ValueError, a RecursionError, or a UserError if it contains too many values. `name`: the file's."""
    if _bounded_end(text, 0) < len(text):
        raise _too_many_values_error(name)
    plain: object = json.loads(text, parse_constant=refuse_constant)
    return plain


class _BoundedDecoder:
    """Decodes from parts of the text that can't fill the memory. Usually the first part is the whole text."""

    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._decoder = json.JSONDecoder(parse_constant=refuse_constant)
        self._move_to(0)

    def decode(self, at: int) -> tuple[object, int]:
        """Returns a value and the place after it."""
        if self.is_last:
            return self._decode(at)
        try:
            return self._decode(at)
        except ValueError:
            self._move_to(at)
        try:
            return self._decode(at)
        except ValueError:
            if self.is_last:
                raise
            raise _too_many_values_error(self._name) from None

    def _decode(self, at: int) -> tuple[object, int]:
        value, end = self._decoder.raw_decode(self._part, at - self._begin)
        if end == len(self._part) and not self.is_last:
            raise ValueError("it may go on")
        return value, self._begin + end

    def _move_to(self, begin: int) -> None:
        end = _bounded_end(self._text, begin)
        self._begin = begin
        self.is_last = end == len(self._text)
        """Whether the part goes to the end of the text."""
        self._part = self._text[begin:end]


def _bounded_end(text: str, begin: int) -> int:
    """Counting also what is inside strings is much faster, and errs on the safe side."""
    n_values = 0
    for at in range(begin, len(text), _COUNTED_AT_ONCE):
        n_values += sum(text.count(character, at, at + _COUNTED_AT_ONCE) for character in _BEFORE_VALUES)
        if n_values > MOST_VALUES:
            return at
    return len(text)


def _too_many_values_error(name: str) -> UserError:
    return UserError(
        "{name} is too large to import.",
        "A single chat can contain at most {n} million JSON values.",
        name=name,
        n=MOST_VALUES // 1_000_000,
    )


def _after_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    return found.end() if found is not None else at


def refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")

"""Parses the key-value part of a header."""

from collections.abc import Iterator, Mapping
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.string_array import StringArray

Value = bool | int | float | str | StringArray | NDArray[Any]

MAX_KEYS = 4096
MAX_KEY_LENGTH = 1024
MAX_ARRAY_LENGTH = 4 * 1024 * 1024

KIND = Struct("<I")
COUNT = Struct("<Q")
"""Limits on the number of keys, the values of an array, and the bytes of a string."""
_BOOL, STRING, ARRAY = 7, 8, 9
_NUMBERS = {
    0: Struct("<B"),
    1: Struct("<b"),
    2: Struct("<H"),
    3: Struct("<h"),
    4: Struct("<I"),
    5: Struct("<i"),
    6: Struct("<f"),
    _BOOL: Struct("<B"),
    10: Struct("<Q"),
    11: Struct("<q"),
    12: Struct("<d"),
}


def read_metadata(cursor: Cursor, count: int) -> dict[str, Value]:
    return dict(read_entries(cursor, count))


def read_entries(cursor: Cursor, count: int) -> Iterator[tuple[str, Value]]:
    """One after another: the cursor stands after the entry that was read last."""
    if count > MAX_KEYS:
        raise damaged_file_error(cursor.name, "it claims to have {count} keys", count=count)
    seen: set[str] = set()
    for _ in range(count):
        key = _read_key(cursor)
        if key in seen:
            raise damaged_file_error(cursor.name, "the key {key} appears twice", key=key)
        seen.add(key)
        yield key, _read_value(cursor, key)


def text(metadata: Mapping[str, Value], key: str, name: str) -> str | None:
    value = metadata.get(key)
    if value is not None and not isinstance(value, str):
        raise damaged_file_error(name, "{key} is not a string", key=key)
    return value


def integer(metadata: Mapping[str, Value], key: str, name: str) -> int | None:
    value = metadata.get(key)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise damaged_file_error(name, "{key} is not an integer", key=key)
    return value


def flag(metadata: Mapping[str, Value], key: str, name: str) -> bool | None:
    value = metadata.get(key)
    if value is not None and not isinstance(value, bool):
        raise damaged_file_error(name, "{key} is not a boolean", key=key)
    return value


def integers(metadata: Mapping[str, Value], key: str, name: str) -> list[int] | None:
    value = metadata.get(key)
    if value is None:
        return None
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "iu":
        raise damaged_file_error(name, "{key} is not a list of integers", key=key)
    return [int(item) for item in value.tolist()]


def _read_key(cursor: Cursor) -> str:
    raw = cursor.string(MAX_KEY_LENGTH)
    try:
        key = raw.decode()
    except UnicodeDecodeError as error:
        raise damaged_file_error(cursor.name, "a key that is not text") from error
    if not key:
        raise damaged_file_error(cursor.name, "a key without a name")
    return key


def _read_value(cursor: Cursor, key: str) -> Value:
    kind = cursor.number(KIND)
    if kind == STRING:
        return cursor.string().decode(errors="replace")
    if kind == ARRAY:
        return _read_array(cursor, key)
    layout = _number_layout(cursor, key, kind)
    value: int | float = layout.unpack(cursor.take(layout.size))[0]
    return bool(value) if kind == _BOOL else value


def _read_array(cursor: Cursor, key: str) -> Value:
    kind = cursor.number(KIND)
    count = cursor.number(COUNT)
    if count > MAX_ARRAY_LENGTH:
        raise damaged_file_error(cursor.name, "{key} claims to have {count} values", key=key, count=count)
    if kind == STRING:
        return cursor.strings(count)
    if kind == ARRAY:
        raise damaged_file_error(cursor.name, "{key} is a list of lists", key=key)
    layout = _number_layout(cursor, key, kind)
    numbers = np.frombuffer(cursor.take(count * layout.size), dtype=layout.format)
    return numbers != 0 if kind == _BOOL else numbers


def _number_layout(cursor: Cursor, key: str, kind: int) -> Struct:
    layout = _NUMBERS.get(kind)
    if layout is None:
        raise damaged_file_error(cursor.name, "{key} has an unknown type: {kind}", key=key, kind=kind)
    return layout

"""Limits the depth and size of nested values from outside before they are traversed."""

import math
from collections.abc import Collection, Mapping


def is_nested_deeper(value: object, levels: int) -> bool:
    """`[]` is one level, `{"a": []}` two."""
    return exceeds_size(value, levels=levels)


def exceeds_size(value: object, *, levels: int, parts: float = math.inf) -> bool:
    """`parts`: in all levels together."""
    level: list[object] = [value]
    for _ in range(levels):
        wholes = [_parts(whole) for whole in level]
        parts -= sum(map(len, wholes))
        if parts < 0:
            return True
        level = [part for whole in wholes for part in whole]
    return any(isinstance(part, Mapping | list | tuple) for part in level)


def _parts(whole: object) -> Collection[object]:
    if isinstance(whole, Mapping):
        return whole.values()
    return whole if isinstance(whole, list | tuple) else ()

"""How deep values from outside are: what walks through them may not be able to go as deep."""

from collections.abc import Iterable, Mapping


def is_nested_deeper(value: object, levels: int) -> bool:
    """`[]` is one level, `{"a": []}` two."""
    level = [value]
    for _ in range(levels):
        level = [part for whole in level for part in _parts(whole)]
    return any(isinstance(part, Mapping | list | tuple) for part in level)


def _parts(whole: object) -> Iterable[object]:
    if isinstance(whole, Mapping):
        return whole.values()
    return whole if isinstance(whole, list | tuple) else ()

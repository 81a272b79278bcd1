"""Converts token marks to compact JSON rows and back."""

from collections.abc import Iterable

from specchat.domain.conversations import Mark
from specchat.domain.serialization import require_float, require_int, require_type


def marks_to_plain(marks: Iterable[Mark]) -> list[list[object]]:
    """Rows, as names would be most of it; of a probability four digits are more than anyone sees."""
    return [
        [m.end, m.origin, m.position, None if m.probability is None else float(f"{m.probability:.4g}")] for m in marks
    ]


def marks_from_plain(plain: object) -> tuple[Mark, ...]:
    return tuple(_mark(*require_type(list, row)[:4]) for row in require_type(list, plain))


def _mark(end: object = None, origin: object = None, position: object = None, probability: object = None) -> Mark:
    return Mark(
        require_int(end),
        require_type(str, origin),
        None if position is None else require_int(position),
        None if probability is None else require_float(probability),
    )

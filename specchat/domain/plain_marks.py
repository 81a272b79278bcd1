"""Marks as JSON holds them: there is one for each token of an answer."""

from collections.abc import Iterable

from specchat.domain.conversations import Mark
from specchat.domain.plain import expect, number, whole_number


def plain_marks(marks: Iterable[Mark]) -> list[list[object]]:
    """Rows, as names would be most of it; of a probability four digits are more than anyone sees."""
    return [
        [m.end, m.origin, m.position, None if m.probability is None else float(f"{m.probability:.4g}")] for m in marks
    ]


def marks_from_plain(plain: object) -> tuple[Mark, ...]:
    return tuple(_mark(*expect(list, row)[:4]) for row in expect(list, plain))


def _mark(end: object = None, origin: object = None, position: object = None, probability: object = None) -> Mark:
    return Mark(
        whole_number(end),
        expect(str, origin),
        None if position is None else whole_number(position),
        None if probability is None else number(probability),
    )

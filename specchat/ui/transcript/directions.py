"""Which way each line runs, and so at which side what is around it stands."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from specchat.ui.transcript.lines import Kind, Line
from specchat.ui.widgets.direction import is_right_to_left


def directed(lines: Iterable[Line]) -> Iterator[Line]:
    """Code, rules and what has no letter stand where the line before them does, if they are in the same item or quote.

    Formulas and what is in them run from left to right everywhere.
    """
    path, before = "", False
    for line in lines:
        own = None if line.kind is Kind.CODE else _own_direction(line)
        inherits = bool(path) and line.path.startswith(path)
        now = not line.in_formula and (inherits and before if own is None else own)
        yield replace(line, right_to_left=True) if now else line
        if line.kind not in (Kind.CELL, Kind.FILLER):
            path, before = line.path, now


def _own_direction(line: Line) -> bool | None:
    """A word of code or a formula in front does not make it another language."""
    words = "".join(bit.text for bit in line.bits if not (bit.style.code or bit.formula))
    direction = is_right_to_left(words)
    return is_right_to_left(line.text) if direction is None else direction

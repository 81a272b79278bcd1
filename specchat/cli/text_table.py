"""Formats text tables with aligned columns."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from specchat.cli.output import one_line

WIDTH = 80
_BETWEEN = _INDENT = "  "
_BETWEEN_NUMBERS = " "


@dataclass(frozen=True, slots=True)
class _Column:
    heading: Sequence[str]
    """Its lines."""
    cells: Sequence[str]
    is_right: bool

    @property
    def width(self) -> int:
        return max(map(len, (*self.heading, *self.cells)))


def format_table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """`right`: the headings of the columns with numbers. A column in which nothing stands is left out. Where it makes a
    table fit, headings take two lines, and numbers stand closer together.
    """
    columns = [
        _Column((heading.upper(),), [one_line(row[index]) for row in rows], heading in right)
        for index, heading in enumerate(headings)
        if any(row[index] for row in rows)
    ]
    compact = [replace(each, heading=_in_two_lines(each)) for each in columns]
    forms = [_lines(columns), _lines(compact), _lines(compact, _BETWEEN_NUMBERS)]
    return next((lines for lines in forms if all(len(line) <= WIDTH for line in lines)), forms[0])


def _in_two_lines(column: _Column) -> Sequence[str]:
    (heading,) = column.heading
    is_wider = len(heading) > max(map(len, column.cells))
    return heading.rsplit(maxsplit=1) if is_wider else column.heading


def _lines(columns: Sequence[_Column], between_numbers: str = _BETWEEN) -> list[str]:
    n_heading = max((len(each.heading) for each in columns), default=0)
    parts = list[Sequence[str]]()
    for index, column in enumerate(columns):
        if index:
            are_numbers = column.is_right and columns[index - 1].is_right
            parts.append([between_numbers if are_numbers else _BETWEEN] * (n_heading + len(column.cells)))
        parts.append(_column_lines(column, n_heading))
    return ["".join(line).rstrip() for line in zip(*parts, strict=True)]


def _column_lines(column: _Column, n_heading: int) -> list[str]:
    """The last line of each heading stands right above the cells."""
    lines = [*[""] * (n_heading - len(column.heading)), *column.heading, *column.cells]
    return [line.rjust(column.width) if column.is_right else line.ljust(column.width) for line in lines]


def format_entries(rows: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """`rows`: a table with its heading; `below`: lines for each of its rows."""
    n_heading = len(rows) - len(below)
    lines, firsts = [*rows[:n_heading]], rows[n_heading:]
    for first, others in zip(firsts, below, strict=True):
        lines += [first, *(f"{_INDENT}{one_line(other)}" for other in others)]
    return lines


def wrap_text(text: str) -> list[str]:
    """For words that stand below an entry; references and paths must not be broken."""
    return wrap(one_line(text), WIDTH - len(_INDENT), break_long_words=False, break_on_hyphens=False)

"""Formats text tables with aligned columns."""

from collections.abc import Sequence
from textwrap import wrap

from specchat.cli.output import one_line

WIDTH = 80
_BETWEEN = _INDENT = "  "


def format_table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
    """`right`: the headings of the columns with numbers. A column in which nothing stands is left out."""
    columns = [
        _column(heading, [one_line(row[index]) for row in rows], to_the_right=heading in right)
        for index, heading in enumerate(headings)
        if any(row[index] for row in rows)
    ]
    return [_BETWEEN.join(line).rstrip() for line in zip(*columns, strict=True)]


def _column(heading: str, cells: Sequence[str], *, to_the_right: bool) -> list[str]:
    width = max(map(len, (heading, *cells)))
    return [cell.rjust(width) if to_the_right else cell.ljust(width) for cell in (heading.upper(), *cells)]


def format_entries(rows: Sequence[str], below: Sequence[Sequence[str]]) -> list[str]:
    """`rows`: a table with its heading; `below`: lines for each of its rows."""
    heading, *firsts = rows or [""]
    lines = [heading] if rows else []
    for first, others in zip(firsts, below, strict=True):
        lines += [first, *(f"{_INDENT}{one_line(other)}" for other in others)]
    return lines


def wrap_text(text: str) -> list[str]:
    """For words that stand below an entry; references and paths must not be broken."""
    return wrap(one_line(text), WIDTH - len(_INDENT), break_long_words=False, break_on_hyphens=False)

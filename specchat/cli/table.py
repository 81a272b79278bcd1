"""Columns that line up, no wider than what is in them."""

from collections.abc import Sequence

from specchat.cli.output import one_line

_BETWEEN = "  "


def table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> list[str]:
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

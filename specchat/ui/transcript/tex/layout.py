"""Lays out a display formula as lines, with tables for matrices and aligned rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.ui.transcript.tex.glyphs import Glyph, GlyphKind, add_spacing
from specchat.ui.transcript.tex.grids import Grid, flatten_grid, parse_grid
from specchat.ui.transcript.tex.latex_parser import LatexParser

_FENCES = {"(": ")", "[": "]", "{": "}", "|": "|", "‖": "‖"}


@dataclass(frozen=True, slots=True)
class TableCell:
    row: int
    column: int
    rows: int
    """That it covers."""
    glyphs: tuple[Glyph, ...] = ()
    align: str = ""
    fence: str = ""
    """The bracket it stands for."""


FormulaBand = tuple[Glyph, ...] | list[TableCell]
"""A line, or a table row by row."""


def lay_out_inline(latex: str) -> tuple[Glyph, ...]:
    return tuple(add_spacing(LatexParser(latex).parse_until(())))


def lay_out_display(latex: str) -> Iterator[FormulaBand]:
    for parts in _bands(latex):
        if any(isinstance(part, Grid) and len(part.rows) > 1 for part in parts):
            yield _Table(parts).cells()
        else:
            yield tuple(add_spacing([glyph for part in parts for glyph in _glyphs(part)]))


def _glyphs(part: list[Glyph] | Grid) -> list[Glyph]:
    return flatten_grid(part) if isinstance(part, Grid) else part


def _bands(latex: str) -> Iterator[list[list[Glyph] | Grid]]:
    reader = LatexParser(latex)
    parts: list[list[Glyph] | Grid] = []
    while True:
        if glyphs := reader.parse_until(("\\begin", "\\\\", "&")):
            parts.append(glyphs)
        start, token = reader.position, reader.next_token()
        if token == "\\begin":
            parts.append(parse_grid(reader, start))
        elif token != "&":
            if parts:
                yield parts
            parts = []
        if not token:
            break


class _Table:
    """Each part stands beside the one before, in the middle of its height."""

    def __init__(self, parts: list[list[Glyph] | Grid]) -> None:
        self._parts = parts
        self._height = max(len(part.rows) for part in parts if isinstance(part, Grid))
        self._column = 0
        self._cells: list[TableCell] = []

    def cells(self) -> list[TableCell]:
        for number, part in enumerate(self._parts):
            if isinstance(part, Grid):
                self._add_grid(part, *self._brackets(number, part))
            elif glyphs := tuple(add_spacing(part, GlyphKind.CLOSE if number else None)):
                self._add(0, self._height, glyphs)
                self._column += 1
        return sorted(self._cells, key=lambda cell: (cell.row, cell.column))

    def _brackets(self, number: int, grid: Grid) -> tuple[str, str]:
        """Its own, or those around it."""
        left, right = grid.left, grid.right
        before = self._parts[number - 1] if number else None
        after = self._parts[number + 1] if number + 1 < len(self._parts) else None
        if not left and isinstance(before, list) and before[-1].text in _FENCES and self._cells:
            left = before.pop().text
            self._replace_last(before)
        if not right and left and isinstance(after, list) and after[0].text == _FENCES[left]:
            right = after.pop(0).text
        return left, right

    def _replace_last(self, glyphs: Sequence[Glyph]) -> None:
        self._column -= 1
        self._cells.pop()
        if glyphs:
            self._add(0, self._height, tuple(add_spacing(glyphs, GlyphKind.CLOSE if self._column else None)))
            self._column += 1

    def _add_grid(self, grid: Grid, left: str, right: str) -> None:
        rows = len(grid.rows)
        above = (self._height - rows) // 2
        if left:
            self._add_column(above, [TableCell(above, self._column, rows, fence=left)])
        for column in range(grid.width):
            before = GlyphKind.CLOSE if column % 2 and not grid.align(column) else None
            cells = (row[column].glyphs if column < len(row) else [] for row in grid.rows)
            self._add_column(
                above,
                [
                    TableCell(above + row, self._column, 1, tuple(add_spacing(glyphs, before)), grid.align(column))
                    for row, glyphs in enumerate(cells)
                ],
            )
        if right:
            self._add_column(above, [TableCell(above, self._column, rows, fence=right)])

    def _add_column(self, above: int, cells: list[TableCell]) -> None:
        below = cells[-1].row + cells[-1].rows
        self._add(0, above)
        self._cells += cells
        self._add(below, self._height - below)
        self._column += 1

    def _add(self, row: int, rows: int, glyphs: tuple[Glyph, ...] = ()) -> None:
        if rows:
            self._cells.append(TableCell(row, self._column, rows, glyphs))

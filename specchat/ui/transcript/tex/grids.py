"""Parses matrices, cases and aligned rows."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specchat.ui.transcript.tex.glyphs import Glyph, GlyphKind, group_glyphs
from specchat.ui.transcript.tex.latex_reader import FENCES

if TYPE_CHECKING:
    from specchat.ui.transcript.tex.latex_parser import LatexParser

_WITH_COLUMNS = ("array", "alignedat", "alignat", "tabular")
_BETWEEN_ROWS = re.compile(r"\[[-\d. a-z]*\]")


@dataclass(frozen=True, slots=True)
class Cell:
    glyphs: list[Glyph]
    start: int
    """Of the mark before it, or of the grid."""
    begin: int
    """Where it begins."""


@dataclass(frozen=True, slots=True)
class Grid:
    name: str
    rows: list[list[Cell]]
    start: int
    end: int

    @property
    def left(self) -> str:
        return FENCES.get(self.name, "")[:1].strip(".")

    @property
    def right(self) -> str:
        return FENCES.get(self.name, "")[1:].strip(".")


def parse_grid(reader: "LatexParser", start: int) -> Grid:
    """`\\begin` has been taken."""
    begin, end = reader.skip_argument()
    name = reader.latex[begin:end].rstrip("*")
    if reader.token == "[" and name != "cases":
        reader.parse_option()
    if name in _WITH_COLUMNS and reader.token == "{":
        reader.skip_argument()
    rows = _parse_rows(reader, start)
    if reader.token == "\\end":
        reader.next_token()
        reader.skip_argument()
    return Grid(name, rows, start, reader.last_end)


def _parse_rows(reader: "LatexParser", start: int) -> list[list[Cell]]:
    rows: list[list[Cell]] = [[]]
    while True:
        begin = reader.position
        rows[-1].append(Cell(reader.parse_until(("&", "\\\\", "\\end")), start, begin))
        if reader.token in ("", "\\end"):
            break
        start = reader.position
        if reader.next_token() == "\\\\":
            if _BETWEEN_ROWS.match(reader.latex, reader.position):
                reader.parse_option()
            rows.append([])
    if len(rows) > 1 and not any(cell.glyphs for cell in rows[-1]):
        rows.pop()
    return rows


def flatten_grid(grid: Grid) -> list[Glyph]:
    """In one line."""
    glyphs: list[Glyph] = []
    for number, row in enumerate(grid.rows):
        for column, cell in enumerate(row):
            before = ";" if number and not column else " " if column else ""
            if before:
                glyphs.append(Glyph(before, cell.start, max(cell.begin, cell.start + 1), GlyphKind.COMMA))
            glyphs += cell.glyphs
    if not glyphs:
        return []
    if grid.left:
        glyphs.insert(0, Glyph(grid.left, grid.start, max(grid.start + 1, glyphs[0].start), GlyphKind.OPEN))
    if grid.right.strip() and glyphs[-1].end < grid.end:
        glyphs.append(Glyph(grid.right.strip(), glyphs[-1].end, grid.end, GlyphKind.CLOSE))
    return group_glyphs(glyphs)

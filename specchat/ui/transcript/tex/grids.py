"""Matrices, cases and aligned rows."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specchat.ui.transcript.tex.glyphs import Glyph, Kind, in_one

if TYPE_CHECKING:
    from specchat.ui.transcript.tex.reader import Reader

_FENCES = {
    "pmatrix": "()",
    "bmatrix": "[]",
    "Bmatrix": "{}",
    "vmatrix": "||",
    "Vmatrix": "‖‖",
    "cases": "{",
    "dcases": "{",
    "rcases": " }",
}
_WITH_COLUMNS = ("array", "alignedat", "alignat", "tabular")
_BETWEEN_ROWS = re.compile(r"\[[-\d. a-z]*\]")
_CENTRED = re.compile(r"matrix|array|tabular|gather|multline")


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
        return _FENCES.get(self.name, "")[:1].strip()

    @property
    def right(self) -> str:
        return _FENCES.get(self.name, "")[1:]

    @property
    def width(self) -> int:
        return max(map(len, self.rows))

    def align(self, column: int) -> str:
        if "cases" in self.name:
            return ""
        if _CENTRED.search(self.name):
            return "center"
        return "" if column % 2 else "right"


def read_grid(reader: "Reader", start: int) -> Grid:
    """`\\begin` has been taken."""
    begin, end = reader.raw()
    name = reader.latex[begin:end].rstrip("*")
    if reader.token == "[" and name != "cases":
        reader.option()
    if name in _WITH_COLUMNS and reader.token == "{":
        reader.raw()
    rows = read_rows(reader, start, ("\\end",))
    if reader.token == "\\end":
        reader.take()
        reader.raw()
    return Grid(name, rows, start, reader.behind)


def read_rows(reader: "Reader", start: int, ends: tuple[str, ...]) -> list[list[Cell]]:
    rows: list[list[Cell]] = [[]]
    while True:
        begin = reader.place
        rows[-1].append(Cell(reader.until(("&", "\\\\", *ends)), start, begin))
        if not reader.token or reader.token in ends:
            break
        start = reader.place
        if reader.take() == "\\\\":
            if _BETWEEN_ROWS.match(reader.latex, reader.place):
                reader.option()
            rows.append([])
    if len(rows) > 1 and not any(cell.glyphs for cell in rows[-1]):
        rows.pop()
    return rows


def linear(grid: Grid) -> list[Glyph]:
    """In one line."""
    glyphs: list[Glyph] = []
    for number, row in enumerate(grid.rows):
        for column, cell in enumerate(row):
            before = ";" if number and not column else " " if column else ""
            if before:
                glyphs.append(Glyph(before, cell.start, max(cell.begin, cell.start + 1), Kind.COMMA))
            glyphs += cell.glyphs
    if not glyphs:
        return []
    if grid.left:
        glyphs.insert(0, Glyph(grid.left, grid.start, max(grid.start + 1, glyphs[0].start), Kind.OPEN))
    if grid.right.strip() and glyphs[-1].end < grid.end:
        glyphs.append(Glyph(grid.right.strip(), glyphs[-1].end, grid.end, Kind.CLOSE))
    return in_one(glyphs)

"""Formulas as bits and lines of a message."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.ui.transcript.lines import LINE_BREAK, NORMAL, Bit, Kind, Line, Style
from specchat.ui.transcript.places import Places
from specchat.ui.transcript.tex.glyphs import Glyph
from specchat.ui.transcript.tex.layout import Band, bands, one_line

LONGEST = 4000
"""What is longer is shown as it is written."""
_MOST_CELLS = 400
_PUNCTUATION = ".,;:"


@dataclass(frozen=True, slots=True)
class Formula:
    latex: str
    begin: int
    """In the content, as `whole` is, which is from mark to mark."""
    whole: tuple[int, int]
    places: Places

    @property
    def source(self) -> tuple[int, int]:
        start, end = self.whole
        return self.places.source(start), self.places.source(end - 1) + 1


def formula_bits(formula: Formula, style: Style) -> list[Bit]:
    if len(formula.latex) > LONGEST:
        return [_as_written(formula, style)]
    return _bits(formula, one_line(formula.latex), style)


def _as_written(formula: Formula, style: Style) -> Bit:
    start, end = formula.source
    return Bit(formula.latex.replace("\n", " "), start, replace(style, code=True), end - start, formula.source)


def _bits(formula: Formula, glyphs: Iterable[Glyph], style: Style) -> list[Bit]:
    whole = formula.source
    return [_bit(formula, part, style, whole) for glyph in glyphs for part in _before_box(glyph)]


def _before_box(glyph: Glyph) -> tuple[Glyph, ...]:
    """The space is not in it."""
    if not glyph.boxed or not glyph.text.startswith(" "):
        return (glyph,)
    return replace(glyph, text=" ", boxed=False), replace(glyph, text=glyph.text[1:])


def _bit(formula: Formula, glyph: Glyph, style: Style, whole: tuple[int, int]) -> Bit:
    start = formula.places.source(formula.begin + glyph.start)
    end = formula.places.source(formula.begin + glyph.end - 1) + 1
    literal = end - start == len(glyph.text) and formula.latex.startswith(glyph.text, glyph.start)
    style = replace(
        style,
        italic=style.italic != glyph.italic and not glyph.source,
        bold=style.bold or glyph.bold,
        code=glyph.source,
        script=glyph.script,
        boxed=glyph.boxed,
    )
    return Bit(glyph.text.replace("\n", " "), start, style, -1 if literal else end - start, whole)


def formula_lines(formula: Formula, path: str) -> list[Line]:
    path += "f"
    if len(formula.latex) > LONGEST:
        return [Line(Kind.PARAGRAPH, (_as_written(formula, NORMAL),), path)]
    lines = [line for band in bands(formula.latex) for line in _band(formula, band, path)]
    if sum(line.kind is Kind.CELL for line in lines) > _MOST_CELLS:
        return [Line(Kind.PARAGRAPH, tuple(formula_bits(formula, NORMAL)), path)]
    return lines or [Line(Kind.PARAGRAPH, path=path)]


def _band(formula: Formula, band: Band, path: str) -> Iterator[Line]:
    if isinstance(band, tuple):
        yield Line(Kind.PARAGRAPH, tuple(_bits(formula, band, NORMAL)), path)
        return
    yield Line(Kind.FILLER, path=path)
    for cell in band:
        yield Line(
            Kind.CELL,
            tuple(_bits(formula, cell.glyphs, NORMAL)),
            path,
            row=cell.row,
            column=cell.column,
            align=cell.align,
            rows=cell.rows,
            fence=cell.fence,
        )
    yield Line(Kind.FILLER, path=path)


def joined(parts: Sequence[list[Bit] | Formula]) -> Iterator[list[Bit] | Formula]:
    """Without the line breaks beside formulas that have their own line."""
    if len(parts) == 1:
        yield from parts
        return
    for part in parts:
        if isinstance(part, Formula):
            yield part
        elif trimmed := _trimmed(part):
            yield trimmed


def _trimmed(bits: list[Bit]) -> list[Bit]:
    first, last = 0, len(bits)
    while first < last and not bits[first].text.strip(f" {LINE_BREAK}"):
        first += 1
    while last > first and not bits[last - 1].text.strip(f" {LINE_BREAK}"):
        last -= 1
    if last > first and bits[last - 1].length < 0:
        return [*bits[first : last - 1], replace(bits[last - 1], text=bits[last - 1].text.rstrip(" "))]
    return bits[first:last]

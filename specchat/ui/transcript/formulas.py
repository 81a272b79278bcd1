"""Formulas in lines of a message, and as lines of their own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.ui.transcript.lines import LINE_BREAK, NORMAL, Kind, Line, Style
from specchat.ui.transcript.places import Places
from specchat.ui.transcript.tex.glyphs import Glyph
from specchat.ui.transcript.tex.layout import Band, bands, one_line

LONGEST = 4000
"""What is longer is shown as it is written."""
_MOST_CELLS = 400
_PUNCTUATION = ".,;:"
_BLANK = f" {LINE_BREAK}"


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


def write_formula(line: Line, formula: Formula, style: Style) -> None:
    if len(formula.latex) > LONGEST:
        _write_source(line, formula, style)
    else:
        _write(line, formula, one_line(formula.latex), style)


def _write_source(line: Line, formula: Formula, style: Style) -> None:
    start, end = formula.source
    line.add(formula.latex.replace("\n", " "), start, replace(style, code=True), end - start, formula.source)


def _write(line: Line, formula: Formula, glyphs: Iterable[Glyph], style: Style) -> None:
    for glyph in glyphs:
        for part in _before_box(glyph):
            _write_glyph(line, formula, part, style)


def _before_box(glyph: Glyph) -> tuple[Glyph, ...]:
    """The space is not in it."""
    if not glyph.boxed or not glyph.text.startswith(" "):
        return (glyph,)
    return replace(glyph, text=" ", boxed=False), replace(glyph, text=glyph.text[1:])


def _write_glyph(line: Line, formula: Formula, glyph: Glyph, style: Style) -> None:
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
    line.add(glyph.text.replace("\n", " "), start, style, None if literal else end - start, formula.source)


def formula_lines(formula: Formula, path: str) -> list[Line]:
    path += "f"
    in_one = Line(path=path)
    if len(formula.latex) <= LONGEST:
        lines = [line for band in bands(formula.latex) for line in _band(formula, band, path)]
        if sum(line.kind is Kind.CELL for line in lines) <= _MOST_CELLS:
            return lines or [in_one]
    write_formula(in_one, formula, NORMAL)
    return [in_one]


def _band(formula: Formula, band: Band, path: str) -> Iterator[Line]:
    if isinstance(band, tuple):
        line = Line(path=path)
        _write(line, formula, band, NORMAL)
        yield line
        return
    yield Line(Kind.FILLER, path)
    for cell in band:
        line = Line(
            Kind.CELL, path, row=cell.row, column=cell.column, align=cell.align, rows=cell.rows, fence=cell.fence
        )
        _write(line, formula, cell.glyphs, NORMAL)
        yield line
    yield Line(Kind.FILLER, path)


def joined(parts: Sequence[Line | Formula]) -> Iterator[Line | Formula]:
    """Without the line breaks beside formulas that have their own line."""
    if len(parts) == 1:
        yield from parts
        return
    for part in parts:
        if isinstance(part, Formula):
            yield part
        elif part.text.strip(_BLANK):
            yield _trimmed(part)


def _trimmed(line: Line) -> Line:
    """Without the runs at both ends that are blank."""
    seen = [number for number, run in enumerate(line.runs) if line.words(run).strip(_BLANK)]
    trimmed = Line()
    for number, run in enumerate(line.runs[seen[0] : seen[-1] + 1], seen[0]):
        words = line.words(run)
        if run.literal:
            trimmed.add(words.rstrip(" ") if number == seen[-1] else words, run.source, run.style, None, run.formula)
        else:
            trimmed.add(words, run.source, run.style, run.source_end - run.source, run.formula)
    return trimmed

"""Renders formulas within lines of a message, and as lines of their own."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.ui.transcript.rendered_lines import LINE_BREAK, NORMAL, LineKind, RenderedLine, SourceMap, TextStyle
from specchat.ui.transcript.tex.glyphs import Glyph
from specchat.ui.transcript.tex.layout import FormulaBand, lay_out_display, lay_out_inline

MAX_FORMULA_LENGTH = 4000
"""Longer formulas are shown as they are written."""
_MOST_CELLS = 400
_BLANK = f" {LINE_BREAK}"


@dataclass(frozen=True, slots=True)
class Formula:
    latex: str
    begin: int
    """In the content, as `whole` is, which is from mark to mark."""
    whole: tuple[int, int]
    places: SourceMap

    @property
    def source(self) -> tuple[int, int]:
        start, end = self.whole
        return self.places.source_at(start), self.places.source_at(end - 1) + 1


def write_formula(line: RenderedLine, formula: Formula, style: TextStyle) -> None:
    if len(formula.latex) > MAX_FORMULA_LENGTH:
        _write_source(line, formula, style)
    else:
        _write(line, formula, lay_out_inline(formula.latex), style)


def _write_source(line: RenderedLine, formula: Formula, style: TextStyle) -> None:
    start, end = formula.source
    line.append_text(formula.latex.replace("\n", " "), start, replace(style, code=True), end - start, formula.source)


def _write(line: RenderedLine, formula: Formula, glyphs: Iterable[Glyph], style: TextStyle) -> None:
    for glyph in glyphs:
        if glyph.text:  # those without only set others apart
            for part in _before_box(glyph):
                _write_glyph(line, formula, part, style)


def _before_box(glyph: Glyph) -> tuple[Glyph, ...]:
    """Splits off the space before a box, which does not surround it."""
    if not glyph.boxed or not glyph.text.startswith(" "):
        return (glyph,)
    return replace(glyph, text=" ", boxed=False), replace(glyph, text=glyph.text[1:])


def _write_glyph(line: RenderedLine, formula: Formula, glyph: Glyph, style: TextStyle) -> None:
    start = formula.places.source_at(formula.begin + glyph.start)
    end = formula.places.source_at(formula.begin + glyph.end - 1) + 1
    literal = end - start == len(glyph.text) and formula.latex.startswith(glyph.text, glyph.start)
    style = replace(
        style,
        italic=style.italic != glyph.italic and not glyph.source,
        bold=style.bold or glyph.bold,
        code=glyph.source,
        script=glyph.script,
        boxed=glyph.boxed,
    )
    line.append_text(glyph.text.replace("\n", " "), start, style, None if literal else end - start, formula.source)


def formula_lines(formula: Formula, path: str) -> list[RenderedLine]:
    path += "f"
    in_one = RenderedLine(path=path)
    if len(formula.latex) <= MAX_FORMULA_LENGTH:
        lines = [line for band in lay_out_display(formula.latex) for line in _band(formula, band, path)]
        if sum(line.kind is LineKind.CELL for line in lines) <= _MOST_CELLS:
            return lines or [in_one]
    write_formula(in_one, formula, NORMAL)
    return [in_one]


def _band(formula: Formula, band: FormulaBand, path: str) -> Iterator[RenderedLine]:
    if isinstance(band, tuple):
        line = RenderedLine(path=path)
        _write(line, formula, band, NORMAL)
        yield line
        return
    yield RenderedLine(LineKind.FILLER, path)
    for cell in band:
        line = RenderedLine(
            LineKind.CELL, path, row=cell.row, column=cell.column, align=cell.align, rows=cell.rows, fence=cell.fence
        )
        _write(line, formula, cell.glyphs, NORMAL)
        yield line
    yield RenderedLine(LineKind.FILLER, path)


def join_parts(parts: Sequence[RenderedLine | Formula]) -> Iterator[RenderedLine | Formula]:
    """Yields the parts without the line breaks beside formulas that have their own line."""
    if len(parts) == 1:
        yield from parts
        return
    for part in parts:
        if isinstance(part, Formula):
            yield part
        elif part.text.strip(_BLANK):
            yield _trimmed(part)


def _trimmed(line: RenderedLine) -> RenderedLine:
    """Returns the line without the blank runs at its ends."""
    seen = [number for number, run in enumerate(line.runs) if line.run_text(run).strip(_BLANK)]
    trimmed = RenderedLine()
    for number, run in enumerate(line.runs[seen[0] : seen[-1] + 1], seen[0]):
        words = line.run_text(run)
        if run.literal:
            trimmed.append_text(
                words.rstrip(" ") if number == seen[-1] else words, run.source, run.style, None, run.formula
            )
        else:
            trimmed.append_text(words, run.source, run.style, run.source_end - run.source, run.formula)
    return trimmed

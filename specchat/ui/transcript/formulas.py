"""Renders formulas within lines of a message, and as lines of their own: set as TeX does, or else as text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from specchat.ui.transcript.rendered_lines import (
    LINE_BREAK,
    NORMAL,
    OBJECT,
    LineKind,
    RenderedLine,
    SourceMap,
    TextStyle,
)
from specchat.ui.transcript.tex.glyphs import Glyph, add_spacing
from specchat.ui.transcript.tex.latex_parser import LatexParser

MAX_FORMULA_LENGTH = 4000
"""Longer formulas are shown as they are written."""
_TAIL = re.compile(r"[!-{}-~’”–]{1,16}(?=\s|$)|[.,;:!?)\]}、。，；：！？）」』]+")
"""Text that stays on the line of a formula: punctuation, or the rest of a short word."""
_BLANK = f" {LINE_BREAK}"


@dataclass(frozen=True, slots=True)
class Formula:
    latex: str
    begin: int
    """In the content, as `whole` is, which is from mark to mark."""
    whole: tuple[int, int]
    places: SourceMap
    closed: bool = True
    """Whether its end is there; one that still grows is text, which moves less."""

    @property
    def source(self) -> tuple[int, int]:
        start, end = self.whole
        return self.places.source_at(start), self.places.source_at(end - 1) + 1


def formula_glyphs(latex: str) -> tuple[Glyph, ...]:
    """Returns a formula as text in one line."""
    return tuple(add_spacing(LatexParser(latex).parse_until(())))


def readable_formula(latex: str) -> str:
    """Returns a formula for a screen reader, with signs for scripts."""
    parts, script = [], 0
    for glyph in formula_glyphs(latex):
        if glyph.script not in (0, script):
            parts.append("^" if glyph.script > 0 else "_")
        script = glyph.script
        parts.append(glyph.text)
    return "".join(parts)


def write_formula(line: RenderedLine, formula: Formula, style: TextStyle) -> None:
    if len(formula.latex) > MAX_FORMULA_LENGTH:
        _write_source(line, formula, style)
    elif not _write_typeset(line, formula, style, display=False):
        for glyph in formula_glyphs(formula.latex):
            if glyph.text:  # those without only set others apart
                _write_glyph(line, formula, glyph, style)


def _write_typeset(line: RenderedLine, formula: Formula, style: TextStyle, *, display: bool) -> bool:
    """Writes a formula that can be set and says whether it can; it may be broken between its parts."""
    if not formula.closed:
        return False
    from specchat.ui.transcript.typesetting.typeset_formula import typeset

    parts = typeset(formula.latex, display=display)
    inside = formula.places.from_place(formula.begin)
    start, end = formula.source
    for number, part in enumerate(parts):
        left = len(parts) - number - 1
        following = inside.source_at(part.end) if left else end
        following = max(start + 1, min(following, end - left))
        drawn = replace(style, formula=part)
        line.append_text(OBJECT, start, drawn, following - start, formula.source, inside)
        start = following
    return bool(parts)


def take_tail(line: RenderedLine, text: str, start: int, source: int) -> str:
    """Makes the text right behind a formula that is drawn a part of it, and returns the rest.

    `start` is where it stands from the beginning of the LaTeX.
    """
    last, tail = line.runs[-1] if line.runs else None, _TAIL.match(text)
    formula = last.style.formula if last else None
    if not last or not formula or not tail or line.kind is LineKind.HEADING or last.style != TextStyle(formula=formula):
        return text
    from specchat.ui.transcript.typesetting.typeset_formula import with_tail

    end = source + len(tail[0])
    whole = last.formula and (last.formula[0], end)
    for number, run in enumerate(line.runs):
        if run.formula == last.formula:
            line.runs[number] = replace(run, formula=whole)
    style = replace(last.style, formula=with_tail(formula, tail[0], start))
    line.runs[-1] = replace(line.runs[-1], style=style, source_end=end)
    return text[tail.end() :]


def _write_source(line: RenderedLine, formula: Formula, style: TextStyle) -> None:
    start, end = formula.source
    line.append_text(formula.latex.replace("\n", " "), start, replace(style, code=True), end - start, formula.source)


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
    )
    line.append_text(glyph.text.replace("\n", " "), start, style, None if literal else end - start, formula.source)


def formula_line(formula: Formula, path: str) -> RenderedLine:
    """Returns a line of its own, with the formula in its middle if it can be set."""
    line = RenderedLine(path=path + "f")
    if len(formula.latex) <= MAX_FORMULA_LENGTH and _write_typeset(line, formula, NORMAL, display=True):
        line.align = "center"
    else:
        write_formula(line, replace(formula, closed=False), NORMAL)
    return line


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
        if run.literal and number == seen[-1]:
            words = words.rstrip(" ")
        length = None if run.literal else run.source_end - run.source
        trimmed.append_text(words, run.source, run.style, length, run.formula, run.inside)
    return trimmed

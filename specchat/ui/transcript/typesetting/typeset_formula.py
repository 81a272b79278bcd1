"""Formulas that are set: their outlines and measures, and where each glyph comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QPainterPath

from specchat.ui.transcript.typesetting.atoms import Kind, Style, spaced
from specchat.ui.transcript.typesetting.boxes import Box, leaves, line_up, outline
from specchat.ui.transcript.typesetting.environments import read_formula
from specchat.ui.transcript.typesetting.formula_setter import FormulaSetter, UnknownLatexError
from specchat.ui.transcript.typesetting.math_font import EM, MathFontError
from specchat.ui.widgets.theme import body_font

LARGER = 1.1
"""Small letters of the math font are as much smaller than those of the font of the text."""
_KEPT = 512
_LETTER = 0.47 * EM
"""The height of a small letter, which all glyphs have at least where they are marked."""
_TALLEST = 60.0
"""The greatest height, in text sizes; taller formulas are not typeset."""


@dataclass(frozen=True, slots=True, eq=False)
class GlyphPlace:
    rect: QRectF
    start: int
    """Where it stands in the LaTeX."""


@dataclass(frozen=True, slots=True, eq=False)
class TypesetFormula:
    """A formula, or a part of one up to where its line may be broken; all measures are in text sizes."""

    width: float
    ascent: float
    descent: float
    path: QPainterPath
    glyphs: Sequence[GlyphPlace] = field(repr=False)
    end: int
    """Where the last of the glyphs ends in the LaTeX."""
    latex: str = ""
    """The LaTeX of all of it, in its first part."""
    tail: str = ""
    """The text right behind it."""


@lru_cache(maxsize=_KEPT)
def typeset(latex: str, *, display: bool) -> tuple[TypesetFormula, ...]:
    """Sets a formula: one for a line of its own, or the parts of one within a line. Empty: it cannot be set."""
    if QGuiApplication.instance() is None:
        return ()
    try:
        boxes = list(_parts(latex, Style.DISPLAY if display else Style.TEXT))
    except (UnknownLatexError, MathFontError, RecursionError):
        return ()
    made = tuple(_made(box, "" if number else latex) for number, box in enumerate(boxes))
    return made if all(part.ascent + part.descent <= _TALLEST for part in made) else ()


@lru_cache(maxsize=_KEPT)
def with_tail(formula: TypesetFormula, tail: str, start: int) -> TypesetFormula:
    """Returns a formula with the text right behind it, which stands at `start` from the beginning of its LaTeX.

    Qt breaks lines behind anything that is drawn, even before a comma.
    """
    font = body_font()
    font.setPixelSize(round(EM / LARGER))
    metrics, path = QFontMetricsF(font), QPainterPath(formula.path)
    path.addText(EM * formula.width, 0, font, tail)
    ends = [formula.width + metrics.horizontalAdvance(tail[:count]) / EM for count in range(len(tail) + 1)]
    ascent, descent = metrics.ascent() / EM, metrics.descent() / EM
    glyphs = (
        GlyphPlace(QRectF(left, -ascent, right - left, ascent + descent), start + number)
        for number, (left, right) in enumerate(pairwise(ends))
    )
    return replace(formula, width=ends[-1], path=path, glyphs=(*formula.glyphs, *glyphs), tail=formula.tail + tail)


def _parts(latex: str, style: Style) -> Iterator[Box]:
    """Yields a formula in parts between which a line may be broken: behind relations and signs."""
    line: list[Box] = []
    breaks = False
    for kind, box in spaced(read_formula(FormulaSetter(latex), style), style):
        if breaks and kind is not Kind.SPACE:
            yield line_up(line)
            line, breaks = [], False
        line.append(box)
        breaks |= kind in (Kind.RELATION, Kind.BINARY)
    if line:
        yield line_up(line)


def _made(box: Box, latex: str) -> TypesetFormula:
    width, height, depth = (max(0.0, length) / EM for length in (box.width, box.height, box.depth))
    end = max((part.source[1] for _, _, part in leaves(box)), default=0)
    return TypesetFormula(width, height, depth, outline(box), tuple(_places(box)), end, latex)


def _places(box: Box) -> Iterator[GlyphPlace]:
    for x, y, part in leaves(box):
        if part.source != (0, 0):
            top, bottom = max(part.height, _LETTER * part.scale), max(part.depth, 0.0)
            rect = QRectF(x / EM, (y - top) / EM, part.width / EM, (top + bottom) / EM)
            yield GlyphPlace(rect, part.source[0])

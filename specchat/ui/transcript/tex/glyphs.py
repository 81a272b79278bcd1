"""The glyphs of a parsed formula, and the spacing between them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from specchat.ui.transcript.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

SUPER, SUB = 1, -1


class GlyphKind(Enum):
    """As in TeX: it decides about spaces."""

    ORDINARY = auto()
    FUNCTION = auto()
    BINARY = auto()
    RELATION = auto()
    OPEN = auto()
    CLOSE = auto()
    COMMA = auto()
    BEGIN = auto()
    """Of a fraction or a matrix; no text."""
    END = auto()
    SPACE = auto()
    SCRIPT = auto()
    """Goes with what is before it."""


@dataclass(frozen=True, slots=True)
class Glyph:
    text: str
    start: int
    """Where it stands in the LaTeX."""
    end: int
    kind: GlyphKind = GlyphKind.ORDINARY
    italic: bool = False
    bold: bool = False
    source: bool = False
    """Shown as it is written."""
    script: int = 0
    """SUPER, SUB or 0."""


_NO_OPERAND = (GlyphKind.BINARY, GlyphKind.RELATION, GlyphKind.OPEN, GlyphKind.COMMA, GlyphKind.FUNCTION)


def add_spacing(glyphs: Sequence[Glyph]) -> Iterator[Glyph]:
    """With the spaces that TeX would set; each belongs to what comes after it."""
    apart, before = False, None
    for number, glyph in enumerate(glyphs):
        kind = glyph.kind
        if kind is GlyphKind.SCRIPT:
            yield glyph
            continue
        if kind is GlyphKind.BINARY and (before is None or before in _NO_OPERAND or number == len(glyphs) - 1):
            kind = GlyphKind.OPEN  # a sign
        apart |= _apart(before, kind)
        if glyph.text:
            yield replace(glyph, text=f" {glyph.text}") if apart else glyph
            apart, before = False, None
        before = GlyphKind.OPEN if kind is GlyphKind.BEGIN else kind


def _apart(before: GlyphKind | None, kind: GlyphKind) -> bool:
    if before in (None, GlyphKind.SPACE, GlyphKind.OPEN) or kind in (
        GlyphKind.SPACE,
        GlyphKind.CLOSE,
        GlyphKind.COMMA,
        GlyphKind.END,
    ):
        return GlyphKind.RELATION in (before, kind) and kind is not GlyphKind.SPACE and before is not None
    if GlyphKind.RELATION in (before, kind):
        return before is not kind
    if GlyphKind.BINARY in (before, kind) or before is GlyphKind.COMMA or kind is GlyphKind.FUNCTION:
        return True
    if before is GlyphKind.FUNCTION:
        return kind is not GlyphKind.OPEN
    return before is GlyphKind.END or kind is GlyphKind.BEGIN


def group_glyphs(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Set apart from what is around it, as a fraction is."""
    if not glyphs:
        return []
    start, end = glyphs[0].start, glyphs[-1].end
    return [Glyph("", start, start, GlyphKind.BEGIN), *glyphs, Glyph("", end, end, GlyphKind.END)]


def as_script(glyphs: Sequence[Glyph], script: int) -> list[Glyph]:
    """With the characters for it where each has one, so that it can be heard and searched as well."""
    table = SUPERSCRIPTS if script == SUPER else SUBSCRIPTS
    if all(glyph.text in table and not glyph.script for glyph in glyphs):
        return [replace(glyph, text=table[glyph.text], kind=GlyphKind.SCRIPT, italic=False) for glyph in glyphs]
    return [_raised(glyph, script) for glyph in glyphs]


def _raised(glyph: Glyph, script: int) -> Glyph:
    if not glyph.script:
        return replace(glyph, script=script, kind=GlyphKind.SCRIPT)
    mark = "^" if glyph.script == SUPER else "_"
    return replace(glyph, text=mark + glyph.text, script=script)


def base_glyphs(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [
        glyph
        for glyph in glyphs
        if glyph.kind not in (GlyphKind.SCRIPT, GlyphKind.SPACE, GlyphKind.BEGIN, GlyphKind.END)
    ]

"""What a formula is made of once it is read, and how much space is between its parts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from specchat.ui.transcript.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

SUPER, SUB = 1, -1


class Kind(Enum):
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
    kind: Kind = Kind.ORDINARY
    italic: bool = False
    bold: bool = False
    source: bool = False
    """Shown as it is written."""
    script: int = 0
    """SUPER, SUB or 0."""
    boxed: bool = False


_NO_OPERAND = (Kind.BINARY, Kind.RELATION, Kind.OPEN, Kind.COMMA, Kind.FUNCTION)


def spaced(glyphs: Sequence[Glyph], before: Kind | None = None) -> Iterator[Glyph]:
    """With the spaces that TeX would set; each belongs to what comes after it."""
    apart = False
    for number, glyph in enumerate(glyphs):
        kind = glyph.kind
        if kind is Kind.SCRIPT:
            yield glyph
            continue
        if kind is Kind.BINARY and (before is None or before in _NO_OPERAND or number == len(glyphs) - 1):
            kind = Kind.OPEN  # a sign
        apart |= _apart(before, kind)
        if glyph.text:
            yield replace(glyph, text=f" {glyph.text}") if apart else glyph
            apart = False
        before = Kind.OPEN if kind is Kind.BEGIN else kind


def _apart(before: Kind | None, kind: Kind) -> bool:
    if before in (None, Kind.SPACE, Kind.OPEN) or kind in (Kind.SPACE, Kind.CLOSE, Kind.COMMA, Kind.END):
        return Kind.RELATION in (before, kind) and kind is not Kind.SPACE and before is not None
    if Kind.RELATION in (before, kind):
        return before is not kind
    if Kind.BINARY in (before, kind) or before is Kind.COMMA or kind is Kind.FUNCTION:
        return True
    if before is Kind.FUNCTION:
        return kind is not Kind.OPEN
    return before is Kind.END or kind is Kind.BEGIN


def in_one(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Set apart from what is around it, as a fraction is."""
    if not glyphs:
        return []
    start, end = glyphs[0].start, glyphs[-1].end
    return [Glyph("", start, start, Kind.BEGIN), *glyphs, Glyph("", end, end, Kind.END)]


def as_script(glyphs: Sequence[Glyph], script: int) -> list[Glyph]:
    """With the characters for it where each has one, so that it can be heard and searched as well."""
    table = SUPERSCRIPTS if script == SUPER else SUBSCRIPTS
    if all(glyph.text in table and not glyph.script for glyph in glyphs):
        return [replace(glyph, text=table[glyph.text], kind=Kind.SCRIPT, italic=False) for glyph in glyphs]
    return [_raised(glyph, script) for glyph in glyphs]


def _raised(glyph: Glyph, script: int) -> Glyph:
    if not glyph.script:
        return replace(glyph, script=script, kind=Kind.SCRIPT)
    mark = "^" if glyph.script == SUPER else "_"
    return replace(glyph, text=mark + glyph.text, script=script)


def bases(glyphs: Iterable[Glyph]) -> list[Glyph]:
    return [glyph for glyph in glyphs if glyph.kind not in (Kind.SCRIPT, Kind.SPACE, Kind.BEGIN, Kind.END)]

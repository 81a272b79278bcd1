"""Atoms of a formula, and the spaces that TeX sets between them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from specchat.ui.transcript.typesetting.boxes import Box, line_up, space
from specchat.ui.transcript.typesetting.math_font import EM, math_font


class Style(IntEnum):
    DISPLAY = 0
    TEXT = 1
    SCRIPT = 2
    SMALLEST = 3

    @property
    def scale(self) -> float:
        names = {Style.SCRIPT: "ScriptPercentScaleDown", Style.SMALLEST: "ScriptScriptPercentScaleDown"}
        return math_font().constants[names[self]] / 100 if self in names else 1.0

    @property
    def script(self) -> "Style":
        return Style(min(max(self, 1) + 1, 3))

    @property
    def in_fraction(self) -> "Style":
        return Style(min(self + 1, 3))

    def constant(self, name: str) -> float:
        """Returns a value of the math font at the size of the style."""
        return math_font().constants[name] * self.scale


class Kind(IntEnum):
    ORDINARY = 0
    OPERATOR = 1
    BINARY = 2
    RELATION = 3
    OPEN = 4
    CLOSE = 5
    PUNCTUATION = 6
    INNER = 7
    SPACE = 8


@dataclass(slots=True)
class Atom:
    kind: Kind
    box: Box
    limits: bool = False
    """Whether scripts stand above and below it."""
    delimiter: str = ""
    """The character of a `middle` delimiter, which is not stretched yet."""


THIN, MEDIUM, THICK = EM * 3 / 18, EM * 4 / 18, EM * 5 / 18
_WIDTHS = {"0": 0.0, "1": THIN, "t": THIN, "m": MEDIUM, "k": THICK}
_BETWEEN = ("01mk000t", "110k000t", "mm00m00m", "kk00k00k", "00000000", "01mk000t", "tt0ttttt", "t1mkt0tt")
"""The space between two kinds; none of a letter within scripts."""
_NO_OPERAND = (None, Kind.BINARY, Kind.OPERATOR, Kind.RELATION, Kind.OPEN, Kind.PUNCTUATION)


def spaced(atoms: Sequence[Atom], style: Style) -> Iterator[tuple[Kind, Box]]:
    """Yields the boxes of a row with the spaces between them, and what kind each turned out to be."""
    before: Kind | None = None
    kinds = _kinds(atoms)
    for atom, kind in zip(atoms, kinds, strict=True):
        if kind is Kind.SPACE:
            yield kind, atom.box
            continue
        if before is not None and (width := _width(before, kind, style)):
            yield Kind.SPACE, space(width)
        yield kind, atom.box
        before = kind


def set_row(atoms: Sequence[Atom], style: Style) -> Box:
    return line_up(box for _, box in spaced(atoms, style))


def _kinds(atoms: Sequence[Atom]) -> list[Kind]:
    """Returns the kinds of atoms, where signs without two operands are ordinary."""
    kinds: list[Kind] = []
    last: int | None = None
    for atom in atoms:
        kind = atom.kind
        before = None if last is None else kinds[last]
        if kind is Kind.BINARY and before in _NO_OPERAND:
            kind = Kind.ORDINARY
        if last is not None and before is Kind.BINARY and kind in (Kind.RELATION, Kind.CLOSE, Kind.PUNCTUATION):
            kinds[last] = Kind.ORDINARY
        kinds.append(kind)
        if kind is not Kind.SPACE:
            last = len(kinds) - 1
    if last is not None and kinds[last] is Kind.BINARY:
        kinds[last] = Kind.ORDINARY
    return kinds


def _width(before: Kind, kind: Kind, style: Style) -> float:
    code = _BETWEEN[before][kind]
    return 0.0 if code.isalpha() and style >= Style.SCRIPT else _WIDTHS[code] * style.scale

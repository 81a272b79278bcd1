"""The math font: glyphs, their measures and outlines, and what its OpenType MATH table says of them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainterPath, QRawFont

from specchat.services.program.resources import resources

EM = 1000.0
"""The size in which everything is measured."""
_CONSTANTS = """
    MathLeading AxisHeight AccentBaseHeight FlattenedAccentBaseHeight SubscriptShiftDown SubscriptTopMax
    SubscriptBaselineDropMin SuperscriptShiftUp SuperscriptShiftUpCramped SuperscriptBottomMin
    SuperscriptBaselineDropMax SubSuperscriptGapMin SuperscriptBottomMaxWithSubscript SpaceAfterScript
    UpperLimitGapMin UpperLimitBaselineRiseMin LowerLimitGapMin LowerLimitBaselineDropMin StackTopShiftUp
    StackTopDisplayStyleShiftUp StackBottomShiftDown StackBottomDisplayStyleShiftDown StackGapMin
    StackDisplayStyleGapMin StretchStackTopShiftUp StretchStackBottomShiftDown StretchStackGapAboveMin
    StretchStackGapBelowMin FractionNumeratorShiftUp FractionNumeratorDisplayStyleShiftUp
    FractionDenominatorShiftDown FractionDenominatorDisplayStyleShiftDown FractionNumeratorGapMin
    FractionNumDisplayStyleGapMin FractionRuleThickness FractionDenominatorGapMin FractionDenomDisplayStyleGapMin
    SkewedFractionHorizontalGap SkewedFractionVerticalGap OverbarVerticalGap OverbarRuleThickness
    OverbarExtraAscender UnderbarVerticalGap UnderbarRuleThickness UnderbarExtraDescender RadicalVerticalGap
    RadicalDisplayStyleVerticalGap RadicalRuleThickness RadicalExtraAscender RadicalKernBeforeDegree
    RadicalKernAfterDegree
"""
"""The constants in the order of the table, after the first four."""
_SIZES = "ScriptPercentScaleDown ScriptScriptPercentScaleDown DelimitedSubFormulaMinHeight DisplayOperatorMinHeight"


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a glyph that is put together."""

    glyph: int
    overlap: float
    """How far it may overlap its neighbors."""
    advance: float
    repeats: bool


@dataclass(frozen=True, slots=True)
class Stretch:
    """How a glyph grows: its larger variants with their sizes, and the parts of one of any size."""

    variants: tuple[tuple[int, float], ...] = ()
    parts: tuple[Part, ...] = ()


class MathFontError(Exception):
    """The file of the font is missing or damaged."""


class MathFont:
    def __init__(self) -> None:
        path = str(resources() / "fonts" / "STIXTwoMath-subset.ttf")
        self._raw = QRawFont(path, EM, QFont.HintingPreference.PreferNoHinting)
        self._table = self._raw.fontTable("MATH").data()
        if not self._table:
            raise MathFontError
        constants, info, variants = struct.unpack_from(">3H", self._table, 4)
        self.constants = dict(self._constants(constants))
        corrections, accents = struct.unpack_from(">2H", self._table, info)
        self._corrections = self._values(info + corrections)
        self._accents = self._values(info + accents)
        self._stretches = {
            vertical: dict(self._constructions(variants, vertical=vertical)) for vertical in (True, False)
        }
        self._glyphs: dict[str, int] = {}
        self._outlines: dict[int, tuple[QPainterPath, QRectF, float]] = {}

    def glyph(self, character: str) -> int:
        """Returns the glyph of a character; 0 for one that the font does not have."""
        if character not in self._glyphs:
            found = self._raw.glyphIndexesForString(character)
            self._glyphs[character] = found[0] if len(found) == 1 else 0
        return self._glyphs[character]

    def outline(self, glyph: int) -> QPainterPath:
        return self._outline(glyph)[0]

    def ink(self, glyph: int) -> QRectF:
        return self._outline(glyph)[1]

    def advance(self, glyph: int) -> float:
        return self._outline(glyph)[2]

    def italic_correction(self, glyph: int) -> float:
        return self._corrections.get(glyph, 0.0)

    def accent_place(self, glyph: int) -> float | None:
        """Returns how far right an accent above the glyph is centered."""
        return self._accents.get(glyph)

    def stretch(self, glyph: int, *, vertical: bool) -> Stretch:
        return self._stretches[vertical].get(glyph, Stretch())

    def _outline(self, glyph: int) -> tuple[QPainterPath, QRectF, float]:
        if glyph not in self._outlines:
            path = self._raw.pathForGlyph(glyph)
            self._outlines[glyph] = path, path.boundingRect(), self._raw.advancesForGlyphIndexes([glyph])[0].x()
        return self._outlines[glyph]

    def _constants(self, start: int) -> Iterator[tuple[str, float]]:
        yield from zip(_SIZES.split(), struct.unpack_from(">2h2H", self._table, start), strict=True)
        for number, name in enumerate(names := _CONSTANTS.split()):
            yield name, struct.unpack_from(">h", self._table, start + 8 + 4 * number)[0]
        (percent,) = struct.unpack_from(">h", self._table, start + 8 + 4 * len(names))
        yield "RadicalDegreeBottomRaisePercent", percent

    def _values(self, start: int) -> dict[int, float]:
        coverage, count = struct.unpack_from(">2H", self._table, start)
        records = struct.iter_unpack(">hH", self._table[start + 4 : start + 4 + 4 * count])
        return {glyph: value for glyph, (value, _) in zip(self._coverage(start + coverage), records, strict=False)}

    def _coverage(self, start: int) -> Iterator[int]:
        kind, count = struct.unpack_from(">2H", self._table, start)
        if kind == 1:
            yield from struct.unpack_from(f">{count}H", self._table, start + 4)
            return
        for first, last, _ in struct.iter_unpack(">3H", self._table[start + 4 : start + 4 + 6 * count]):
            yield from range(first, last + 1)

    def _constructions(self, start: int, *, vertical: bool) -> Iterator[tuple[int, Stretch]]:
        _, *coverages, tall, wide = struct.unpack_from(">5H", self._table, start)
        first, count = (start + 10, tall) if vertical else (start + 10 + 2 * tall, wide)
        places = struct.unpack_from(f">{count}H", self._table, first)
        coverage = coverages[0 if vertical else 1]
        for glyph, place in zip(self._coverage(start + coverage) if count else (), places, strict=False):
            yield glyph, self._stretch(start + place)

    def _stretch(self, start: int) -> Stretch:
        assembly, count = struct.unpack_from(">2H", self._table, start)
        variants = struct.iter_unpack(">HH", self._table[start + 4 : start + 4 + 4 * count])
        return Stretch(tuple(variants), tuple(self._parts(start + assembly)) if assembly else ())

    def _parts(self, start: int) -> Iterator[Part]:
        (count,) = struct.unpack_from(">H", self._table, start + 4)
        records = self._table[start + 6 : start + 6 + 10 * count]
        for glyph, before, after, advance, flags in struct.iter_unpack(">5H", records):
            yield Part(glyph, min(before, after) or max(before, after), advance, bool(flags & 1))


@cache
def math_font() -> MathFont:
    return MathFont()

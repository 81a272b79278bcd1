"""Boxes as TeX has them, of glyphs and rules, measured in thousandths of the text size."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainterPath, QTransform

from specchat.ui.transcript.typesetting.math_font import Part, math_font

_ENOUGH = 60
"""The most parts of which a glyph is put together."""


@dataclass(slots=True)
class Box:
    width: float = 0.0
    height: float = 0.0
    """Above the baseline."""
    depth: float = 0.0
    """Below the baseline."""
    parts: list[tuple[float, float, "Box"]] = field(default_factory=list)
    """What is in it, with the distances to the right and down."""
    outline: QPainterPath | None = None
    """What it draws, in units that `scale` makes smaller."""
    scale: float = 1.0
    source: tuple[int, int] = (0, 0)
    """Where it stands in the LaTeX."""
    slant: float = 0.0
    """The italic correction."""
    accent: float | None = None
    """How far right an accent is centered."""
    is_glyph: bool = False

    @property
    def total(self) -> float:
        return self.height + self.depth


def glyph_box(glyph: int, scale: float, source: tuple[int, int]) -> Box:
    font = math_font()
    ink, place = font.ink(glyph), font.accent_place(glyph)
    return Box(
        font.advance(glyph) * scale,
        -ink.top() * scale,
        ink.bottom() * scale,
        outline=font.outline(glyph),
        scale=scale,
        source=source,
        slant=font.italic_correction(glyph) * scale,
        accent=None if place is None else place * scale,
        is_glyph=True,
    )


def character_box(character: str, scale: float, source: tuple[int, int]) -> Box:
    """Returns the box of a character, which reaches from its baseline at least."""
    box = glyph_box(math_font().glyph(character), scale, source)
    return replace(box, height=max(0.0, box.height), depth=max(0.0, box.depth))


def rule(width: float, height: float, depth: float = 0.0) -> Box:
    path = QPainterPath()
    path.addRect(0, -height, width, height + depth)
    return Box(width, height, depth, outline=path)


def space(width: float) -> Box:
    return Box(width)


def pile(parts: Sequence[tuple[float, float, Box]], width: float | None = None) -> Box:
    """Returns a box around boxes at their distances to the right and down."""
    return Box(
        max((x + box.width for x, _, box in parts), default=0.0) if width is None else width,
        max((box.height - y for _, y, box in parts), default=0.0),
        max((box.depth + y for _, y, box in parts), default=0.0),
        list(parts),
    )


def line_up(boxes: Iterable[Box]) -> Box:
    """Returns boxes one beside the other on one baseline."""
    parts, x = [], 0.0
    for box in boxes:
        parts.append((x, 0.0, box))
        x += box.width
    return parts[0][2] if len(parts) == 1 else pile(parts, x)


def shifted(box: Box, down: float) -> Box:
    return replace(pile([(0.0, down, box)], box.width), slant=box.slant)


def centered(box: Box, width: float) -> float:
    """Returns how far right a box begins in the middle of a width."""
    return (width - box.width) / 2


def leaves(box: Box) -> Iterator[tuple[float, float, Box]]:
    """Yields what draws something, with its place."""
    waiting = [(0.0, 0.0, box)]
    while waiting:
        x, y, part = waiting.pop()
        if part.outline is not None:
            yield x, y, part
        waiting += [(x + dx, y + dy, inside) for dx, dy, inside in reversed(part.parts)]


def outline(box: Box) -> QPainterPath:
    path = _winding()
    for x, y, part in leaves(box):
        assert part.outline is not None
        path.addPath(QTransform(part.scale, 0, 0, part.scale, x, y).map(part.outline))
    return path


def _winding() -> QPainterPath:
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    return path


def stretched(character: str, size: float, scale: float, source: tuple[int, int], *, vertical: bool = True) -> Box:
    """Returns the smallest form of a glyph that is as long as `size`, or the longest one."""
    font = math_font()
    glyph = font.glyph(character)
    stretch = font.stretch(glyph, vertical=vertical)
    for variant, length in stretch.variants:
        if length * scale >= size:
            return glyph_box(variant, scale, source)
    if stretch.parts:
        return _assembled(stretch.parts, size, scale, source, vertical=vertical)
    return glyph_box(stretch.variants[-1][0] if stretch.variants else glyph, scale, source)


def _assembled(parts: Sequence[Part], size: float, scale: float, source: tuple[int, int], *, vertical: bool) -> Box:
    """Puts a glyph together: its repeating parts as often as needed, all overlapping alike."""
    font, repeats = math_font(), 0
    while True:
        chain = [part for part in parts for _ in range(repeats if part.repeats else 1)]
        length = sum(part.advance for part in chain) * scale
        slack = sum(min(a.overlap, b.overlap) for a, b in zip(chain, chain[1:], strict=False)) * scale
        if length >= size or len(chain) >= _ENOUGH:
            break
        repeats += 1
    share = max(0.0, min(1.0, (length - size) / slack)) if slack else 0.0
    path, at, advance = _winding(), 0.0, 0.0
    for number, part in enumerate(chain):
        glyph = font.outline(part.glyph)
        place = (0.0, -at - font.ink(part.glyph).bottom()) if vertical else (at, 0.0)
        path.addPath(glyph.translated(*place))
        advance = max(advance, font.advance(part.glyph))
        after = chain[number + 1].overlap if number + 1 < len(chain) else 0.0
        at += part.advance - share * min(part.overlap, after)
    path = path.simplified()  # Qt would show where outlines overlap
    ink, width = path.boundingRect(), advance if vertical else at
    return Box(width * scale, -ink.top() * scale, ink.bottom() * scale, [], path, scale, source)

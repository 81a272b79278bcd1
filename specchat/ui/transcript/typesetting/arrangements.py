"""Arranges boxes as TeX does: fractions, roots, scripts, limits, accents, delimiters."""

from collections.abc import Sequence

from specchat.ui.transcript.typesetting.atoms import Style
from specchat.ui.transcript.typesetting.boxes import (
    Box,
    centered,
    glyph_box,
    line_up,
    pile,
    rule,
    shifted,
    space,
    stretched,
)
from specchat.ui.transcript.typesetting.math_font import EM, math_font

Source = tuple[int, int]
_FRACTION_SIDE = 0.12 * EM
_COVERED = 0.901
_SHORTFALL = 0.5 * EM
_LIMIT_SIDE = 0.1 * EM


def fraction(above: Box, below: Box, style: Style, *, line: bool = True) -> Box:
    display = "DisplayStyle" if style is Style.DISPLAY else ""
    axis, thickness = style.constant("AxisHeight"), style.constant("FractionRuleThickness")
    if line:
        up = style.constant(f"FractionNumerator{display}ShiftUp")
        down = style.constant(f"FractionDenominator{display}ShiftDown")
        gap = style.constant("FractionNumDisplayStyleGapMin" if display else "FractionNumeratorGapMin")
        up = max(up, axis + thickness / 2 + gap + above.depth)
        down = max(down, thickness / 2 + gap + below.height - axis)
    else:
        up = style.constant(f"StackTop{display}ShiftUp")
        down = style.constant(f"StackBottom{display}ShiftDown")
        missing = style.constant(f"Stack{display}GapMin") - (up - above.depth + down - below.height)
        up, down = up + max(0.0, missing) / 2, down + max(0.0, missing) / 2
    width = max(above.width, below.width)
    parts = [(centered(above, width), -up, above), (centered(below, width), down, below)]
    if line:
        parts.append((0.0, 0.0, rule(width, axis + thickness / 2, thickness / 2 - axis)))
    side = _FRACTION_SIDE * style.scale
    return line_up([space(side), pile(parts, width), space(side)])


def root(content: Box, degree: Box | None, style: Style, source: Source) -> Box:
    thickness = style.constant("RadicalRuleThickness")
    gap = style.constant("RadicalDisplayStyleVerticalGap" if style is Style.DISPLAY else "RadicalVerticalGap")
    sign = stretched("√", content.total + gap + thickness, style.scale, source)
    gap += max(0.0, sign.total - content.total - gap - thickness) / 2
    top = content.height + gap + thickness
    raised = shifted(sign, sign.height - top)
    bar = rule(content.width, top, thickness - top)
    body = pile([(0.0, 0.0, raised), (sign.width, 0.0, content), (sign.width, 0.0, bar)], sign.width + content.width)
    body.height += style.constant("RadicalExtraAscender")
    if degree is None:
        return body
    before, after = style.constant("RadicalKernBeforeDegree"), style.constant("RadicalKernAfterDegree")
    up = sign.total * math_font().constants["RadicalDegreeBottomRaisePercent"] / 100 - raised.depth
    start = max(0.0, before + degree.width + after)
    return pile([(before, -up - degree.depth, degree), (start, 0.0, body)], start + body.width)


def with_scripts(base: Box, above: Box | None, below: Box | None, style: Style) -> Box:
    """Sets scripts at the right of a base; one that is a single glyph leaves them in their usual places."""
    up = down = 0.0
    if not base.is_glyph:
        up = base.height - style.constant("SuperscriptBaselineDropMax")
        down = base.depth + style.constant("SubscriptBaselineDropMin")
    if above is not None:
        least = above.depth + style.constant("SuperscriptBottomMin")
        up = max(up, style.constant("SuperscriptShiftUp"), least)
    if below is not None:
        down = max(down, style.constant("SubscriptShiftDown"), below.height - style.constant("SubscriptTopMax"))
    if above is not None and below is not None:
        missing = style.constant("SubSuperscriptGapMin") - (up - above.depth + down - below.height)
        if missing > 0:
            room = style.constant("SuperscriptBottomMaxWithSubscript") - (up - above.depth)
            up += max(0.0, min(room, missing))
            down += missing - max(0.0, min(room, missing))
    parts = [(0.0, 0.0, base)]
    if above is not None:
        parts.append((base.width + base.slant, -up, above))
    if below is not None:
        parts.append((base.width, down, below))
    made = pile(parts)
    made.width += style.constant("SpaceAfterScript")
    return made


def with_limits(base: Box, above: Box | None, below: Box | None, style: Style) -> Box:
    width = max(box.width for box in (base, above, below) if box is not None)
    parts = [(centered(base, width), 0.0, base)]
    if above is not None:
        rise = max(style.constant("UpperLimitGapMin") + above.depth, style.constant("UpperLimitBaselineRiseMin"))
        parts.append((centered(above, width) + base.slant / 2, -base.height - rise, above))
    if below is not None:
        drop = max(style.constant("LowerLimitGapMin") + below.height, style.constant("LowerLimitBaselineDropMin"))
        parts.append((centered(below, width) - base.slant / 2, base.depth + drop, below))
    return pile(parts, width)


def accented(base: Box, mark: str, style: Style, source: Source, *, wide: bool) -> Box:
    font = math_font()
    if wide:
        glyph = stretched(mark, 0.0, style.scale, source, vertical=False)
        for variant, length in font.stretch(font.glyph(mark), vertical=False).variants:
            if length * style.scale <= base.width:
                glyph = glyph_box(variant, style.scale, source)
    else:
        glyph = glyph_box(font.glyph(mark), style.scale, source)
    ink = glyph.outline.boundingRect() if glyph.outline else None
    middle = glyph.accent if glyph.accent is not None else (ink.center().x() * style.scale if ink else 0.0)
    if wide and ink:
        middle = ink.center().x() * style.scale
    target = base.accent if base.accent is not None else (base.width + base.slant) / 2
    rise = max(0.0, base.height - style.constant("AccentBaseHeight"))
    made = pile([(0.0, 0.0, base), (target - middle, -rise, glyph)], base.width)
    made.is_glyph, made.slant, made.accent = base.is_glyph, base.slant, base.accent
    return made


def overlined(base: Box, style: Style, *, above: bool) -> Box:
    name = "Overbar" if above else "Underbar"
    gap, thickness = style.constant(f"{name}VerticalGap"), style.constant(f"{name}RuleThickness")
    if above:
        bar = rule(base.width, base.height + gap + thickness, -base.height - gap)
    else:
        bar = rule(base.width, -base.depth - gap, base.depth + gap + thickness)
    return pile([(0.0, 0.0, base), (0.0, 0.0, bar)], base.width)


def stretched_over(base: Box, mark: str, style: Style, source: Source, *, above: bool) -> Box:
    """Sets a glyph as wide as the base above or below it: a brace, an arrow."""
    glyph = stretched(mark, base.width, style.scale, source, vertical=False)
    gap = style.constant("StretchStackGapAboveMin") / 2
    width = max(base.width, glyph.width)
    down = base.depth + gap + glyph.height if not above else -base.height - gap - glyph.depth
    return pile([(centered(base, width), 0.0, base), (centered(glyph, width), down, glyph)], width)


def labeled_arrow(sign: str, above: Box, below: Box | None, style: Style, source: Source) -> Box:
    """Sets an arrow as long as what stands above and below it."""
    labels = [label for label in (above, below) if label is not None]
    length = max(label.width for label in labels) + 0.6 * EM * style.scale
    arrow = stretched(sign, length, style.scale, source, vertical=False)
    return with_limits(arrow, above, below, style)


def delimiter(sign: str, height: float, depth: float, style: Style, source: Source) -> Box:
    """Returns a delimiter about as tall as what it stands beside, with the math axis in its middle."""
    if not sign:
        return space(_FRACTION_SIDE * style.scale)
    axis = style.constant("AxisHeight")
    half = max(height - axis, depth + axis)
    size = max(2 * half * _COVERED, 2 * half - _SHORTFALL * style.scale)
    return on_axis(stretched(sign, size, style.scale, source), style)


def on_axis(box: Box, style: Style) -> Box:
    down = (box.height - box.depth) / 2 - style.constant("AxisHeight")
    made = shifted(box, down)
    made.is_glyph = box.is_glyph
    return made


def framed(content: Box, style: Style) -> Box:
    pad, line = 0.3 * EM * style.scale, style.constant("FractionRuleThickness")
    width, height, depth = content.width + 2 * pad, content.height + pad, content.depth + pad
    parts = [
        (pad, 0.0, content),
        (0.0, 0.0, rule(width, height, line - height)),
        (0.0, 0.0, rule(width, line - depth, depth)),
        (0.0, 0.0, rule(line, height, depth)),
        (width - line, 0.0, rule(line, height, depth)),
    ]
    return pile(parts, width)


def table(
    rows: Sequence[Sequence[Box]],
    alignments: Sequence[str],
    gaps: Sequence[float],
    style: Style,
    *,
    lead: float,
    lines: tuple[Sequence[int], Sequence[int]] = ((), ()),
) -> Box:
    """Sets rows and columns around the math axis; `lines` are drawn before these columns and rows."""
    scale = style.scale
    columns = len(alignments)
    widths = [max((row[c].width for row in rows if c < len(row)), default=0.0) for c in range(columns)]
    heights = [max([0.7 * lead * scale, *(box.height for box in row)]) for row in rows]
    depths = [max([0.3 * lead * scale, *(box.depth for box in row)]) for row in rows]
    starts = [sum(widths[:c]) + sum(gaps[:c]) for c in range(columns)]
    width, total = sum(widths) + sum(gaps[: columns - 1]), sum(heights) + sum(depths)
    top = -total / 2 - style.constant("AxisHeight")
    parts, y, edges = [], top, [top]
    for row, height, depth in zip(rows, heights, depths, strict=True):
        for column, box in enumerate(row):
            shares = {"left": 0.0, "center": 0.5, "right": 1.0}
            x = starts[column] + (widths[column] - box.width) * shares[alignments[column]]
            parts.append((x, y + height, box))
        y += height + depth
        edges.append(y)
    line = style.constant("FractionRuleThickness")
    xs = [-gaps[0] / 2 if gaps else 0.0, *(s - g / 2 for s, g in zip(starts[1:], gaps, strict=False)), width]
    parts += [(xs[min(c, columns)], 0.0, rule(line, -top, y)) for c in lines[0]]
    parts += [(0.0, edges[min(r, len(rows))], rule(width, line / 2, line / 2)) for r in lines[1]]
    made = pile(parts, width)
    made.height, made.depth = -top, y
    return made

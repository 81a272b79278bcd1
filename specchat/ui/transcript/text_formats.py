"""Fonts, colours and text formats of the transcript."""

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFrameFormat,
    QTextOption,
    QTextTableFormat,
)

from specchat.ui.transcript.rendered_lines import LineKind, RenderedLine, TextStyle
from specchat.ui.widgets.theme import (
    BODY_PX,
    GRID,
    LINE_HEIGHT,
    MAX_LINE_CHARACTERS,
    SMALL_PX,
    Theme,
    body_font,
    code_font,
)

if TYPE_CHECKING:
    from specchat.ui.transcript.typesetting.typeset_formula import TypesetFormula

ROW_HEIGHT = math.ceil(BODY_PX * LINE_HEIGHT)
"""The height of a line of text."""
CODE_ROW_HEIGHT = math.ceil(SMALL_PX * LINE_HEIGHT)
CODE_MARGIN = GRID * 3 // 2
_HEADING_PX = {1: 20, 2: 18, 3: 16}
_INDENTS = {"q": 2 * GRID, "b": 3 * GRID, "o": 4 * GRID, "f": 3 * GRID, "n": 0}
_DEEPEST = 8
_SCRIPTS = {
    1: QTextCharFormat.VerticalAlignment.AlignSuperScript,
    -1: QTextCharFormat.VerticalAlignment.AlignSubScript,
}
_FOUND = 0.22
_FOUND_CURRENT = 0.36
_ALIGNMENTS = {
    "left": Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute,
}
READABLE = 4.5
"""The contrast that WCAG AA asks of text."""
TINT = 0.14
"""The opacity of the tint behind an accepted guess."""
_TURNS = {"keyword": 0, "string": 300, "number": 170, "name": 50, "meta": 110}
"""The degrees by which hues are turned from the accent's."""


def indent(path: str) -> int:
    return sum(_INDENTS[container] for container in path[:_DEEPEST])


def margins(line: RenderedLine) -> tuple[int, int]:
    """Returns the left and right margins for the containers around a line; a centered one has no other indent."""
    room = indent(line.path.removesuffix("f") if line.align == "center" else line.path)
    return (0, room) if line.right_to_left else (room, 0)


class TextFormats:
    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.body = body_font()
        self.small = body_font(SMALL_PX)
        self.code = code_font()
        self._hues = syntax_colours(theme)
        self._characters: dict[tuple[TextStyle, LineKind, int, bool], QTextCharFormat] = {}
        self._blocks: dict[tuple[object, ...], QTextBlockFormat] = {}
        self.measure = math.ceil(QFontMetricsF(self.body).averageCharWidth() * MAX_LINE_CHARACTERS)
        self.tab_stop = 4 * QFontMetricsF(self.code).horizontalAdvance(" ")

    def palette(self, *, muted: bool) -> QPalette:
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Text, self.theme.text_muted if muted else self.theme.text)
        return palette

    def match_colour(self, *, current: bool) -> QColor:
        """Returns the colour behind a match."""
        tint = QColor(self.theme.warning)
        tint.setAlphaF(_FOUND_CURRENT if current else _FOUND)
        return tint

    def text_option(self) -> QTextOption:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTabStopDistance(self.tab_stop)
        return option

    def char_format(self, style: TextStyle, line: RenderedLine) -> QTextCharFormat:
        if style.formula:
            return self._formula_format(style.formula, style, line)
        key = (style, line.kind, line.level, line.in_footnote)
        if key not in self._characters:
            made = self._make_characters(style, line)
            if style.link:
                return made
            self._characters[key] = made
        return self._characters[key]

    def _formula_format(self, formula: "TypesetFormula", style: TextStyle, line: RenderedLine) -> QTextCharFormat:
        from specchat.ui.transcript.formula_object import formula_format

        made = formula_format(formula, self._font(line).pixelSize(), sum(margins(line)))
        if style.link:
            made.setForeground(self.theme.accent)
        return made

    def _font(self, line: RenderedLine) -> QFont:
        if line.kind is LineKind.HEADING:
            return self._heading(line.level)
        return self.small if line.in_footnote else self.body

    def _make_characters(self, style: TextStyle, line: RenderedLine) -> QTextCharFormat:
        made = QTextCharFormat()
        if line.in_footnote:
            made.setFont(self.small)
        if line.kind is LineKind.CODE or style.code:
            made.setFont(self.code)
        if line.kind is LineKind.HEADING:
            made.setFont(self._heading(line.level))
        if style.bold:
            made.setFontWeight(QFont.Weight.DemiBold)
        if style.italic:
            made.setFontItalic(True)
        if style.strike:
            made.setFontStrikeOut(True)
        if style.script:
            made.setVerticalAlignment(_SCRIPTS[style.script])
        if style.hue:
            made.setForeground(self._hues[style.hue])
        if style.link:
            made.setForeground(self.theme.accent)
            made.setFontUnderline(True)
        return made

    def _heading(self, level: int) -> QFont:
        font = body_font(_HEADING_PX.get(level, BODY_PX))
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def block_format(self, line: RenderedLine) -> QTextBlockFormat:
        key = (line.kind, line.path, line.above, line.level, line.align, line.right_to_left)
        if key not in self._blocks:
            self._blocks[key] = self._make_block(line)
        return self._blocks[key]

    def _make_block(self, line: RenderedLine) -> QTextBlockFormat:
        made = QTextBlockFormat()
        left, right = margins(line)
        if line.kind is LineKind.CODE:
            left, right = left + CODE_MARGIN, right + CODE_MARGIN
            made.setNonBreakableLines(True)
        if line.kind is not LineKind.CELL:
            made.setLeftMargin(left)
            made.setRightMargin(right)
        runs_left = line.right_to_left and line.kind is not LineKind.CODE
        made.setLayoutDirection(Qt.LayoutDirection.RightToLeft if runs_left else Qt.LayoutDirection.LeftToRight)
        made.setTopMargin(line.above)
        if line.align in _ALIGNMENTS:
            made.setAlignment(_ALIGNMENTS[line.align])
        if line.kind is LineKind.FILLER:
            made.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        elif line.kind is not LineKind.CELL:
            made.setLineHeight(_height(line), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        return made

    def table_format(self, line: RenderedLine) -> QTextTableFormat:
        """Returns the format of the table that begins with the line."""
        made = QTextTableFormat()
        if line.mirrored:
            made.setAlignment(Qt.AlignmentFlag.AlignRight)
            made.setRightMargin(indent(line.path))
        else:
            made.setLeftMargin(indent(line.path))
        made.setCellSpacing(0)
        made.setCellPadding(GRID - 1)
        made.setBorderCollapse(True)
        made.setBorder(1)
        made.setBorderBrush(self.theme.line)
        made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        return made


def _height(line: RenderedLine) -> int:
    if line.kind is LineKind.CODE or line.in_footnote:
        return CODE_ROW_HEIGHT
    if line.kind is LineKind.HEADING:
        return math.ceil(_HEADING_PX.get(line.level, BODY_PX) * LINE_HEIGHT)
    if line.kind is LineKind.RULE:
        return 1
    return ROW_HEIGHT


def syntax_colours(theme: Theme) -> dict[str, QColor]:
    colours = {name: _turned(theme.accent, degrees) for name, degrees in _TURNS.items()}
    colours["comment"] = theme.text_muted
    return {name: _readable_on_all(colour, code_backgrounds(theme)) for name, colour in colours.items()}


def code_backgrounds(theme: Theme) -> tuple[QColor, ...]:
    """Returns all colours that can be behind code."""
    return theme.sunken, *(blend_colours(tint, theme.sunken, TINT) for tint in (theme.accepted, theme.ngram))


def _readable_on_all(colour: QColor, behind: tuple[QColor, ...]) -> QColor:
    for ground in behind:
        colour = readable_colour(colour, ground)
    return colour


def contrast_ratio(one: QColor, other: QColor) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable_colour(colour: QColor, ground: QColor) -> QColor:
    """Returns the same hue, made as light or dark as it must be."""
    step = 0.02 if _luminance(ground) < 0.2 else -0.02
    lightness = colour.lightnessF()
    while contrast_ratio(colour, ground) < READABLE and 0 < lightness < 1:
        lightness = min(1.0, max(0.0, lightness + step))
        colour = QColor.fromHslF(max(0.0, colour.hslHueF()), colour.hslSaturationF(), lightness)
    return colour


def blend_colours(colour: QColor, ground: QColor, share: float) -> QColor:
    red, green, blue = (
        share * one + (1 - share) * other
        for one, other in (
            (colour.redF(), ground.redF()),
            (colour.greenF(), ground.greenF()),
            (colour.blueF(), ground.blueF()),
        )
    )
    return QColor.fromRgbF(red, green, blue)


def _turned(colour: QColor, degrees: int) -> QColor:
    hue = (colour.hslHue() + degrees) % 360
    return QColor.fromHsl(hue, colour.hslSaturation() * 3 // 4, colour.lightness())


def _luminance(colour: QColor) -> float:
    red, green, blue = (_linear(part) for part in (colour.redF(), colour.greenF(), colour.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)

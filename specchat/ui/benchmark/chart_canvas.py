"""Drawing primitives shared by all charts: titles, legends, axes and marks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from specchat.ui.widgets.theme import GRID, SMALL_PX, Theme, body_font, tabular_figures

_STROKE, _SQUARE = 22.0, 9.0
"""The size of a legend's strokes and squares."""
_GAP = 6.0
_MARK = 3.5
_TICKS = 4

Flag = Qt.AlignmentFlag
LEFT = Flag.AlignLeft | Flag.AlignVCenter
RIGHT = Flag.AlignRight | Flag.AlignVCenter
CENTRED = Flag.AlignHCenter | Flag.AlignVCenter


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How a line is told from others: by its colour, and for those who see none by its marks."""

    colour: QColor
    mark: int = 0
    dashes: tuple[float, ...] = ()
    """Lengths of dashes and gaps; none: a solid line with marks."""

    def pen(self, width: float = 2.0) -> QPen:
        pen = QPen(self.colour, width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if self.dashes:
            pen.setDashPattern(self.dashes)
        return pen


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """An entry of a legend."""

    words: str
    line_style: LineStyle
    is_area: bool = False

    @property
    def swatch_width(self) -> float:
        return _SQUARE if self.is_area else _STROKE


@dataclass(frozen=True, slots=True)
class AxisScale:
    """From 0 to a round number."""

    high: float
    step: float

    @staticmethod
    def up_to(value: float) -> "AxisScale":
        if value <= 0:
            return AxisScale(1.0, 0.5)
        rough = value / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(n * power for n in (1, 2, 2.5, 5, 10) if n * power >= rough * 0.999)
        return AxisScale(step * math.ceil(value / step * 0.999), step)

    @property
    def ticks(self) -> list[float]:
        return [round(n * self.step, 9) for n in range(round(self.high / self.step) + 1)]

    @property
    def decimals(self) -> int:
        return next(n for n in range(4) if n == 3 or round(self.step, n) == self.step)


class ChartCanvas:
    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter, self.theme = painter, theme
        self.font = tabular_figures(body_font(SMALL_PX))
        self.bold = QFont(self.font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.metrics = QFontMetricsF(self.font)
        if painter.isActive():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    @staticmethod
    def for_measuring(theme: Theme) -> "ChartCanvas":
        """Paints nowhere."""
        return ChartCanvas(QPainter(), theme)

    @property
    def line_height(self) -> float:
        return math.ceil(self.metrics.height())

    def text_width(self, words: str) -> float:
        return math.ceil(self.metrics.horizontalAdvance(words))

    def draw_text(
        self, place: QRectF, words: str, flags: Flag = LEFT, colour: QColor | None = None, *, bold: bool = False
    ) -> None:
        """As much as there is room for."""
        self.painter.setFont(self.bold if bold else self.font)
        self.painter.setPen(colour or self.theme.text_muted)
        metrics = QFontMetricsF(self.painter.font())
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, place.width() + 1)
        self.painter.drawText(place, flags | Qt.TextFlag.TextDontClip, shown)

    def draw_bar_value(self, x: float, middle: float, words: str) -> None:
        """Beside the end of a bar, and readable where a line of the axis is."""
        place = QRectF(x + _GAP, middle - self.line_height / 2, self.text_width(words), self.line_height)
        self.painter.fillRect(place, self.theme.window)
        self.draw_text(place, words, colour=self.theme.text)

    def draw_heading(self, area: QRectF, words: str) -> QRectF:
        """What is left below it."""
        self.draw_text(
            QRectF(area.left(), area.top(), area.width(), self.line_height), words, colour=self.theme.text, bold=True
        )
        return area.adjusted(0, self.line_height + GRID, 0, 0)

    def draw_legend(self, area: QRectF, entries: Sequence[LegendEntry]) -> QRectF:
        """In as many lines as it takes; what is left below it."""
        for entry, place in self._legend_places(area, entries):
            words = place.adjusted(entry.swatch_width + _GAP, 0, 0, 0)
            self._swatch(QRectF(place.left(), place.top(), entry.swatch_width, place.height()), entry)
            self.draw_text(words, entry.words)
        return area.adjusted(0, self.legend_height(area.width(), entries), 0, 0)

    def legend_height(self, width: float, entries: Sequence[LegendEntry]) -> float:
        places = self._legend_places(QRectF(0, 0, width, 0), entries)
        return max((place.bottom() + GRID for _, place in places), default=0.0)

    def _legend_places(self, area: QRectF, entries: Sequence[LegendEntry]) -> list[tuple[LegendEntry, QRectF]]:
        found, x, y = [], area.left(), area.top()
        for entry in entries:
            wanted = min(entry.swatch_width + _GAP + self.text_width(entry.words), area.width())
            if x > area.left() and x + wanted > area.right():
                x, y = area.left(), y + self.line_height + 2
            found.append((entry, QRectF(x, y, wanted, self.line_height)))
            x += wanted + 2 * GRID
        return found

    def draw_value_rows(self, area: QRectF, scale: AxisScale, words: Callable[[float], str]) -> QRectF:
        """Horizontal lines with their values at the left; what is left for the plot."""
        ticks = scale.ticks
        gutter = max(map(self.text_width, map(words, ticks))) + GRID
        plot = area.adjusted(gutter, self.line_height / 2, 0, 0)
        for tick in ticks:
            y = y_position(plot, scale, tick)
            self._hairline(QPointF(plot.left(), y), QPointF(plot.right(), y), is_zero=tick == 0)
            self.draw_text(
                QRectF(area.left(), y - self.line_height / 2, gutter - GRID, self.line_height), words(tick), RIGHT
            )
        return plot

    def draw_value_columns(self, plot: QRectF, scale: AxisScale, words: Callable[[float], str]) -> None:
        """Vertical lines with their values below."""
        for tick in scale.ticks:
            x = x_position(plot, scale, tick)
            self._hairline(QPointF(x, plot.top()), QPointF(x, plot.bottom()), is_zero=tick == 0)
            self.draw_text(self.tick_label_rect(plot, x), words(tick), CENTRED)

    def tick_label_rect(self, plot: QRectF, x: float, width: float = 6.0 * GRID) -> QRectF:
        return QRectF(x - width / 2, plot.bottom() + GRID / 2, width, self.line_height)

    def draw_caption(self, plot: QRectF, words: str) -> None:
        """Below the values of the axis."""
        self.draw_text(
            QRectF(plot.left(), plot.bottom() + GRID / 2 + self.line_height, plot.width(), self.line_height), words
        )

    @property
    def footer_height(self) -> float:
        """What the values of an axis and its caption take."""
        return GRID / 2 + 2 * self.line_height

    def draw_curve(self, points: Sequence[QPointF], line_style: LineStyle, *, marked: bool = True) -> None:
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(line_style.pen())
        self.painter.drawPolyline(QPolygonF(points))
        if marked:
            for point in points:
                self.draw_mark(point, line_style)

    def draw_whisker(self, one: QPointF, other: QPointF, line_style: LineStyle) -> None:
        """From the lowest to the highest."""
        if (one - other).manhattanLength() < 2:
            return
        self.painter.setPen(QPen(line_style.colour, 1.25))
        self.painter.drawLine(one, other)
        across = QPointF(3, 0) if one.x() == other.x() else QPointF(0, 3)
        for end in (one, other):
            self.painter.drawLine(end - across, end + across)

    def draw_mark(self, at: QPointF, line_style: LineStyle, size: float = _MARK) -> None:
        """With a rim, so that it shows on any line."""
        self.painter.setPen(QPen(self.theme.window, 1.5))
        self.painter.setBrush(line_style.colour)
        match line_style.mark % 4:
            case 0:
                self.painter.drawEllipse(at, size + 0.5, size + 0.5)
            case 1:
                self.painter.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size))
            case 2:
                self.painter.drawPolygon(_corners(at, ((0, -1.3), (1.25, 1), (-1.25, 1)), size))
            case _:
                self.painter.drawPolygon(_corners(at, ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)), size))

    def _swatch(self, place: QRectF, entry: LegendEntry) -> None:
        middle = place.center()
        if entry.is_area:
            self.painter.fillRect(
                QRectF(place.left(), middle.y() - _SQUARE / 2, _SQUARE, _SQUARE), entry.line_style.colour
            )
            return
        self.painter.setPen(entry.line_style.pen())
        self.painter.drawLine(QPointF(place.left(), middle.y()), QPointF(place.right(), middle.y()))
        if not entry.line_style.dashes:
            self.draw_mark(middle, entry.line_style)

    def _hairline(self, one: QPointF, other: QPointF, *, is_zero: bool) -> None:
        self.painter.setPen(QPen(self.theme.rejected if is_zero else self.theme.line, 1))
        half = QPointF(0.5, 0.5)
        self.painter.drawLine(_whole(one) + half, _whole(other) + half)


def y_position(plot: QRectF, scale: AxisScale, value: float) -> float:
    return plot.bottom() - value / scale.high * plot.height()


def x_position(plot: QRectF, scale: AxisScale, value: float) -> float:
    return plot.left() + value / scale.high * plot.width()


def _whole(point: QPointF) -> QPointF:
    return QPointF(math.floor(point.x()), math.floor(point.y()))


def _corners(at: QPointF, corners: Sequence[tuple[float, float]], size: float) -> QPolygonF:
    return QPolygonF([QPointF(at.x() + x * size, at.y() + y * size) for x, y in corners])

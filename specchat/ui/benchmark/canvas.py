"""What all charts are made of: titles, legends, axes, marks."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from specchat.ui.widgets.theme import GRID, SMALL_PX, Theme, body_font, figures

_STROKE, _SQUARE = 22.0, 9.0
"""Of a legend."""
_GAP = 6.0
_MARK = 3.5
_TICKS = 4

Flag = Qt.AlignmentFlag
LEFT = Flag.AlignLeft | Flag.AlignVCenter
RIGHT = Flag.AlignRight | Flag.AlignVCenter
CENTRED = Flag.AlignHCenter | Flag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Ink:
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
class Entry:
    """Of a legend."""

    words: str
    ink: Ink
    is_area: bool = False

    @property
    def swatch(self) -> float:
        return _SQUARE if self.is_area else _STROKE


@dataclass(frozen=True, slots=True)
class Scale:
    """From 0 to a round number."""

    high: float
    step: float

    @staticmethod
    def up_to(value: float) -> "Scale":
        if value <= 0:
            return Scale(1.0, 0.5)
        rough = value / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(n * power for n in (1, 2, 2.5, 5, 10) if n * power >= rough * 0.999)
        return Scale(step * math.ceil(value / step * 0.999), step)

    @property
    def ticks(self) -> list[float]:
        return [round(n * self.step, 9) for n in range(round(self.high / self.step) + 1)]

    @property
    def decimals(self) -> int:
        return next(n for n in range(4) if n == 3 or round(self.step, n) == self.step)


class Canvas:
    def __init__(self, painter: QPainter, theme: Theme) -> None:
        self.painter, self.theme = painter, theme
        self.font = figures(body_font(SMALL_PX))
        self.bold = QFont(self.font)
        self.bold.setWeight(QFont.Weight.DemiBold)
        self.metrics = QFontMetricsF(self.font)
        if painter.isActive():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    @staticmethod
    def measuring(theme: Theme) -> "Canvas":
        """Paints nowhere."""
        return Canvas(QPainter(), theme)

    @property
    def line(self) -> float:
        return math.ceil(self.metrics.height())

    def width(self, words: str) -> float:
        return math.ceil(self.metrics.horizontalAdvance(words))

    def write(
        self, place: QRectF, words: str, flags: Flag = LEFT, colour: QColor | None = None, *, bold: bool = False
    ) -> None:
        """As much as there is room for."""
        self.painter.setFont(self.bold if bold else self.font)
        self.painter.setPen(colour or self.theme.text_muted)
        metrics = QFontMetricsF(self.painter.font())
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, place.width() + 1)
        self.painter.drawText(place, flags | Qt.TextFlag.TextDontClip, shown)

    def value(self, x: float, middle: float, words: str) -> None:
        """Beside the end of a bar, and readable where a line of the axis is."""
        place = QRectF(x + _GAP, middle - self.line / 2, self.width(words), self.line)
        self.painter.fillRect(place, self.theme.window)
        self.write(place, words, colour=self.theme.text)

    def heading(self, area: QRectF, words: str) -> QRectF:
        """What is left below it."""
        self.write(QRectF(area.left(), area.top(), area.width(), self.line), words, colour=self.theme.text, bold=True)
        return area.adjusted(0, self.line + GRID, 0, 0)

    def legend(self, area: QRectF, entries: Sequence[Entry]) -> QRectF:
        """In as many lines as it takes; what is left below it."""
        for entry, place in self._legend_places(area, entries):
            words = place.adjusted(entry.swatch + _GAP, 0, 0, 0)
            self._swatch(QRectF(place.left(), place.top(), entry.swatch, place.height()), entry)
            self.write(words, entry.words)
        return area.adjusted(0, self.legend_height(area.width(), entries), 0, 0)

    def legend_height(self, width: float, entries: Sequence[Entry]) -> float:
        places = self._legend_places(QRectF(0, 0, width, 0), entries)
        return max((place.bottom() + GRID for _, place in places), default=0.0)

    def _legend_places(self, area: QRectF, entries: Sequence[Entry]) -> list[tuple[Entry, QRectF]]:
        found, x, y = [], area.left(), area.top()
        for entry in entries:
            wanted = min(entry.swatch + _GAP + self.width(entry.words), area.width())
            if x > area.left() and x + wanted > area.right():
                x, y = area.left(), y + self.line + 2
            found.append((entry, QRectF(x, y, wanted, self.line)))
            x += wanted + 2 * GRID
        return found

    def rows(self, area: QRectF, scale: Scale, words: Callable[[float], str]) -> QRectF:
        """Horizontal lines with their values at the left; what is left for the plot."""
        ticks = scale.ticks
        gutter = max(map(self.width, map(words, ticks))) + GRID
        plot = area.adjusted(gutter, self.line / 2, 0, 0)
        for tick in ticks:
            y = level(plot, scale, tick)
            self._hairline(QPointF(plot.left(), y), QPointF(plot.right(), y), is_zero=tick == 0)
            self.write(QRectF(area.left(), y - self.line / 2, gutter - GRID, self.line), words(tick), RIGHT)
        return plot

    def columns(self, plot: QRectF, scale: Scale, words: Callable[[float], str]) -> None:
        """Vertical lines with their values below."""
        for tick in scale.ticks:
            x = reach(plot, scale, tick)
            self._hairline(QPointF(x, plot.top()), QPointF(x, plot.bottom()), is_zero=tick == 0)
            self.write(self.below(plot, x), words(tick), CENTRED)

    def below(self, plot: QRectF, x: float, width: float = 6.0 * GRID) -> QRectF:
        return QRectF(x - width / 2, plot.bottom() + GRID / 2, width, self.line)

    def caption(self, plot: QRectF, words: str) -> None:
        """Below the values of the axis."""
        self.write(QRectF(plot.left(), plot.bottom() + GRID / 2 + self.line, plot.width(), self.line), words)

    @property
    def foot(self) -> float:
        """What the values of an axis and its caption take."""
        return GRID / 2 + 2 * self.line

    def curve(self, points: Sequence[QPointF], ink: Ink, *, marked: bool = True) -> None:
        self.painter.setBrush(Qt.BrushStyle.NoBrush)
        self.painter.setPen(ink.pen())
        self.painter.drawPolyline(QPolygonF(points))
        if marked:
            for point in points:
                self.mark(point, ink)

    def whisker(self, one: QPointF, other: QPointF, ink: Ink) -> None:
        """From the lowest to the highest."""
        if (one - other).manhattanLength() < 2:
            return
        self.painter.setPen(QPen(ink.colour, 1.25))
        self.painter.drawLine(one, other)
        across = QPointF(3, 0) if one.x() == other.x() else QPointF(0, 3)
        for end in (one, other):
            self.painter.drawLine(end - across, end + across)

    def mark(self, at: QPointF, ink: Ink, size: float = _MARK) -> None:
        """With a rim, so that it shows on any line."""
        self.painter.setPen(QPen(self.theme.window, 1.5))
        self.painter.setBrush(ink.colour)
        match ink.mark % 4:
            case 0:
                self.painter.drawEllipse(at, size + 0.5, size + 0.5)
            case 1:
                self.painter.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size))
            case 2:
                self.painter.drawPolygon(_corners(at, ((0, -1.3), (1.25, 1), (-1.25, 1)), size))
            case _:
                self.painter.drawPolygon(_corners(at, ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)), size))

    def _swatch(self, place: QRectF, entry: Entry) -> None:
        middle = place.center()
        if entry.is_area:
            self.painter.fillRect(QRectF(place.left(), middle.y() - _SQUARE / 2, _SQUARE, _SQUARE), entry.ink.colour)
            return
        self.painter.setPen(entry.ink.pen())
        self.painter.drawLine(QPointF(place.left(), middle.y()), QPointF(place.right(), middle.y()))
        if not entry.ink.dashes:
            self.mark(middle, entry.ink)

    def _hairline(self, one: QPointF, other: QPointF, *, is_zero: bool) -> None:
        self.painter.setPen(QPen(self.theme.rejected if is_zero else self.theme.line, 1))
        half = QPointF(0.5, 0.5)
        self.painter.drawLine(_whole(one) + half, _whole(other) + half)


def level(plot: QRectF, scale: Scale, value: float) -> float:
    return plot.bottom() - value / scale.high * plot.height()


def reach(plot: QRectF, scale: Scale, value: float) -> float:
    return plot.left() + value / scale.high * plot.width()


def _whole(point: QPointF) -> QPointF:
    return QPointF(math.floor(point.x()), math.floor(point.y()))


def _corners(at: QPointF, corners: Sequence[tuple[float, float]], size: float) -> QPolygonF:
    return QPolygonF([QPointF(at.x() + x * size, at.y() + y * size) for x, y in corners])

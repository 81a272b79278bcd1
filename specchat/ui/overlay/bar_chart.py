"""A bar chart with a labelled axis, sharp at any pixel density."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.words.number_format import UNKNOWN, format_number

_WIDEST_BAR = 4 * GRID
_NARROWEST = 3
_USUAL_TICK = "\u2212100 s"
"""Charts one above the other begin at the same place."""
_NUMBERS_APART = 4 * GRID


@dataclass(frozen=True, slots=True)
class Bar:
    value: float | None
    """None: nothing to measure."""
    name: str
    is_of_draft: bool | None = True
    """Else most of its guesses came from earlier text, or another drafter; None: that is not reported."""


class BarChart(QWidget):
    def __init__(
        self,
        axis: str,
        amount: Callable[[float], str],
        tick: Callable[[float], str],
        parent: QWidget | None = None,
        short: Callable[[float], str] | None = None,
    ) -> None:
        """`short`: the amount as it stands at a bar, where that tells less."""
        super().__init__(parent)
        self._axis = axis
        self._amount = amount
        self._tick = tick
        self._short = short or amount
        self._ceiling: float | None = None
        self._bars: Sequence[Bar] = ()
        self.setMinimumSize(25 * GRID, 16 * GRID)
        follow_theme(self._apply_theme)

    def set_axis_maximum(self, ceiling: float) -> None:
        """The top of the axis, whatever the bars are."""
        self._ceiling = ceiling

    def _apply_theme(self) -> None:
        self._font = tabular_figures(body_font(SMALL_PX))
        self.update()

    def show_bars(self, bars: Sequence[Bar]) -> None:
        self._bars = bars
        self.setAccessibleDescription(", ".join(self._words(bar) for bar in bars))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, 16 * GRID)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            bar = self._bar_at(event.pos())
            QToolTip.showText(event.globalPos(), self._words(bar) if bar is not None else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        plot = self._plot()
        self._paint_axis(painter, plot)
        for place, bar in enumerate(plot.bars):
            self._paint_bar(painter, plot, place, bar)

    def _words(self, bar: Bar) -> str:
        return f"{bar.name}: {UNKNOWN if bar.value is None else self._amount(bar.value)}"

    def _plot(self) -> "_Plot":
        metrics = QFontMetrics(self._font)
        scale = _Scale.of([bar.value for bar in self._bars if bar.value is not None], self._ceiling)
        gutter = max(metrics.horizontalAdvance(text) for text in (_USUAL_TICK, *map(self._tick, scale.ticks))) + GRID
        amounts_below = metrics.height() if scale.low < 0 else 0
        top, bottom = metrics.height(), 2 * metrics.height() + GRID // 2 + amounts_below
        area = QRect(gutter, top, self.width() - gutter, self.height() - top - bottom)
        return _Plot.of(self._bars, area, scale)

    def _bar_at(self, at: QPoint) -> Bar | None:
        plot = self._plot()
        place = (at.x() - plot.area.left()) // plot.pitch
        return plot.bars[place] if 0 <= place < len(plot.bars) else None

    def _paint_axis(self, painter: QPainter, plot: "_Plot") -> None:
        theme, metrics, area = current_theme(), QFontMetrics(self._font), plot.area
        labelled: list[int] = []
        for tick in sorted(plot.scale.ticks, key=abs):
            y = plot.y(tick)
            painter.fillRect(area.left(), y, area.width(), 1, theme.rejected if tick == 0 else theme.line)
            if any(abs(y - other) < metrics.height() for other in labelled):
                continue
            labelled.append(y)
            painter.setPen(theme.text_muted)
            label = QRect(0, y - metrics.height() // 2, area.left() - GRID, metrics.height())
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._tick(tick))
        caption = QRect(area.left(), self.height() - metrics.height(), area.width(), metrics.height())
        painter.drawText(caption, Qt.AlignmentFlag.AlignLeft, self._axis)

    def _paint_bar(self, painter: QPainter, plot: "_Plot", place: int, bar: Bar) -> None:
        metrics = QFontMetrics(self._font)
        left, width = plot.area.left() + place * plot.pitch, plot.bar_width
        if plot.is_numbered(place):
            painter.setPen(current_theme().text_muted)
            label = QRect(left, self.height() - 2 * metrics.height() - GRID // 2 + 1, width, metrics.height())
            painter.drawText(label, _CENTRED, format_number(plot.first + place))
        if bar.value is None:
            return
        zero, end = plot.y(0), plot.y(bar.value)
        painter.fillRect(left, min(zero, end), width, max(1, abs(end - zero)), self._colour(bar))
        words = self._short(bar.value)
        if metrics.horizontalAdvance(words) < plot.pitch:
            y = end - metrics.height() if bar.value >= 0 else end + 1
            label = QRect(left, y, width, metrics.height())
            painter.fillRect(label, current_theme().window)
            painter.setPen(current_theme().text)
            painter.drawText(label, _CENTRED, words)

    def _colour(self, bar: Bar) -> QColor:
        if bar.value is not None and bar.value < 0:
            return current_theme().danger
        if bar.is_of_draft is None:
            return current_theme().rejected
        return current_theme().accepted if bar.is_of_draft else current_theme().ngram


_CENTRED = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextDontClip


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float

    @staticmethod
    def of(values: Sequence[float], ceiling: float | None) -> "_Scale":
        high = ceiling if ceiling is not None else _round_up(max(values, default=0.0))
        low = 0.0 - _round_up(-min(values, default=0.0))  # no -0.0
        return _Scale(low, high if high > low else 1.0)

    @property
    def ticks(self) -> tuple[float, ...]:
        return tuple(sorted({self.low, 0.0, self.high / 2 if self.low == 0 else 0.0, self.high}))


def _round_up(value: float) -> float:
    """To 1, 2 or 5 times a power of ten."""
    if value <= 0:
        return 0.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


@dataclass(frozen=True, slots=True)
class _Plot:
    bars: Sequence[Bar]
    first: int
    """The number of the first bar: where there is no room, the oldest are left out."""
    area: QRect
    scale: _Scale
    pitch: int

    @staticmethod
    def of(bars: Sequence[Bar], area: QRect, scale: _Scale) -> "_Plot":
        shown = bars[-max(1, area.width() // _NARROWEST) :]
        pitch = min(_WIDEST_BAR + GRID, area.width() // max(1, len(shown)))
        return _Plot(shown, len(bars) - len(shown) + 1, area, scale, max(_NARROWEST, pitch))

    @property
    def bar_width(self) -> int:
        return self.pitch - max(1, self.pitch // 5)

    def y(self, value: float) -> int:
        low, high = self.scale.low, self.scale.high
        return self.area.bottom() - round((value - low) / (high - low) * self.area.height())

    def is_numbered(self, place: int) -> bool:
        """The first, and then every fifth, tenth ... as room allows."""
        every = next(n for n in (1, 5, 10, 50, 100, 500, 1000) if n * self.pitch >= _NUMBERS_APART or n == 1000)
        place += self.first
        return place == self.first or place % every == 0

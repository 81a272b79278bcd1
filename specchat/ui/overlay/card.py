"""All live figures on one card."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.services.generation.live_figures import Step
from specchat.ui.overlay.lines import draw_lines
from specchat.ui.overlay.readout import Readout
from specchat.ui.overlay.strip import HEIGHT, StepStrip
from specchat.ui.widgets.theme import BODY_PX, GRID, SMALL_PX, Theme, body_font, figures, scaled
from specchat.ui.words.amounts import UNKNOWN

translate = QCoreApplication.translate

_WIDTH = 264
_PADDING = 12
_BIG_PX = 28


class FiguresCard(QWidget):
    """Painted rather than made of labels: every text has its place, whatever it says."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readout = Readout()
        self._captions = _captions()
        self._as_fast = translate("Figures", "as fast")
        self._has_strip = True
        self.strip = StepStrip(theme, self)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fonts = _Fonts.make()
        self._inner = scaled(_WIDTH) - 2 * _PADDING
        accepted, speed, per_pass = self._captions
        self._lefts = _lefts(self._fonts, ((accepted,), (speed,), (per_pass, self._as_fast)), self._inner)
        self.strip.set_theme(theme)
        self._arrange()

    def _arrange(self) -> None:
        self._rows = rows = _Rows.measured(self._fonts, HEIGHT if self._has_strip else 0)
        self.strip.setGeometry(_PADDING, rows.strip, self._inner, HEIGHT)
        self.strip.setVisible(self._has_strip)
        self.setFixedSize(scaled(_WIDTH), rows.end)
        self.update()

    def show_readout(self, readout: Readout) -> None:
        if readout != self._readout:
            self._readout = readout
            self.update()

    def show_steps(self, steps: tuple[Step, ...], *, has_strip: bool) -> None:
        """Without the strip it is lower."""
        self.strip.show_steps(steps)
        if has_strip is not self._has_strip:
            self._has_strip = has_strip
            self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint_saved(painter)
        self._paint_columns(painter)
        self._paint_who(painter)

    def _paint_saved(self, painter: QPainter) -> None:
        shown, rows, theme, fonts = self._readout, self._rows, self._theme, self._fonts
        small = _Pen(painter, fonts.small, theme.text_muted)
        small.write(_PADDING, rows.caption, translate("Figures", "Time saved"))
        colour = theme.warning if shown.loses else self._colour(shown.saved)
        _Pen(painter, fonts.big, colour).write(_PADDING, rows.saved, shown.saved)
        if shown.times_as_fast:
            left = self._lefts[-1]
            _Pen(painter, fonts.number, colour).write(left, rows.times, shown.times_as_fast)
            small.write(left, rows.as_fast, self._as_fast)

    def _paint_columns(self, painter: QPainter) -> None:
        shown, rows, fonts = self._readout, self._rows, self._fonts
        numbers = (shown.accepted, shown.speed, shown.per_pass)
        for left, number, caption in zip(self._lefts, numbers, self._captions, strict=True):
            _Pen(painter, fonts.number, self._colour(number)).write(left, rows.numbers, number)
            _Pen(painter, fonts.small, self._theme.text_muted).write(left, rows.captions, caption)

    def _paint_who(self, painter: QPainter) -> None:
        shown, top = self._readout, self._rows.who
        small = _Pen(painter, self._fonts.small, self._theme.text)
        if shown.why_not:
            small.write_lines(QRect(_PADDING, top, self._inner, self._rows.end - top), shown.why_not)
            return
        small.write(_PADDING, top, small.elided(shown.who, self._inner))
        muted = _Pen(painter, self._fonts.small, self._theme.text_muted)
        muted.write(_PADDING, top + small.metrics.height(), muted.elided(shown.counts, self._inner))

    def _colour(self, text: str) -> QColor:
        return self._theme.text_muted if text == UNKNOWN else self._theme.text


class _Pen:
    def __init__(self, painter: QPainter, font: QFont, colour: QColor) -> None:
        self._painter = painter
        self._font = font
        self._colour = colour
        self.metrics = QFontMetrics(font)

    def write(self, left: int, top: int, text: str) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(self._colour)
        self._painter.drawText(left, top + self.metrics.ascent(), text)

    def write_lines(self, area: QRect, text: str) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(self._colour)
        draw_lines(self._painter, area, text, 2)

    def elided(self, text: str, width: int) -> str:
        """Both ends of a file name matter."""
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


def _captions() -> list[str]:
    return [translate("Figures", "accepted"), translate("Figures", "tokens/s"), translate("Figures", "per pass")]


def _lefts(fonts: "_Fonts", captions: Sequence[Sequence[str]], width: int) -> list[int]:
    """As far apart as the captions and the widest numbers need, whatever is on show."""
    number, small = QFontMetrics(fonts.number).horizontalAdvance("8888.8"), QFontMetrics(fonts.small)
    widths = [max(number, *map(small.horizontalAdvance, column)) for column in captions]
    gap = min(3 * GRID, (width - sum(widths)) // (len(widths) - 1))
    return [_PADDING + sum(widths[:i]) + i * gap for i in range(len(widths))]


@dataclass(frozen=True, slots=True)
class _Fonts:
    small: QFont
    number: QFont
    big: QFont

    @staticmethod
    def make() -> "_Fonts":
        number, big = figures(body_font(BODY_PX + 1)), figures(body_font(_BIG_PX))
        number.setWeight(QFont.Weight.DemiBold)
        big.setWeight(QFont.Weight.DemiBold)
        return _Fonts(figures(body_font(SMALL_PX)), number, big)


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where each row begins."""

    caption: int
    saved: int
    times: int
    as_fast: int
    numbers: int
    captions: int
    strip: int
    who: int
    end: int

    @staticmethod
    def measured(fonts: _Fonts, strip_height: int) -> "_Rows":
        metrics = [QFontMetrics(font) for font in (fonts.small, fonts.number, fonts.big)]
        small, number, big = (each.height() for each in metrics)
        caption = _PADDING
        saved = caption + small + 2
        as_fast = saved + metrics[-1].ascent() - metrics[0].ascent() + GRID // 2
        times = as_fast - number
        numbers = saved + big + GRID
        captions = numbers + number
        strip = captions + small + GRID
        who = strip + strip_height + GRID
        end = who + 2 * small + _PADDING
        return _Rows(caption, saved, times, as_fast, numbers, captions, strip, who, end)

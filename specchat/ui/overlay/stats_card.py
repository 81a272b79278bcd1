"""The card with all live stats."""

from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.services.generation.stats_tracker import StepSummary
from specchat.ui.overlay.card_layout import BUTTONS, PADDING, Captions, CardFonts, flat_layout, upright_layout
from specchat.ui.overlay.elided_text import draw_elided_text
from specchat.ui.overlay.readout import Readout
from specchat.ui.overlay.step_strip import HEIGHT, StepStrip
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.words.number_format import SEPARATOR, UNKNOWN

translate = QCoreApplication.translate


class StatsCard(QWidget):
    """Painted rather than made of labels: every text has its place, whatever it says."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readout = Readout()
        self._captions = _captions()
        self._has_strip = True
        self._room: int | None = None
        self.strip = StepStrip(self)
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._fonts = CardFonts.create()
        self._arrange()

    @property
    def upright_size(self) -> QSize:
        return upright_layout(self._fonts, self._captions, HEIGHT).size

    def set_flat_width(self, room: int | None) -> None:
        """At most so wide; None: it may be as high as it likes."""
        if room != self._room:
            self._room = room
            self._arrange()

    def _arrange(self) -> None:
        if self._room is None:
            self._places = upright_layout(self._fonts, self._captions, HEIGHT if self._has_strip else 0)
        else:
            self._places = flat_layout(self._fonts, self._captions, self._room)
        strip = self._places.strip
        self.strip.setVisible(strip is not None)
        if strip is not None:
            self.strip.setGeometry(strip)
        self.setFixedSize(self._places.size)
        self.update()

    def show_readout(self, readout: Readout) -> None:
        if readout != self._readout:
            self._readout = readout
            self.update()

    def show_steps(self, steps: tuple[StepSummary, ...], *, has_strip: bool) -> None:
        """Without the strip it is lower."""
        self.strip.show_steps(steps)
        if has_strip is not self._has_strip:
            self._has_strip = has_strip
            self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._paint_saved(painter)
        self._paint_columns(painter)
        if self._places.who is not None:
            self._paint_who(painter, self._places.who)

    def _paint_saved(self, painter: QPainter) -> None:
        shown, places, theme, fonts = self._readout, self._places, current_theme(), self._fonts
        small = _Pen(painter, fonts.small, theme.text_muted)
        room = self.upright_size.width() - PADDING - BUTTONS
        small.write(QPoint(PADDING, PADDING), small.shortened(_caption(shown), shown.asked_by, room))
        colour = theme.warning if shown.loses else self._colour(shown.saved)
        _Pen(painter, fonts.big, colour).write(places.saved, shown.saved)
        if shown.times_as_fast:
            _Pen(painter, fonts.number, colour).write(places.times, shown.times_as_fast)
            small.write(places.as_fast, self._captions.as_fast)

    def _paint_columns(self, painter: QPainter) -> None:
        shown, places, captions = self._readout, self._places, self._captions
        small = _Pen(painter, self._fonts.small, current_theme().text_muted)
        columns = (
            (shown.accepted, captions.accepted),
            (shown.speed, captions.speed),
            (shown.per_pass, captions.per_pass),
        )
        filled = ((number, caption) for number, caption in columns if number)
        for (number, caption), above, below in zip(filled, places.numbers, places.captions, strict=False):
            _Pen(painter, self._fonts.number, self._colour(number)).write(above, number)
            small.write(below, caption)

    def _paint_who(self, painter: QPainter, area: QRect) -> None:
        """In one line or two."""
        shown = self._readout
        small = _Pen(painter, self._fonts.small, current_theme().text)
        n_lines = max(1, area.height() // small.metrics.height())
        if shown.why_not:
            small.write_lines(area, shown.why_not, n_lines)
        elif n_lines == 1:
            words = SEPARATOR.join(filter(None, (shown.who, shown.counts)))
            small.write(area.topLeft(), small.shortened(words, shown.name, area.width()))
        else:
            small.write(area.topLeft(), small.shortened(shown.who, shown.name, area.width()))
            muted = _Pen(painter, self._fonts.small, current_theme().text_muted)
            below = area.topLeft() + QPoint(0, small.metrics.height())
            muted.write(below, muted.shortened(shown.counts, shown.name, area.width()))

    def _colour(self, text: str) -> QColor:
        return current_theme().text_muted if text == UNKNOWN else current_theme().text


class _Pen:
    def __init__(self, painter: QPainter, font: QFont, colour: QColor) -> None:
        self._painter = painter
        self._font = font
        self._colour = colour
        self.metrics = QFontMetrics(font)

    def write(self, corner: QPoint, text: str) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(self._colour)
        self._painter.drawText(corner + QPoint(0, self.metrics.ascent()), text)

    def write_lines(self, area: QRect, text: str, most: int) -> None:
        self._painter.setFont(self._font)
        self._painter.setPen(self._colour)
        draw_elided_text(self._painter, area, text, most)

    def shortened(self, text: str, name: str, width: int) -> str:
        """What is cut is the name of a file, both ends of which matter; all of it only where nothing of that fits."""
        room = width - self.metrics.horizontalAdvance(text) + self.metrics.horizontalAdvance(name)
        if name and name in text and room >= self.metrics.horizontalAdvance(_LEAST_NAME):
            text = text.replace(name, self.metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room))
        return self.metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, width)


_LEAST_NAME = "abc…xyz"


def _caption(shown: Readout) -> str:
    if not shown.asked_by:
        return shown.caption
    short = translate("Figures", "Lost") if shown.loses else translate("Figures", "Saved")
    return SEPARATOR.join((short, shown.asked_by))


def _captions() -> Captions:
    return Captions(
        accepted=translate("Figures", "accepted"),
        speed=translate("Figures", "tokens/s"),
        per_pass=translate("Figures", "tokens/pass"),
        as_fast=translate("Figures", "speed-up"),
    )

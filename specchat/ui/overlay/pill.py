"""The two figures that matter, in one line."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.ui.overlay.readout import Readout
from specchat.ui.theme import GRID, SMALL_PX, Theme, body_font, figures

HEIGHT = 4 * GRID
BUTTON_ROOM = 4 * GRID
_PADDING = 14


class Pill(QWidget):
    """Grows with its text and never shrinks, so that it does not twitch."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._text = ""
        self._font = figures(body_font(SMALL_PX))
        self.setFixedSize(0, HEIGHT)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def show_readout(self, readout: Readout) -> None:
        if readout.short == self._text:
            return
        self._text = readout.short
        needed = _PADDING + QFontMetrics(self._font).horizontalAdvance(self._text) + BUTTON_ROOM
        self.setFixedWidth(max(self.width(), needed))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.text)
        area = self.rect().adjusted(_PADDING, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self._text)

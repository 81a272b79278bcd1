"""The folded overlay: the two most important stats in one line."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from specchat.ui.overlay.readout import Readout
from specchat.ui.widgets.theme import GRID, SMALL_PX, body_font, tabular_figures
from specchat.ui.widgets.theme_service import current_theme, follow_theme

HEIGHT = 4 * GRID
BUTTON_ROOM = 4 * GRID
_PADDING = 14


class StatsPill(QWidget):
    """Wants as much as its longest text has needed, so that it does not twitch."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readout = Readout()
        self._wanted = 0
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font = tabular_figures(body_font(SMALL_PX))
        self._wanted = self._needed(self._readout.short)
        self.update()

    def show_readout(self, readout: Readout) -> None:
        if readout != self._readout:
            self._readout = readout
            self._wanted = max(self._wanted, self._needed(readout.short))
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._wanted, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self._wanted, self._needed(self._readout.shortest)), HEIGHT)

    def _needed(self, text: str) -> int:
        return _PADDING + QFontMetrics(self._font).horizontalAdvance(text) + BUTTON_ROOM

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self._readout
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(current_theme().text)
        area = self.rect().adjusted(_PADDING, 0, 0, 0)
        text = shown.short if self._needed(shown.short) <= self.width() else shown.shortest
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

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
    """Wants as much as its texts have ever needed, so that it does not twitch."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._readout = Readout()
        self._widths = dict[int, int]()
        """What its texts have needed, counted from the shortest."""
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._font = tabular_figures(body_font(SMALL_PX))
        self._widths.clear()
        self._keep_widths()
        self.update()

    def show_readout(self, readout: Readout) -> None:
        if readout != self._readout:
            self._readout = readout
            self._keep_widths()
            self.update()

    def sizeHint(self) -> QSize:
        return self.size_within(None)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._needed(self._readout.pill[-1]), HEIGHT)

    def size_within(self, room: int | None) -> QSize:
        """Returns the size of the longest text that fits; None: no limit."""
        fitting = (width for width in self._widths.values() if room is None or width <= room)
        return QSize(max(fitting, default=self.minimumSizeHint().width()), HEIGHT)

    def _keep_widths(self) -> None:
        for place, text in enumerate(reversed(self._readout.pill)):
            self._widths[place] = max(self._widths.get(place, 0), self._needed(text))

    def _needed(self, text: str) -> int:
        return _PADDING + QFontMetrics(self._font).horizontalAdvance(text) + BUTTON_ROOM

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self._readout
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(current_theme().text)
        area = self.rect().adjusted(_PADDING, 0, 0, 0)
        text = next((text for text in shown.pill if self._needed(text) <= self.width()), shown.pill[-1])
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

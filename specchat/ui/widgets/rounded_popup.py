"""A popup with rounded corners that opens over the window."""

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from specchat.ui.widgets.theme import GRID, RADIUS

POPUP_MARGIN = GRID // 2
"""The distance to the widget above and to the edges of the screen."""
_X11 = "xcb"


class RoundedPopup(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._cuts = QGuiApplication.platformName() == _X11
        """There what is transparent may be black: without a compositor."""
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._cuts)  # outside the round corners
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a click on the button that opened it closes it

    def place_below(self, button: QWidget) -> None:
        """As near to the button as the screen allows."""
        screen = button.screen().availableGeometry()
        place = button.mapToGlobal(QPoint(button.width() - self.width(), button.height() + POPUP_MARGIN))
        left = max(screen.left() + POPUP_MARGIN, min(place.x(), screen.right() - self.width() - POPUP_MARGIN))
        top = max(screen.top() + POPUP_MARGIN, min(place.y(), screen.bottom() - self.height() - POPUP_MARGIN))
        self.move(left, top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cuts:
            self.setMask(rounded_region(self.rect()))


def rounded_region(place: QRect) -> QRegion:
    path = QPainterPath()
    path.addRoundedRect(QRectF(place), RADIUS, RADIUS)
    return QRegion(path.toFillPolygon().toPolygon())

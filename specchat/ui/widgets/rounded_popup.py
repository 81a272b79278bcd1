"""A card that opens over the window."""

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion, QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from specchat.ui.widgets.theme import RADIUS

_X11 = "xcb"


class RoundedPopup(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint)
        self._cuts = QGuiApplication.platformName() == _X11
        """There what is transparent may be black: without a compositor."""
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, not self._cuts)  # outside the round corners
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # a click on the button that opened it closes it

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._cuts:
            self.setMask(rounded(self.rect()))


def rounded(place: QRect) -> QRegion:
    path = QPainterPath()
    path.addRoundedRect(QRectF(place), RADIUS, RADIUS)
    return QRegion(path.toFillPolygon().toPolygon())

"""The shape of a card, where the system cannot show what is behind its corners."""

from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainterPath, QRegion

from specchat.ui.widgets.theme import RADIUS


def rounded(place: QRect) -> QRegion:
    path = QPainterPath()
    path.addRoundedRect(QRectF(place), RADIUS, RADIUS)
    return QRegion(path.toFillPolygon().toPolygon())

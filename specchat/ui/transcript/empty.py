"""What is seen without messages."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from specchat.ui.theme import GRID, TITLE_PX, body_font
from specchat.ui.transcript.ink import Ink

_CENTRED = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap


def paint_empty(painter: QPainter, area: QRectF, title: str, hint: str, ink: Ink) -> None:
    font = body_font(TITLE_PX)
    font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    title_area = painter.boundingRect(area, _CENTRED, title)
    painter.setFont(ink.body)
    hint_area = painter.boundingRect(area, _CENTRED, hint)
    top = area.center().y() - (title_area.height() + GRID + hint_area.height()) / 2
    painter.setPen(ink.theme.text_muted)
    painter.drawText(QRectF(area.left(), top + title_area.height() + GRID, area.width(), area.height()), _CENTRED, hint)
    painter.setFont(font)
    painter.setPen(ink.theme.text)
    painter.drawText(QRectF(area.left(), top, area.width(), area.height()), _CENTRED, title)

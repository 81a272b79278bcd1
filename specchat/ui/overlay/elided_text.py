"""Draws text on a limited number of lines, ending in an ellipsis if it does not fit."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QTextLayout, QTextOption


def draw_elided_text(painter: QPainter, area: QRect, text: str, most: int) -> None:
    layout = QTextLayout(text, painter.font())
    layout.setTextOption(_WRAPPED)
    layout.beginLayout()
    lines, height = 0, 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(area.width())
        lines += 1
        if lines == most:
            _draw_rest(painter, area, text[line.textStart() :], height)
            break
        line.setPosition(QPointF(0, height))
        line.draw(painter, QPointF(area.topLeft()))
        height += line.height()
    layout.endLayout()


def _draw_rest(painter: QPainter, area: QRect, rest: str, height: float) -> None:
    metrics = painter.fontMetrics()
    elided = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area.left(), area.top() + round(height) + metrics.ascent(), elided)


_WRAPPED = QTextOption()
_WRAPPED.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

"""The icons in resources/icons, drawn in a colour of the theme at any pixel density."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from specchat.services.program.resources import resources

ICON_SIZE = 20
_DENSITIES = (1, 2, 3)


def icon(name: str, colour: QColor, disabled: QColor) -> QIcon:
    return _icon(name, colour.name(), disabled.name())


@cache
def _icon(name: str, colour: str, disabled: str) -> QIcon:
    """Many buttons have the same."""
    made = QIcon()
    for density in _DENSITIES:
        made.addPixmap(_pixmap(name, QColor(colour), density), QIcon.Mode.Normal)
        made.addPixmap(_pixmap(name, QColor(disabled), density), QIcon.Mode.Disabled)
    return made


def draw_icon(painter: QPainter, name: str, colour: QColor, area: QRectF) -> None:
    _drawing(name, colour.name()).render(painter, area)


def _pixmap(name: str, colour: QColor, density: int) -> QPixmap:
    pixmap = QPixmap(ICON_SIZE * density, ICON_SIZE * density)
    pixmap.setDevicePixelRatio(density)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    draw_icon(painter, name, colour, QRectF(0, 0, ICON_SIZE, ICON_SIZE))
    painter.end()
    return pixmap


@cache
def _drawing(name: str, colour: str) -> QSvgRenderer:
    text = (resources() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    return QSvgRenderer(QByteArray(text.replace("currentColor", colour).encode()))

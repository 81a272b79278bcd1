"""Chips with the names of attached files, in right-aligned rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from specchat.ui.transcript.text_formats import TextFormats
from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID, RADIUS

HEIGHT = 3 * GRID + GRID // 2
_ICON = 2 * GRID
_WIDEST = 28 * GRID


@dataclass(frozen=True, slots=True)
class Chip:
    area: QRectF
    name: str
    icon: str = "file"


def arrange_chips(named: Sequence[tuple[str, str]], right: int, formats: TextFormats) -> list[Chip]:
    """`named`: with their icons."""
    metrics = QFontMetricsF(formats.small)
    placed: list[Chip] = []
    row: list[tuple[str, str, float]] = []
    top = 0
    for name, icon in named:
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, min(_WIDEST, right - _ICON - 3 * GRID))
        width = metrics.horizontalAdvance(shown) + _ICON + 3 * GRID
        if row and sum(width + GRID for _, _, width in row) + width > right:
            placed += _row(row, right, top)
            row, top = [], top + HEIGHT + GRID
        row.append((shown, icon, width))
    return placed + _row(row, right, top)


def _row(row: Sequence[tuple[str, str, float]], right: float, top: int) -> list[Chip]:
    left = right - sum(width for _, _, width in row) - GRID * (len(row) - 1)
    placed = []
    for name, icon, width in row:
        placed.append(Chip(QRectF(left, top, width, HEIGHT), name, icon))
        left += width + GRID
    return placed


def paint_chip(painter: QPainter, chip: Chip, formats: TextFormats, found: bool | None = None) -> None:
    """Paints a chip; `found` says whether the match in its file is the current one, None that there is none."""
    edge = chip.area.adjusted(0.5, 0.5, -0.5, -0.5)
    painter.setPen(formats.theme.warning if found else formats.theme.line)
    for colour in (formats.theme.surface, *(() if found is None else (formats.match_colour(current=found),))):
        painter.setBrush(colour)
        painter.drawRoundedRect(edge, RADIUS - 2, RADIUS - 2)
    icon = QRectF(chip.area.left() + GRID, chip.area.center().y() - _ICON / 2, _ICON, _ICON)
    draw_icon(painter, chip.icon, formats.theme.text_muted, icon)
    painter.setFont(formats.small)
    painter.setPen(formats.theme.text)
    painter.drawText(chip.area.adjusted(_ICON + 3 * GRID / 2, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, chip.name)

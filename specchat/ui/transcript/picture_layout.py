"""Thumbnails of a message's pictures, in right-aligned rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSizeF

from specchat.domain.picture_header import read_picture_header
from specchat.domain.pictures import Picture
from specchat.ui.widgets.theme import GRID

THUMBNAIL_HEIGHT = 20 * GRID
"""At most."""
_WIDEST = 40 * GRID
_LEAST = 6 * GRID
"""Narrower or lower ones are cut off instead."""
_UNKNOWN = QSizeF(16 * GRID, 12 * GRID)


@dataclass(frozen=True, slots=True)
class PlacedPicture:
    area: QRectF
    picture: Picture


def arrange_pictures(pictures: Sequence[Picture], right: int) -> list[PlacedPicture]:
    placed: list[PlacedPicture] = []
    row: list[tuple[Picture, QSizeF]] = []
    top = 0.0
    for picture in pictures:
        size = _thumbnail_size(picture, right)
        if row and sum(each.width() + GRID for _, each in row) + size.width() > right:
            placed += _row(row, right, top)
            top, row = placed[-1].area.bottom() + GRID, []
        row.append((picture, size))
    return placed + _row(row, right, top)


def _row(row: Sequence[tuple[Picture, QSizeF]], right: float, top: float) -> list[PlacedPicture]:
    """They share their lower edge, below which the text is."""
    height = max((size.height() for _, size in row), default=0.0)
    left = right - sum(size.width() for _, size in row) - GRID * (len(row) - 1)
    placed = []
    for picture, size in row:
        placed.append(PlacedPicture(QRectF(QPointF(left, top + height - size.height()), size), picture))
        left += size.width() + GRID
    return placed


def _thumbnail_size(picture: Picture, room: int) -> QSizeF:
    header = read_picture_header(picture.content)
    if header is None:
        return _UNKNOWN
    share = min(1.0, THUMBNAIL_HEIGHT / header.height, min(_WIDEST, room) / header.width)
    return QSizeF(max(_LEAST, round(header.width * share)), max(_LEAST, round(header.height * share)))

"""Positions a floating panel within its parent, whatever the parent's size."""

from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, QSize

from specchat.ui.widgets.theme import GRID


@dataclass(frozen=True, slots=True)
class OverlayState:
    """The nearest corner and the distance from it survive a change of the parent's size."""

    right: bool = True
    bottom: bool = False
    dx: int = GRID
    dy: int = 0
    folded: bool = False
    docked: bool = True
    """Folded, it stands in its dock where there is one."""


def panel_position(state: OverlayState, size: QSize, area: QSize) -> QPoint:
    x = area.width() - size.width() - state.dx if state.right else state.dx
    y = area.height() - size.height() - state.dy if state.bottom else state.dy
    return clamp_position(QPoint(x, y), size, area)


def free_width_beside(covered: int, width: int, column: int) -> int:
    """What a column in the middle leaves free at the side of which so much is covered."""
    return max(0, min(covered, column + 2 * covered - width))


def clamp_position(at: QPoint, size: QSize, area: QSize) -> QPoint:
    room_x, room_y = area.width() - size.width(), area.height() - size.height()
    return QPoint(max(0, min(at.x(), room_x)), max(0, min(at.y(), room_y)))


def state_after_move(state: OverlayState, at: QPoint, size: QSize, area: QSize) -> OverlayState:
    room_x, room_y = area.width() - size.width(), area.height() - size.height()
    right, bottom = 2 * at.x() > room_x, 2 * at.y() > room_y
    return replace(
        state,
        right=right,
        bottom=bottom,
        dx=room_x - at.x() if right else at.x(),
        dy=room_y - at.y() if bottom else at.y(),
    )

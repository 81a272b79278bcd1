"""Chats that are dragged from the sidebar onto a project, or out of one."""

import json
from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QDragMoveEvent, QDropEvent, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, body_font
from specchat.ui.widgets.theme_service import current_theme

_FORMAT = "application/x-specchat-chats"
_SIZE = QSize(24 * GRID, 4 * GRID)


def chats_to_mime(chats: Sequence[int]) -> QMimeData:
    data = QMimeData()
    data.setData(_FORMAT, json.dumps(list(chats)).encode())
    return data


def chats_in_mime(data: QMimeData) -> list[int]:
    """Returns the dragged chats; empty if something else is dragged."""
    if not data.hasFormat(_FORMAT):
        return []
    return [int(chat) for chat in json.loads(bytes(data.data(_FORMAT).data()))]


class ChatDropArea(QObject):
    """Accepts chats that are dropped on a widget, and leaves other drops to the widgets below."""

    hovered = Signal(object)
    """The project that would get them; None: no project, or the drag has left."""
    dropped = Signal(list, object)

    def __init__(self, widget: QWidget, project_at: Callable[[QPoint], int | None]) -> None:
        super().__init__(widget)
        self._project_at = project_at
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event:
            case QDragMoveEvent() if chats_in_mime(event.mimeData()):
                self.hovered.emit(self._project_at(event.position().toPoint()))
                event.acceptProposedAction()
                return True
            case QDropEvent() if chats := chats_in_mime(event.mimeData()):
                event.acceptProposedAction()
                self.hovered.emit(None)
                self.dropped.emit(chats, self._project_at(event.position().toPoint()))
                return True
        if event.type() is QEvent.Type.DragLeave:
            self.hovered.emit(None)
        return False


def drag_chats(chats: Sequence[int], words: str, source: QWidget) -> None:
    """Drags chats until they are dropped."""
    drag = QDrag(source)
    drag.setMimeData(chats_to_mime(chats))
    drag.setPixmap(_label(words, source))
    drag.setHotSpot(QPoint(-GRID, -GRID))
    drag.exec(Qt.DropAction.MoveAction)


def _label(words: str, source: QWidget) -> QPixmap:
    theme, font = current_theme(), body_font(SMALL_PX)
    pixmap = QPixmap(_SIZE * source.devicePixelRatio())
    pixmap.setDevicePixelRatio(source.devicePixelRatio())
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(font)
    painter.setPen(theme.line)
    painter.setBrush(theme.surface)
    area = QRectF(0.5, 0.5, _SIZE.width() - 1, _SIZE.height() - 1)
    painter.drawRoundedRect(area, RADIUS - 2, RADIUS - 2)
    painter.setPen(theme.text)
    inside = area.adjusted(GRID, 0, -GRID, 0)
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, int(inside.width()))
    painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)
    painter.end()
    return pixmap

"""An event filter that accepts files dropped on a widget."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QWidget


def local_files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class FileDropFilter(QObject):
    """Takes files dropped on the widgets it is told of, and leaves every other drop to them."""

    hovered = Signal(bool)
    dropped = Signal(list)

    def install_on(self, widget: QWidget) -> None:
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragLeaveEvent):
            self.hovered.emit(False)
        elif isinstance(event, QDropEvent) and local_files(event.mimeData()):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if isinstance(event, QDragEnterEvent):
                self.hovered.emit(True)
            elif not isinstance(event, QDragMoveEvent):
                self.hovered.emit(False)
                self.dropped.emit(local_files(event.mimeData()))
            return True
        return False

"""An event filter that accepts files and pictures dropped on a widget."""

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent, QImage
from PySide6.QtWidgets import QWidget


def local_files(data: QMimeData) -> list[Path]:
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


def is_image(data: QMimeData) -> bool:
    """And nothing but an image: what office programs copy is text first of all."""
    return data.hasImage() and not data.text().strip()


def image_of(data: QMimeData) -> QImage:
    image = data.imageData()
    return image if isinstance(image, QImage) else QImage()


class FileDropFilter(QObject):
    """Takes files and pictures dropped on the widgets it is told of, and leaves every other drop to them."""

    hovered = Signal(bool)
    dropped = Signal(list)
    image_dropped = Signal(QImage)

    def install_on(self, widget: QWidget) -> None:
        widget.setAcceptDrops(True)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDragLeaveEvent):
            self.hovered.emit(False)
        elif isinstance(event, QDropEvent) and (local_files(event.mimeData()) or is_image(event.mimeData())):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            if isinstance(event, QDragEnterEvent):
                self.hovered.emit(True)
            elif not isinstance(event, QDragMoveEvent):
                self.hovered.emit(False)
                self._take(event.mimeData())
            return True
        return False

    def _take(self, data: QMimeData) -> None:
        if files := local_files(data):
            self.dropped.emit(files)
        else:
            self.image_dropped.emit(image_of(data))

"""Receives from macOS the files to open, which arrive as events instead of arguments."""

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class MacApplication(QApplication):
    file_open_requested = Signal(object)
    """A file to open."""

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        if event.file():
            self.file_open_requested.emit(Path(event.file()))
        return True

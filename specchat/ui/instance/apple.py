"""What macOS tells an application instead of starting it with arguments."""

from pathlib import Path

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class AppleApplication(QApplication):
    given = Signal(object)
    """A file to open."""

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QFileOpenEvent):
            return super().event(event)
        if event.file():
            self.given.emit(Path(event.file()))
        return True

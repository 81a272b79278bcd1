from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QFileOpenEvent


class FilesToOpen(QObject):
    """By whatever way they come. Until there is a window, they wait."""

    def __init__(self, file: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._waiting = [file] if file is not None else []
        self._open: Callable[[Sequence[Path]], None] | None = None

    def come(self, file: Path | None) -> None:
        """None: the window alone is wanted."""
        self._waiting += [file] if file is not None else []
        self._hand_over()

    def give_to(self, open_files: Callable[[Sequence[Path]], None]) -> None:
        """`open_files` may be given none."""
        self._open = open_files
        self._hand_over()

    def _hand_over(self) -> None:
        if self._open is not None:
            files, self._waiting = self._waiting, []
            self._open(files)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """So macOS tells the application."""
        if not isinstance(event, QFileOpenEvent):
            return False
        if event.file():
            self.come(Path(event.file()))
        return True

"""Keeps files that are to be opened until the window can open them."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

_PAUSE_MS = 500
"""Desktops that start the program once for each file do so within less."""


class FileOpenQueue(QObject):
    """By whatever way they come. Until there is a window, they wait; those that come together are opened together."""

    def __init__(self, files: Sequence[Path] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._together = list(files)
        self._open: Callable[[Sequence[Path]], None] | None = None
        self._is_wanted = False
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._hand_over)

    def add_files(self, files: Sequence[Path]) -> None:
        """Without files, the window alone is wanted."""
        self._together += files
        self._is_wanted = True
        if self._open is not None:
            self._pause.start()

    def set_handler(self, open_files: Callable[[Sequence[Path]], None]) -> None:
        """What is here at once, maybe nothing; and again with those that come right after."""
        self._open = open_files
        self._is_wanted = False
        open_files(tuple(self._together))
        self._pause.start()

    def _hand_over(self) -> None:
        files, self._together = self._together, []
        if self._is_wanted and self._open is not None:
            self._is_wanted = False
            self._open(files)

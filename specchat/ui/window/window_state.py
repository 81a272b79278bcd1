"""Stores the geometry and layout of a window between runs."""

import json
import logging
from pathlib import Path

from PySide6.QtCore import QMargins, QRect, Qt
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.services.atomic_write import write_text
from specchat.ui.widgets.window_geometry import rect_on_screen, window_frame

log = logging.getLogger(__name__)

_FAR = 100_000


class WindowState:
    """One JSON file. What is damaged in it counts as not there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._facts = _read(path)

    def get(self, key: str) -> object:
        """Whatever was put there: the caller checks that it still makes sense."""
        return self._facts.get(key)

    def put(self, key: str, value: object) -> None:
        self._facts[key] = value

    def capture(self, window: QWidget) -> None:
        place = window.normalGeometry()
        self.put("place", [place.x(), place.y(), place.width(), place.height()])
        self.put("maximized", window.isMaximized())
        frame = window_frame(window)
        if frame is not None and not window.isMaximized():
            self.put("frame", [frame.left(), frame.top(), frame.right(), frame.bottom()])

    def apply(self, window: QWidget) -> None:
        place = _whole_numbers(self.get("place"), 4)
        frame = _whole_numbers(self.get("frame"), 4)
        if place:
            window.setGeometry(rect_on_screen(QRect(*place), QMargins(*frame) if frame else None))
        if self.get("maximized") is True:
            window.setWindowState(Qt.WindowState.WindowMaximized)

    def save(self) -> None:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_text(self._path, [json.dumps(self._facts, indent=1)])
        except (OSError, UserError) as error:
            log.warning("Couldn't save the window state: %s", error)


def _whole_numbers(value: object, count: int) -> list[int]:
    numbers = [number for number in value if isinstance(number, int)] if isinstance(value, list) else []
    fits = len(numbers) == count and all(abs(number) < _FAR for number in numbers)
    return numbers if fits else []


def _read(path: Path) -> dict[str, object]:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}

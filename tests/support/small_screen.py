"""What a small screen cuts off, as JSON: for each window what is neither to be seen nor to be scrolled to.

python -m support.small_screen WIDTH HEIGHT [LANGUAGE]
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path


def choose_screen(folder: Path, width: int, height: int) -> None:
    """Before Qt is loaded."""
    screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
    (folder / "screen.json").write_text(json.dumps({"screens": [screen]}))
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={folder / 'screen.json'}"


if __name__ == "__main__":
    choose_screen(Path(tempfile.mkdtemp()), int(sys.argv[1]), int(sys.argv[2]))

from PySide6.QtCore import QPoint, QRect  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)
from screenshots import staged  # noqa: E402
from support.scenes import SCENES  # noqa: E402
from support.stage import Scene, Stage, settle  # noqa: E402

from specchat.ui.models.manager_view import ManagerSection  # noqa: E402
from specchat.ui.start.application import make_application  # noqa: E402
from specchat.ui.words.installed_languages import install_translation  # noqa: E402

NAMES = (
    "empty",
    "picker",
    "picker-with-a-card",
    "settings",
    "application-settings",
    "server-refused",
    "details",
    "help",
    "trash",
    "shortcuts",
    "about",
    "bench-empty",
    "bench-done",
)
_FRAME = 2
"""Which this platform puts around a window."""
_TIMES = 5
"""So often it is looked at: on a busy machine, what is estimated beside comes late and moves the rest."""
_TO_BE_SEEN = (QAbstractButton, QAbstractSpinBox, QComboBox, QLabel, QLineEdit)


def manager(page: ManagerSection | None) -> Scene:
    """A page of it; None: the pair."""

    def show(stage: Stage) -> None:
        stage.controller.models.open()
        manager = stage.controller.models.manager()
        manager.open_at(page)
        if page is None:
            manager.view.show_pair_editor()

    return Scene(show)


def main(language: str) -> None:
    application = make_application()
    install_translation(application, language)
    scenes = {name: SCENES[name] for name in NAMES if name in SCENES} | {
        f"models-{page}": manager(page) for page in (*ManagerSection, None)
    }
    found = {}
    for name, scene in scenes.items():
        with staged(application, scene, "light", None) as stage:
            scene.set_up(stage)
            for _ in range(_TIMES):
                settle()
                found[name] = list(problems(scene.subject(stage)))
                if not found[name]:
                    break
    sys.stdout.write(json.dumps(found))


def problems(window: QWidget) -> Iterator[str]:
    room = window.screen().availableGeometry().adjusted(0, 0, _FRAME, _FRAME)
    place = QRect(window.mapToGlobal(QPoint()), window.size())
    if not room.contains(place):
        yield f"the window is at {place.getRect()}"
    for part in window.findChildren(QWidget):
        if isinstance(part, _TO_BE_SEEN) and part.isVisible() and part.window() is window and not part.size().isEmpty():
            yield from _cut_off(part, window)


def _cut_off(part: QWidget, window: QWidget) -> Iterator[str]:
    area = _scrolled_in(part)
    around = (area.widget() if area is not None else None) or window
    if not around.rect().contains(QRect(part.mapTo(around, QPoint()), part.size())):
        yield f"{_name(part)} is cut off"
    if area is not None and not (_reaches(area) and window.rect().contains(_place(area, window))):
        yield f"{_name(part)} cannot be scrolled to"


def _scrolled_in(part: QWidget) -> QScrollArea | None:
    around = part.parentWidget()
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    content = around.widget() if around is not None else None
    return around if content is not None and content.isAncestorOf(part) else None


def _reaches(area: QScrollArea) -> bool:
    inside, view = area.widget(), area.viewport().size()
    assert inside is not None
    content = inside.size()
    bars = area.horizontalScrollBar(), area.verticalScrollBar()
    hidden = content.width() - view.width(), content.height() - view.height()
    return all(bar.maximum() >= beyond for bar, beyond in zip(bars, hidden, strict=True))


def _place(part: QWidget, window: QWidget) -> QRect:
    return QRect(part.mapTo(window, QPoint()), part.size())


def _name(part: QWidget) -> str:
    return part.objectName() or part.accessibleName() or getattr(part, "text", str)() or type(part).__name__


if __name__ == "__main__":
    main(sys.argv[3] if len(sys.argv) > 3 else "en")
    sys.stdout.flush()
    os._exit(0)

"""Windows as large as their screen has room for, and wholly on it."""

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from specchat.ui.widgets.theme import GRID

_TITLE_BAR = 4 * GRID
"""What the system puts above a window, about: it is not known before the window is shown."""


def room_on(screen: QScreen) -> QRect:
    """Where the inside of a window may be."""
    return screen.availableGeometry().adjusted(0, _TITLE_BAR, 0, 0)


def on_screen(place: QRect) -> QRect:
    """On the screen that has most of it; in the middle of the first one, where none has any."""
    screens = QGuiApplication.screens()
    screen = max(screens, key=lambda screen: _area(screen.availableGeometry() & place))
    if not place.intersects(screen.availableGeometry()):
        room = room_on(QGuiApplication.primaryScreen())
        moved = QRect(place.topLeft(), place.size().boundedTo(room.size()))
        moved.moveCenter(room.center())
        return moved
    return _within(room_on(screen), place)


def fit_on_screen(window: QWidget, usual: QSize | None = None) -> None:
    """Whenever it is shown. `usual`: its first size, in place of what its contents ask for."""
    _Fitting(window, usual)


def settle(window: QWidget) -> None:
    """What it asks for is what it will need: Qt works out styles and layouts only once it is shown."""
    parts = [window, *window.findChildren(QWidget)]
    for part in parts:
        part.ensurePolished()
    for part in reversed(parts):
        layout = part.layout()
        if layout is not None:
            layout.invalidate()
        part.updateGeometry()


class _Fitting(QObject):
    def __init__(self, window: QWidget, usual: QSize | None) -> None:
        super().__init__(window)
        self._first: QSize | None = usual
        self._shown = False
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Show and not event.spontaneous():
            assert isinstance(watched, QWidget)
            self._fit(watched)
        return False

    def _fit(self, window: QWidget) -> None:
        settle(window)
        wanted = window.size() if self._shown else self._first or window.sizeHint()
        self._shown = True
        place = QRect(window.pos(), wanted.expandedTo(window.minimumSize()))
        place = _within(room_on(window.screen()), place)
        window.resize(place.size())
        if window.testAttribute(Qt.WidgetAttribute.WA_Moved):  # else the system finds a place for it
            window.move(place.topLeft())


def _within(room: QRect, place: QRect) -> QRect:
    size = place.size().boundedTo(room.size())
    left = max(room.left(), min(place.left(), room.right() + 1 - size.width()))
    top = max(room.top(), min(place.top(), room.bottom() + 1 - size.height()))
    return QRect(left, top, size.width(), size.height())


def _area(part: QRect) -> int:
    return part.width() * part.height() if part.isValid() else 0

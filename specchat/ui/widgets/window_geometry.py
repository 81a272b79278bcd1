"""Keeps windows entirely within the available area of their screen."""

from PySide6.QtCore import QEvent, QMargins, QObject, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QApplication, QWidget

from specchat.ui.widgets.theme import GRID

_USUAL_FRAME = QMargins(0, 4 * GRID, 0, 0)
"""The approximate size of a window frame, which is unknown until a window is shown."""


def window_frame(window: QWidget) -> QMargins | None:
    """None: not known yet, or there is none."""
    outside, inside = window.frameGeometry(), window.geometry()
    frame = QMargins(
        inside.left() - outside.left(),
        inside.top() - outside.top(),
        outside.right() - inside.right(),
        outside.bottom() - inside.bottom(),
    )
    return None if frame.isNull() else frame


def available_area(screen: QScreen, frame: QMargins | None = None) -> QRect:
    """Where the inside of a window may be."""
    return screen.availableGeometry().marginsRemoved(frame or _frame_of_others())


def _frame_of_others() -> QMargins:
    shown = (window for window in QApplication.topLevelWidgets() if window.isVisible())
    return next(filter(None, map(window_frame, shown)), _USUAL_FRAME)


def rect_on_screen(place: QRect, frame: QMargins | None = None) -> QRect:
    """On the screen that has most of it; in the middle of the first one, where none has any."""
    screens = QGuiApplication.screens()
    screen = max(screens, key=lambda screen: _area(screen.availableGeometry() & place))
    if not place.intersects(screen.availableGeometry()):
        room = available_area(QGuiApplication.primaryScreen(), frame)
        moved = QRect(place.topLeft(), place.size().boundedTo(room.size()))
        moved.moveCenter(room.center())
        return moved
    return _within(available_area(screen, frame), place)


def fit_on_screen(window: QWidget, usual: QSize | None = None) -> None:
    """Whenever it is shown. `usual`: its first size, in place of what its contents ask for."""
    _Fitting(window, usual)


def update_size_hints(window: QWidget) -> None:
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
        update_size_hints(window)
        wanted = window.size() if self._shown else self._first or window.sizeHint()
        self._shown = True
        place = QRect(window.geometry().topLeft(), wanted.expandedTo(window.minimumSize()))
        place = _within(available_area(window.screen(), window_frame(window)), place)
        if window.testAttribute(Qt.WidgetAttribute.WA_Moved):  # else the system finds a place for it
            window.setGeometry(place)
        else:
            window.resize(place.size())


def _within(room: QRect, place: QRect) -> QRect:
    size = place.size().boundedTo(room.size())
    left = max(room.left(), min(place.left(), room.right() + 1 - size.width()))
    top = max(room.top(), min(place.top(), room.bottom() + 1 - size.height()))
    return QRect(left, top, size.width(), size.height())


def _area(part: QRect) -> int:
    return part.width() * part.height() if part.isValid() else 0

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from specchat.ui.transcript import TranscriptView

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
Keys = Qt.KeyboardModifier


class Mouse:
    """At explicit times, so that a slow machine makes no two clicks of a double click."""

    def __init__(self, view: TranscriptView) -> None:
        self._view = view
        self._time = 1000

    def _send(self, kind: QEvent.Type, point: QPoint, buttons: Qt.MouseButton, keys: Keys) -> None:
        viewport = self._view.viewport()
        button = NONE if kind is QEvent.Type.MouseMove else LEFT
        event = QMouseEvent(kind, QPointF(point), QPointF(viewport.mapToGlobal(point)), button, buttons, keys)
        event.setTimestamp(self._time)
        QApplication.sendEvent(viewport, event)

    def press(self, point: QPoint, keys: Keys = Keys.NoModifier, *, wait: int = 2000) -> None:
        self._time += wait
        self._send(QEvent.Type.MouseButtonPress, point, LEFT, keys)

    def move(self, point: QPoint, *, pressed: bool = False) -> None:
        self._send(QEvent.Type.MouseMove, point, LEFT if pressed else NONE, Keys.NoModifier)

    def release(self, point: QPoint) -> None:
        self._send(QEvent.Type.MouseButtonRelease, point, NONE, Keys.NoModifier)

    def click(self, point: QPoint, count: int = 1, keys: Keys = Keys.NoModifier) -> None:
        for number in range(count):
            self.press(point, keys, wait=20 if number else 2000)
            self.release(point)

    def drag(self, start: QPoint, end: QPoint) -> None:
        self.press(start)
        self.move(end, pressed=True)
        self.release(end)

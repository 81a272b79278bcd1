"""Enter presses the button that has the keyboard."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class EnterKey(QObject):
    """On most desktops Qt's buttons know the space bar only, except in dialogs.
    It watches the buttons themselves: what is around them, such as a card, has its own use for Enter.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        application = QGuiApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._watch)

    def _watch(self, _: QWidget | None, focused: QWidget | None) -> None:
        if isinstance(focused, QAbstractButton) and focused.window() is self.parent():
            focused.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not (isinstance(watched, QAbstractButton) and isinstance(event, QKeyEvent) and _is_enter(event)):
            return False
        if not event.isAutoRepeat():
            watched.click()
        return True


def _is_enter(event: QKeyEvent) -> bool:
    return event.type() is QEvent.Type.KeyPress and event.key() in _KEYS and event.modifiers() in _MODIFIERS

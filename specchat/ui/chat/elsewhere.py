"""Notices that another program, such as a command in a terminal, has changed the chats."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.services.chat.conversations import Conversations

_EVERY_MS = 2000
_SEEN_OR_NOT = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange)


class Elsewhere(QObject):
    """Looks while the window can be seen: nothing wakes the computer for a hidden one."""

    changed = Signal()

    def __init__(self, conversations: Conversations, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._conversations, self._window = conversations, window
        self._timer = QTimer(self, interval=_EVERY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.look)
        window.installEventFilter(self)

    @property
    def is_looking(self) -> bool:
        return self._timer.isActive()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() in _SEEN_OR_NOT:
            self._begin_or_rest()
        return False

    def _begin_or_rest(self) -> None:
        if not self._window.isVisible() or self._window.isMinimized():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()
            self.look()

    def look(self) -> None:
        """What cannot be read now is told by whatever needs it."""
        try:
            changed = self._conversations.were_changed()
        except UserError:
            return
        if changed:
            self.changed.emit()

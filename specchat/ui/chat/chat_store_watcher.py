"""Watches for changes that other programs make to the stored chats."""

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.services.chat.conversation_service import ConversationService

_EVERY_MS = 2000
_SEEN_OR_NOT = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.WindowStateChange)


class ChatStoreWatcher(QObject):
    """Looks while the window can be seen: nothing wakes the computer for a hidden one."""

    changed = Signal()

    def __init__(self, conversations: ConversationService, window: QWidget, parent: QObject) -> None:
        super().__init__(parent)
        self._conversations, self._window = conversations, window
        self._timer = QTimer(self, interval=_EVERY_MS, timerType=Qt.TimerType.VeryCoarseTimer)
        self._timer.timeout.connect(self.check_for_changes)
        window.installEventFilter(self)

    @property
    def is_active(self) -> bool:
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
            self.check_for_changes()

    def check_for_changes(self) -> None:
        """What cannot be read now is told by whatever needs it."""
        try:
            changed = self._conversations.have_changed()
        except UserError:
            return
        if changed:
            self.changed.emit()

"""The menu of a conversation: rename, pin, export, delete."""

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from specchat.domain.conversations import Conversation
from specchat.ui.widgets.controls import make_action
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme_service import current_theme


class ConversationMenu(QMenu):
    rename_requested = Signal(int)
    pin_requested = Signal(int)
    export_requested = Signal(int)
    delete_requested = Signal(int)

    def __init__(self, conversation: Conversation, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("conversationMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._conversation = conversation.id
        self._meanings: dict[QAction, SignalInstance] = {}
        self._add("edit", self.tr("Rename"), "F2", self.rename_requested)
        self._add("pin", self.tr("Unpin") if conversation.pinned else self.tr("Pin"), "", self.pin_requested)
        self._add("export", self.tr("Export…"), "", self.export_requested)
        self.addSeparator()
        self._add("trash", self.tr("Delete"), "Del", self.delete_requested)
        self.triggered.connect(self._choose)

    def _add(self, icon_name: str, words: str, shortcut: str, meaning: SignalInstance) -> None:
        action = make_action(self, words, shortcut)
        action.setIcon(icon(icon_name, current_theme().text_muted, current_theme().line))
        self.addAction(action)
        self._meanings[action] = meaning

    def _choose(self, action: QAction) -> None:
        self._meanings[action].emit(self._conversation)

"""What the menus of chats and projects have in common: entries with an icon and a shortcut."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from specchat.ui.widgets.controls import make_action
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.theme_service import current_theme


class RowMenu(QMenu):
    def __init__(self, object_name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(object_name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def add_entry(self, icon_name: str, words: str, shortcut: str, do: Callable[[], object]) -> QAction:
        action = make_action(self, words, shortcut)
        action.setIcon(icon(icon_name, current_theme().text_muted, current_theme().line))
        action.triggered.connect(lambda _=False: do())
        self.addAction(action)
        return action

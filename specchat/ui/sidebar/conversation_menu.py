"""The menu of conversations: rename, pin, move, export, delete."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu, QWidget

from specchat.domain.conversations import Conversation
from specchat.domain.projects import Project
from specchat.ui.sidebar.row_menu import RowMenu
from specchat.ui.widgets.icons import icon
from specchat.ui.widgets.literal_text import literal_text
from specchat.ui.widgets.theme_service import current_theme


class ConversationMenu(RowMenu):
    rename_requested = Signal(int)
    pin_requested = Signal(int)
    move_requested = Signal(list, object)
    """Chats, and the project to move them to; None moves them out of their project."""
    new_project_requested = Signal(list)
    export_requested = Signal(list)
    delete_requested = Signal(list)

    def __init__(self, conversations: Sequence[Conversation], projects: Sequence[Project], parent: QWidget) -> None:
        super().__init__("conversationMenu", parent)
        self._conversations = conversations
        self._chats = chats = [conversation.id for conversation in conversations]
        if len(conversations) == 1:
            (conversation,) = conversations
            self.add_entry("edit", self.tr("Rename"), "F2", partial(self.rename_requested.emit, conversation.id))
            words = self.tr("Unpin") if conversation.pinned else self.tr("Pin")
            self.add_entry("pin", words, "", partial(self.pin_requested.emit, conversation.id))
        self.addMenu(self._places(projects))
        self.add_entry("export", self.tr("Export…"), "", partial(self.export_requested.emit, chats))
        self.addSeparator()
        delete = self.tr("Delete") if len(chats) == 1 else self.tr("Delete {n} chats").format(n=len(chats))
        self.add_entry("trash", delete, "Del", partial(self.delete_requested.emit, chats))

    def _places(self, projects: Sequence[Project]) -> QMenu:
        menu = QMenu(self.tr("Move to project"), self)
        menu.setObjectName("moveMenu")
        menu.setIcon(icon("folder", current_theme().text_muted, current_theme().line))
        inside = {conversation.project for conversation in self._conversations}
        for project in projects:
            action = menu.addAction(literal_text(project.name))
            action.setEnabled(inside != {project.id})
            action.triggered.connect(partial(self._move, project.id))
        if projects:
            menu.addSeparator()
        menu.addAction(self.tr("New project")).triggered.connect(partial(self._move_to_new))
        if inside != {None}:
            menu.addAction(self.tr("No project")).triggered.connect(partial(self._move, None))
        return menu

    def _move(self, project: int | None, _: bool = False) -> None:
        self.move_requested.emit(self._chats, project)

    def _move_to_new(self, _: bool = False) -> None:
        self.new_project_requested.emit(self._chats)

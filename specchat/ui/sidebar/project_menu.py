"""The menu of a project: new chat, rename, settings, delete."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.projects import Project
from specchat.ui.sidebar.row_menu import RowMenu


class ProjectMenu(RowMenu):
    chat_requested = Signal(int)
    rename_requested = Signal(int)
    settings_requested = Signal(int)
    delete_requested = Signal(int)

    def __init__(self, project: Project, parent: QWidget) -> None:
        super().__init__("projectMenu", parent)
        of = project.id
        self.add_entry("new-chat", self.tr("New chat in project"), "", partial(self.chat_requested.emit, of))
        self.add_entry("edit", self.tr("Rename"), "F2", partial(self.rename_requested.emit, of))
        self.add_entry("settings", self.tr("Project settings…"), "", partial(self.settings_requested.emit, of))
        self.addSeparator()
        self.add_entry("trash", self.tr("Delete…"), "Del", partial(self.delete_requested.emit, of))

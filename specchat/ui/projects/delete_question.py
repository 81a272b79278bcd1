"""Asks whether to keep the chats of a project when it is deleted."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.ui.widgets.theme import GRID


class DeleteProjectQuestion(QMessageBox):
    answered = Signal(bool)
    """Whether to delete its chats, too."""

    def __init__(self, name: str, n_chats: int, parent: QWidget) -> None:
        super().__init__(parent)
        roles = QMessageBox.ButtonRole
        self.setObjectName("deleteProjectQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(self.tr("Delete the project “{name}”?").format(name=name))
        words = self.tr("It contains 1 chat.") if n_chats == 1 else self.tr("It contains {n} chats.")
        kept = self.tr("What you delete stays in the trash for 30 days.")
        self.setInformativeText(f"{words.format(n=n_chats)} {kept}")
        self._keep = self.addButton(self.tr("Keep chats"), roles.AcceptRole)
        self._keep.setObjectName("keepChatsButton")
        self._delete = self.addButton(self.tr("Delete chats"), roles.DestructiveRole)
        self._delete.setObjectName("deleteChatsButton")
        self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self._keep)
        for button in self.buttons():
            button.setMinimumHeight(4 * GRID)
        self.buttonClicked.connect(self._clicked)
        self.finished.connect(self.deleteLater)

    def _clicked(self, button: object) -> None:
        if button in (self._keep, self._delete):
            self.answered.emit(button is self._delete)

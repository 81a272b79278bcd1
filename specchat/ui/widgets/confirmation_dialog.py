"""A dialog that asks for confirmation, for example before deleting."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

from specchat.ui.widgets.theme import GRID

_WIDEST = 60 * GRID


class ConfirmationDialog(QMessageBox):
    confirmed = Signal()

    def __init__(self, text: str, explanation: str, yes: str, parent: QWidget, *, destructive: bool = False) -> None:
        super().__init__(parent)
        self.is_confirmed = False
        roles = QMessageBox.ButtonRole
        self.setObjectName("removeQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(explanation)
        self._widen(explanation, parent.window().width() - 16 * GRID)
        self._yes = self.addButton(yes, roles.DestructiveRole if destructive else roles.AcceptRole)
        cancel = self.addButton(QMessageBox.StandardButton.Cancel)
        if destructive:
            self.setDefaultButton(cancel)
        for button in self.buttons():
            button.setMinimumHeight(4 * GRID)
        self.buttonClicked.connect(self._clicked)
        self.finished.connect(self.deleteLater)

    def _widen(self, explanation: str, limit: int) -> None:
        """So that a command of a usual length stays on one line."""
        longest = max(map(self.fontMetrics().horizontalAdvance, explanation.splitlines()), default=0)
        if label := self.findChild(QLabel, "qt_msgbox_informativelabel"):
            label.setMinimumWidth(min(longest + GRID, _WIDEST, limit))

    def _clicked(self, button: object) -> None:
        if button is self._yes:
            self.is_confirmed = True
            self.confirmed.emit()

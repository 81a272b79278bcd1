"""Asked before something goes."""

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from specchat.services.models.pair_values import ShelfModel
from specchat.ui.picker.rows import size
from specchat.ui.widgets.theme import GRID


class Question(QMessageBox):
    agreed = Signal()

    def __init__(self, text: str, explanation: str, yes: str, parent: QWidget, *, destructive: bool = False) -> None:
        super().__init__(parent)
        roles = QMessageBox.ButtonRole
        self.setObjectName("removeQuestion")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(explanation)
        self._yes = self.addButton(yes, roles.DestructiveRole if destructive else roles.AcceptRole)
        cancel = self.addButton(QMessageBox.StandardButton.Cancel)
        if destructive:
            self.setDefaultButton(cancel)
        for button in self.buttons():
            button.setMinimumHeight(4 * GRID)
        self.buttonClicked.connect(self._clicked)
        self.finished.connect(self.deleteLater)

    def _clicked(self, button: object) -> None:
        if button is self._yes:
            self.agreed.emit()


def whether_to_delete(model: ShelfModel, parent: QWidget, *, is_loaded: bool) -> Question:
    translate = QCoreApplication.translate
    explanation = translate("Question", "It can be downloaded again, as long as the Hub has it.")
    if is_loaded:
        explanation = (
            translate("Question", "It is loaded now, and will be missing at the next start.") + " " + explanation
        )
    return Question(
        translate("Question", "Delete {name}?").format(name=model.name),
        explanation,
        translate("Question", "Delete the file ({size})").format(size=size(model.size)),
        parent,
        destructive=True,
    )


def whether_to_take_off(name: str, explanation: str, parent: QWidget) -> Question:
    translate = QCoreApplication.translate
    text = translate("Question", "Take {name} off the list?").format(name=name)
    return Question(text, explanation, translate("Question", "Take off the list"), parent)

"""The buttons that end the edit of an answer."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.theme import GRID


class AnswerEditButtons(QWidget):
    saved = Signal()
    continued = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._save = TextButton(self.tr("Save"), self)
        self._save.setObjectName("saveAnswerButton")
        self._save.clicked.connect(self.saved)
        self._continue = TextButton(self.tr("Save and continue"), self, primary=True)
        self._continue.setObjectName("continueAnswerButton")
        self._continue.clicked.connect(self.continued)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._save)
        row.addWidget(self._continue)
        self.hide()

    def set_possible(self, *, save: bool, go_on: bool) -> None:
        self._save.setEnabled(save)
        self._continue.setEnabled(go_on)

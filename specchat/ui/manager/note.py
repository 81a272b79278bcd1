"""A line on a card that shows a running operation or its result."""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.theme import GRID, tabular_figures


@dataclass(frozen=True, slots=True)
class CardNote:
    words: str
    running: bool = False
    """It can be stopped."""
    bad: bool = False


class CardNoteLine(QWidget):
    stop_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._words = muted_label("", self)
        self._words.setObjectName("noteWords")
        self._words.setFont(tabular_figures(self._words.font()))
        self._stop = TextButton(self.tr("Stop"), self)
        self._stop.setObjectName("stopButton")
        self._stop.clicked.connect(self.stop_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._stop)

    def show_note(self, note: CardNote) -> None:
        self._words.setText(note.words)
        self._stop.setVisible(note.running)
        if self._words.property("danger") != note.bad:
            self._words.setProperty("danger", note.bad)
            self._words.setProperty("muted", not note.bad)
            self._words.style().unpolish(self._words)
            self._words.style().polish(self._words)

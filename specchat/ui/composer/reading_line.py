"""The line above the text that says which documents are being read."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from specchat.ui.widgets.controls import ElidedLabel, IconButton
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.number_format import format_number

_ICON = QSize(2 * GRID, 2 * GRID)


class ReadingLine(QWidget):
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("readingLine")
        self._words = ElidedLabel(self)
        self._words.setProperty("muted", True)
        self._cancel = IconButton("close", self.tr("Stop reading"), self)
        self._cancel.setObjectName("stopReading")
        self._cancel.setIconSize(_ICON)
        self._cancel.setFixedSize(3 * GRID, 3 * GRID)
        self._cancel.clicked.connect(self.cancelled)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._words, 1)
        layout.addWidget(self._cancel)
        self.hide()

    def show_documents(self, names: Sequence[str]) -> None:
        """Those that are being read."""
        if len(names) == 1:
            self._words.setText(self.tr("Reading {name}…").format(name=names[0]))
        else:
            self._words.setText(self.tr("Reading {n} documents…").format(n=format_number(len(names))))
        self.setVisible(bool(names))

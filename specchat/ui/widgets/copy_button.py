"""A button that copies something, and says that it did."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from specchat.ui.widgets.controls import TextButton

CONFIRM_MS = 1500


class CopyButton(TextButton):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self._words, self._confirmation = self.tr("Copy"), self.tr("Copied")
        self._confirming = QTimer(self)
        self._confirming.setSingleShot(True)
        self._confirming.setInterval(CONFIRM_MS)
        self._confirming.timeout.connect(lambda: self.setText(self._words))
        self.setText(self._words)

    def confirm(self) -> None:
        """For a moment, in the same width: what is beside it stays where it is."""
        self.setMinimumWidth(self.width())
        self.setText(self._confirmation)
        self._confirming.start()

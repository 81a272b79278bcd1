"""The bar below the composer with the status message and the legend of the token colours."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from specchat.ui.transcript import ColouringLegend
from specchat.ui.widgets.controls import ElidedLabel
from specchat.ui.widgets.theme import GRID

_APART = 2 * GRID


class StatusBar(QWidget):
    """Where there is no room for both, what happens is told: the colours can wait."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.status = ElidedLabel(self)
        self.status.setObjectName("statusMessage")
        self.status.setAccessibleName(self.tr("Status"))
        self.status.setProperty("muted", True)
        self.status.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.status.setMinimumWidth(1)
        self.legend = ColouringLegend(self)
        self.legend.hide()
        self._wants_legend = False
        self.setFixedHeight(4 * GRID)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.status)
        line.addWidget(self.legend, 1, Qt.AlignmentFlag.AlignRight)

    def show_status(self, words: str) -> None:
        if self.status.text() != words:
            self.status.setText(words)
            self.status.setAccessibleName(words or self.tr("Status"))

    def show_legend(self, wanted: bool) -> None:
        self._wants_legend = wanted
        self._share()

    def event(self, event: QEvent) -> bool:
        """Other words need other room."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._share()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share()

    def _share(self) -> None:
        """In one line or two whatever is told beside it: it would jump."""
        words = self.status.sizeHint().width() + _APART if self.status.text() else 0
        one_line, two_lines = self.legend.sizeHint().width(), self.legend.minimumSizeHint().width()
        needed = one_line if one_line <= self.width() else two_lines
        self.legend.setVisible(self._wants_legend and words + needed <= self.width())

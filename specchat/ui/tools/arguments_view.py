"""The arguments of a call, as far as there is room for them."""

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from specchat.ui.widgets.theme import GRID

_MOST_LINES = 6


class ArgumentsView(QPlainTextEdit):
    """As high as its text, up to a few lines. In a low window it shrinks to one."""

    fitted = Signal()
    """It shows another part of the text than before."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.verticalScrollBar().rangeChanged.connect(self._fit)  # its lines may wrap

    @property
    def n_lines(self) -> int:
        return max(1, round(self.document().size().height()))

    @property
    def shows_all(self) -> bool:
        return self.height() >= self._height_of(self.n_lines)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._height_of(min(self.n_lines, _MOST_LINES)))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._height_of(1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.updateGeometry()
        self.fitted.emit()

    def _height_of(self, n_lines: int) -> int:
        return self.fontMetrics().lineSpacing() * n_lines + 2 * GRID

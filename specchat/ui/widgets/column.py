"""Keeps what belongs to the text in one column, as wide as lines read well."""

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.ui.widgets.theme import GRID, MEASURE_CHARACTERS, SCROLL_BAR, body_font


def column_width() -> int:
    return int(QFontMetricsF(body_font()).averageCharWidth() * MEASURE_CHARACTERS) + 4 * GRID


class Column(QWidget):
    def __init__(self, parent: QWidget | None = None, *, below: int = GRID) -> None:
        super().__init__(parent)
        self._below = below
        self._inner = QWidget(self)
        self._inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.rows = QVBoxLayout(self._inner)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(GRID)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._inner)
        self.reserve(0, 0)
        self.measure_again()

    def reserve(self, left: int, right: int) -> None:
        """Room for what floats there, beside that of the transcript's scroll bar."""
        self._layout.setContentsMargins(2 * GRID + left, 0, 2 * GRID + SCROLL_BAR + right, self._below)

    def measure_again(self) -> None:
        """The text has another size."""
        self._inner.setMaximumWidth(column_width())

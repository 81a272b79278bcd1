"""Keeps what belongs to the text in one column, as wide as lines read well."""

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.ui.theme import GRID, MEASURE_CHARACTERS, SCROLL_BAR, body_font


def column_width() -> int:
    return int(QFontMetricsF(body_font()).averageCharWidth() * MEASURE_CHARACTERS) + 4 * GRID


class Column(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        inner = QWidget(self)
        inner.setMaximumWidth(column_width())
        inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.rows = QVBoxLayout(inner)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(GRID)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(inner)
        self.reserve(0)

    def reserve(self, width: int) -> None:
        """Room at the right for what floats there, beside that of the transcript's scroll bar."""
        self._layout.setContentsMargins(2 * GRID, 0, 2 * GRID + SCROLL_BAR + width, GRID)

"""A centred column, as wide as text reads well."""

from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.ui.widgets.theme import GRID, MAX_LINE_CHARACTERS, SCROLL_BAR_WIDTH, body_font


def column_width() -> int:
    return int(QFontMetricsF(body_font()).averageCharWidth() * MAX_LINE_CHARACTERS) + 4 * GRID


class TextColumn(QWidget):
    def __init__(self, parent: QWidget | None = None, *, below: int = GRID) -> None:
        super().__init__(parent)
        self._below = below
        self._inner = QWidget(self)
        self._inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.rows = QVBoxLayout(self._inner)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(GRID)
        self._layout = QHBoxLayout(self)
        self._layout.addWidget(self._inner, 1)
        self.set_side_margins(0, 0)
        self.update_width()

    def set_side_margins(self, left: int, right: int) -> None:
        """Room for what floats there, beside that of the transcript's scroll bar."""
        self._layout.setContentsMargins(2 * GRID + left, 0, 2 * GRID + SCROLL_BAR_WIDTH + right, self._below)

    def align_with_page(self, wanted: bool) -> None:
        """At the left, where the text of a page begins."""
        if wanted and self._layout.count() == 1:
            self._layout.addStretch()
            self.set_side_margins(GRID, 0)
        elif not wanted and self._layout.count() > 1:
            self._layout.takeAt(1)
            self.set_side_margins(0, 0)

    def update_width(self) -> None:
        """The text has another size."""
        self._inner.setMaximumWidth(column_width())

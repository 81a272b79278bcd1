"""A row of widgets that continues in further rows where it is too wide."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from specchat.ui.widgets.theme import GRID

_Part = QWidget | None
"""None is a stretch."""


class WrappingRow(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(GRID // 2)
        self._parts: list[_Part] = []
        self._shown: list[list[_Part]] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def add_widget(self, part: QWidget) -> None:
        self.insert_widget(len(self._parts), part)

    def insert_widget(self, place: int, part: QWidget) -> None:
        self._parts.insert(place, part)
        self._arrange([self._parts])

    def remove_widget(self, part: QWidget) -> None:
        self._parts.remove(part)
        self._arrange([self._parts])

    def add_stretch(self) -> None:
        self._parts.append(None)
        self._arrange([self._parts])

    def update_layout(self) -> None:
        """Also when a part was hidden or shown."""
        lines = list(self._broken(self.width()))
        if lines != self._shown:
            self._arrange(lines)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update_layout()

    def _broken(self, width: int) -> Iterator[list[_Part]]:
        line, taken = list[_Part](), 0
        for part in self._parts:
            needed = 0 if part is None or part.isHidden() else _width(part) + GRID
            if needed and taken and taken + needed - GRID > width:
                yield line
                line, taken = [], 0
            line.append(part)
            taken += needed
        yield line

    def _arrange(self, lines: Sequence[Sequence[_Part]]) -> None:
        self._shown = [list(line) for line in lines]
        for old in self._lines.children():
            assert isinstance(old, QHBoxLayout)
            while old.takeAt(0):
                pass
            self._lines.removeItem(old)
            old.deleteLater()
        for line in self._shown:
            row = QHBoxLayout()
            row.setSpacing(GRID)
            for part in line:
                if part is None:
                    row.addStretch()
                else:
                    row.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
            if None not in line and len(self._shown) > 1:
                row.addStretch()
            self._lines.addLayout(row)


def _width(part: QWidget) -> int:
    return part.sizeHint().expandedTo(part.minimumSize()).width()

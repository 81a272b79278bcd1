"""A row of widgets that stacks them where there is no room side by side."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from specchat.ui.widgets.theme import GRID


class WrappingRow(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GRID)
        self._parts: list[QWidget] = []
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def add_widget(self, part: QWidget) -> None:
        self.insert_widget(self._layout.count(), part)

    def insert_widget(self, place: int, part: QWidget) -> None:
        self._layout.insertWidget(place, part, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._parts.append(part)

    def remove_widget(self, part: QWidget) -> None:
        self._layout.removeWidget(part)
        self._parts.remove(part)

    def add_stretch(self) -> None:
        self._layout.addStretch()

    def update_layout(self) -> None:
        """Also when a part was hidden or shown."""
        needed = sum(part.sizeHint().width() + GRID for part in self._parts if not part.isHidden()) - GRID
        direction = QBoxLayout.Direction
        has_room = needed <= self.width()
        self._layout.setDirection(direction.LeftToRight if has_room else direction.TopToBottom)
        self._layout.setSpacing(GRID if has_room else GRID // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.update_layout()

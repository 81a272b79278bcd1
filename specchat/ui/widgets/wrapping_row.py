"""Parts side by side, or one below the other where there is no room for that."""

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

    def add(self, part: QWidget) -> None:
        self._layout.addWidget(part, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._parts.append(part)

    def add_stretch(self) -> None:
        self._layout.addStretch()

    def arrange(self) -> None:
        """Also when a part was hidden or shown."""
        needed = sum(part.sizeHint().width() + GRID for part in self._parts if not part.isHidden()) - GRID
        direction = QBoxLayout.Direction
        has_room = needed <= self.width()
        self._layout.setDirection(direction.LeftToRight if has_room else direction.TopToBottom)
        self._layout.setSpacing(GRID if has_room else GRID // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

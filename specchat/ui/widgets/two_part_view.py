"""Two parts side by side, or on two tabs where the width is too small."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from specchat.ui.widgets.tab_bar import TabBar
from specchat.ui.widgets.theme import GRID, scaled_px

_WIDEST = (1 << 24) - 1
"""Qt's largest size of a widget."""


class TwoPartView(QWidget):
    """Beside one another; where that would be too narrow, one at a time, with their names above them."""

    def __init__(self, parts: tuple[QWidget, QWidget], names: tuple[str, str], least: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._parts, self._least = parts, least
        self._kept: dict[QWidget, int] = {}
        self._tabs = TabBar(self)
        self._head, self._edge = QWidget(self), QFrame(self)
        for name in names:
            self._tabs.addTab(name)
        self._arrange()
        self._tabs.currentChanged.connect(self._show_parts)
        self._show_parts()

    @property
    def is_narrow(self) -> bool:
        return self.width() < scaled_px(self._least)

    def set_part_width(self, part: QWidget, width: int) -> None:
        """Beside the other one."""
        self._kept[part] = width
        self._show_parts()

    def show_part(self, part: QWidget) -> None:
        """Where only one is to be seen."""
        self._tabs.setCurrentIndex(self._parts.index(part))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_parts()

    def _show_parts(self) -> None:
        narrow = self.is_narrow
        for number, part in enumerate(self._parts):
            part.setVisible(not narrow or number == self._tabs.currentIndex())
            width = self._kept.get(part)
            if width is not None:
                part.setMinimumWidth(0 if narrow else width)
                part.setMaximumWidth(_WIDEST if narrow else width)
        for between in (self._head, self._edge):
            between.setVisible(narrow is (between is self._head))
        if self.is_narrow is not narrow:  # what was shown or hidden has made room, or taken it
            self._show_parts()

    def _arrange(self) -> None:
        self._tabs.setObjectName("partTabs")
        self._edge.setProperty("line", True)
        self._edge.setFixedWidth(1)
        head = QVBoxLayout(self._head)
        head.setContentsMargins(3 * GRID, GRID, 3 * GRID, 0)
        head.addWidget(self._tabs)
        row = QHBoxLayout()
        row.setSpacing(0)
        first, second = self._parts
        for part in (first, self._edge, second):
            row.addWidget(part, 0 if part is self._edge else 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._head)
        layout.addLayout(row, 1)

"""A scroll area that is as large as its content where there is room."""

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from specchat.ui.widgets.theme import GRID, SCROLL_BAR_WIDTH

_NARROWEST, _LOWEST = 60 * GRID, 12 * GRID


class ContentScrollArea(QScrollArea):
    """As large as its content where there is room. The bar stands in the margin: nothing moves when it comes."""

    def __init__(self, content: QWidget, margins: QMargins, parent: QWidget | None = None) -> None:
        """`margins`: around the content, in place of those around this."""
        super().__init__(parent)
        self.content, self._margins = content, margins
        self._makes_room = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # fields that get the focus are scrolled to
        self.setWidgetResizable(True)
        self.setWidget(content)
        content.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.verticalScrollBar().rangeChanged.connect(self._leave_room_for_bar)
        self._leave_room_for_bar(0, 0)

    def sizeHint(self) -> QSize:
        """With the whole margins: the bar may stand in them now, and need not at this size."""
        content = self.content
        taken = self._margins.right() - content.contentsMargins().right()
        width = max(content.sizeHint().width() + taken, self.minimumWidth())
        height = content.heightForWidth(width - taken) if content.hasHeightForWidth() else content.sizeHint().height()
        return QSize(width, height)

    def minimumSizeHint(self) -> QSize:
        return self.content.minimumSizeHint().boundedTo(QSize(_NARROWEST, _LOWEST))

    def _leave_room_for_bar(self, _: int, highest: int) -> None:
        bar = min(SCROLL_BAR_WIDTH, self._margins.right()) if highest else 0
        margins = self._margins - QMargins(0, 0, bar, 0)
        if not self._makes_room and margins != self.content.contentsMargins():
            self._makes_room = True  # which may change the range again, and again
            self.content.setContentsMargins(margins)
            self._makes_room = False

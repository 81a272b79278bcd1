"""A page of the main window in the place of the chat, and the frame that leads back from it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.tab_bar import TabBar
from specchat.ui.widgets.theme import GRID, TITLE_PX, scaled_px
from specchat.ui.widgets.theme_service import follow_theme

_WANTED_WIDTH = 107 * GRID


class WindowPage(QWidget):
    """Its window title is the title of the page."""

    tabs: TabBar | None = None
    """What Ctrl+Tab goes through."""

    @property
    def wanted_width(self) -> int:
        """With less, the sidebar gives it its room."""
        return scaled_px(_WANTED_WIDTH)

    @property
    def help_topic(self) -> str:
        """The help about what is shown: the file of a topic, with a heading in it if need be."""
        return "window.md"

    def go_back(self) -> bool:
        """Leaves what lies on top. False: nothing does."""
        return False

    def focus_search(self) -> None:
        """Where there is something to search."""


class PageFrame(QWidget):
    closed = Signal()

    def __init__(self, page: WindowPage, parent: QWidget) -> None:
        super().__init__(parent)
        self.page = page
        self._title = QLabel(page.windowTitle(), self)
        back = IconButton("chevron-left", self.tr("Back (Esc)"), self)
        back.setObjectName("backToChat")
        back.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        head.setSpacing(GRID)
        head.addWidget(back)
        head.addWidget(self._title, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(page, 1)
        if before := page.previousInFocusChain():
            self.setTabOrder(before, back)  # made after the page's parts, but above them
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        self._title.setStyleSheet(f"font-size: {scaled_px(TITLE_PX)}px; font-weight: 600;")

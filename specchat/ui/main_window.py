"""Where everything stands. What happens is decided in `ui.chat`."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.column import Column, column_width
from specchat.ui.composer.composer import Composer
from specchat.ui.find_bar import FindBar
from specchat.ui.header import Header
from specchat.ui.notice import Notice
from specchat.ui.overlay.acceptance_overlay import AcceptanceOverlay
from specchat.ui.problem import Problem
from specchat.ui.sidebar.sidebar import Sidebar
from specchat.ui.theme import GRID, Theme
from specchat.ui.transcript import ColouringLegend, EntryDetails, TranscriptView
from specchat.ui.welcome import Welcome

_SMALLEST = (640, 480)
_USUAL = (1240, 800)


class MainWindow(QMainWindow):
    closing = Signal()
    first_painted = Signal()

    def __init__(self, theme: Theme, details: Callable[[int], EntryDetails]) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("specchat")
        self.setWindowTitle("specchat")
        self.setMinimumSize(*_SMALLEST)
        self.resize(*_USUAL)
        self.sidebar = Sidebar(theme, self)
        self.header = Header(theme, self)
        self.find_bar = FindBar(theme, self)
        self.transcript = TranscriptView(theme, details, self)
        self.welcome = Welcome(theme, self)
        self.problem = Problem(theme, self)
        self.composer = Composer(theme, self)
        self.status = QLabel(self)
        self.status.setObjectName("statusMessage")
        self.status.setAccessibleName(self.tr("Status"))
        self.status.setProperty("muted", True)
        self.status.setTextFormat(Qt.TextFormat.PlainText)
        self.legend = ColouringLegend(theme, self)
        self.legend.hide()
        self._pages = QStackedWidget(self)
        self.overlay = AcceptanceOverlay(theme, self._pages)
        self.notice = Notice(theme, self._pages)
        self._foot, self._find_column = Column(self), Column(self)
        self._is_wide = True
        self._painted = False
        self._arrange()
        self.overlay.rearranged.connect(self.make_room)
        self.find_bar.changed.connect(self._find)
        self.find_bar.next_wanted.connect(self.transcript.find_next)
        self.find_bar.previous_wanted.connect(self.transcript.find_previous)
        self.find_bar.closed.connect(self._end_find)

    def show_welcome(self, wanted: bool) -> None:
        self._pages.setCurrentWidget(self.welcome if wanted else self.transcript)
        self.overlay.raise_()
        self.notice.raise_()

    def show_sidebar(self, wanted: bool) -> None:
        self.sidebar.setVisible(wanted)
        self.header.sidebar.setVisible(not wanted)
        QTimer.singleShot(0, self, self.make_room)

    def show_colours(self, wanted: bool) -> None:
        self.transcript.set_colouring(wanted)
        self.header.colours.setChecked(wanted)
        self.legend.setVisible(wanted)

    def show_overlay(self, wanted: bool) -> None:
        self.overlay.setVisible(wanted)
        self.header.overlay.setChecked(wanted)
        self.make_room()

    def make_room(self) -> None:
        """The overlay stands beside the text where both fit, else it is folded."""
        needed = column_width() + self.overlay.room_at_the_right
        is_wide = self._pages.width() >= needed
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.overlay.fold(not is_wide)
        beside = is_wide and not self.overlay.isHidden() and not self.overlay.is_folded
        covered = self.overlay.room_at_the_right
        room = max(0, column_width() + 2 * covered - self._pages.width()) if beside else 0
        self.transcript.reserve(room)
        self.welcome.setContentsMargins(0, 0, room, 0)
        self._foot.reserve(room)
        self._find_column.reserve(room)

    def set_theme(self, theme: Theme) -> None:
        for part in (
            self.sidebar,
            self.header,
            self.find_bar,
            self.transcript,
            self.welcome,
            self.problem,
            self.composer,
            self.legend,
            self.overlay,
            self.notice,
        ):
            part.set_theme(theme)

    def _find(self, text: str) -> None:
        self.find_bar.show_count(self.transcript.find(text))

    def _end_find(self) -> None:
        self.transcript.clear_find()
        self.transcript.setFocus()

    def _arrange(self) -> None:
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.transcript)
        foot = self._foot
        last_line = QHBoxLayout()
        last_line.addWidget(self.status, 1)
        last_line.addWidget(self.legend)
        foot.rows.addWidget(self.problem)
        foot.rows.addWidget(self.composer)
        foot.rows.addLayout(last_line)
        find_column = self._find_column
        find_column.rows.addWidget(self.find_bar)
        body = QVBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.header)
        body.addWidget(find_column)
        body.addWidget(self._pages, 1)
        body.addSpacing(GRID)
        body.addWidget(foot)
        whole = QWidget(self)
        layout = QHBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addLayout(body, 1)
        self.setCentralWidget(whole)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self, self.first_painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.make_room)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

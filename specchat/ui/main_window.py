"""Where everything stands. What happens is decided in `ui.chat`."""

import logging
from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from specchat.ui.composer.composer import Composer
from specchat.ui.composer.typed import is_typed
from specchat.ui.header import Header
from specchat.ui.last_line import LastLine
from specchat.ui.overlay.acceptance_overlay import AcceptanceOverlay
from specchat.ui.overlay.dock import Dock
from specchat.ui.overlay.placement import room_beside
from specchat.ui.sidebar.sidebar import Sidebar
from specchat.ui.transcript import EntryDetails, TranscriptView
from specchat.ui.welcome import Welcome
from specchat.ui.widgets.column import Column, column_width
from specchat.ui.widgets.find_bar import FindBar
from specchat.ui.widgets.notice import Notice
from specchat.ui.widgets.problem import Problem
from specchat.ui.widgets.screen import room_on
from specchat.ui.widgets.theme import GRID, Theme, scaled

log = logging.getLogger(__name__)

_SMALLEST = QSize(640, 320)
"""A screen of 1280 by 720 at twice the size has little more."""
_USUAL = QSize(1240, 800)
_NARROWEST_TEXT = 38 * GRID
_LOWEST_TEXT = 6 * GRID
_READABLE_TEXT = 30 * GRID
"""Height of ten lines."""


class MainWindow(QMainWindow):
    closing = Signal()
    first_painted = Signal()

    def __init__(self, theme: Theme, details: Callable[[int], EntryDetails]) -> None:
        super().__init__()
        self.setObjectName("mainWindow")
        self.setAccessibleName("specchat")
        self.setWindowTitle("specchat")
        self.setMinimumSize(_SMALLEST)
        self.resize(_USUAL.boundedTo(room_on(self.screen()).size()))
        self.sidebar = Sidebar(theme, self)
        self.header = Header(theme, self)
        self.find_bar = FindBar(theme, self)
        self.transcript = TranscriptView(theme, details, self)
        self.welcome = Welcome(theme, self)
        self.problem = Problem(theme, self)
        self.composer = Composer(theme, self)
        self._pages = QStackedWidget(self)
        self._last_line = LastLine(theme, self)
        self.status, self.legend = self._last_line.status, self._last_line.legend
        self.notice = Notice(theme, self._last_line)
        self._foot, self._find_column = Column(self, below=GRID // 2), Column(self)
        self._talk, dock = QWidget(self), Dock(self)
        self._is_wide = True
        self._painted = False
        self._arrange()
        self.composer.place_before_meter(dock)
        self.composer.take_drops_on(self)
        self.overlay = AcceptanceOverlay(theme, self._talk, self._pages, dock)
        self.overlay.rearranged.connect(self.make_room)
        self.find_bar.changed.connect(self.transcript.find)
        self.find_bar.next_wanted.connect(self.transcript.find_next)
        self.find_bar.previous_wanted.connect(self.transcript.find_previous)
        self.find_bar.closed.connect(self._end_find)
        self.transcript.counted.connect(self.find_bar.show_tally)
        self.transcript.branchRequested.connect(self.sidebar.end_search)  # first of all: it would hide the branch

    def show_welcome(self, wanted: bool) -> None:
        self._pages.setCurrentWidget(self.welcome if wanted else self.transcript)

    def show_sidebar(self, wanted: bool) -> None:
        self.sidebar.setVisible(wanted)
        self.header.sidebar.setVisible(not wanted)
        QTimer.singleShot(0, self, self.make_room)

    def find_words(self, query: str, message: int) -> None:
        """Marks what a search in all chats found: all of it where it stands together, else its longest word."""
        words = self.transcript.findable(query, message)
        if words:
            self.find_bar.show_words(words)
            self.transcript.find(words, message)

    def show_colours(self, wanted: bool) -> None:
        self.transcript.set_colouring(wanted)
        self.header.colours.setChecked(wanted)
        self._last_line.show_legend(wanted)

    def show_overlay(self, wanted: bool) -> None:
        self.overlay.setVisible(wanted)
        self.header.overlay.setChecked(wanted)
        self.make_room()

    def make_room(self) -> None:
        """The overlay stands beside the text where both fit, else it is folded.

        Unfolded all the same, it narrows the text, or the text begins below it, as long as there is room for either.
        """
        width, column = self._pages.width(), column_width()
        is_wide = width >= column + self.overlay.covered_unfolded
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self.overlay.fold(not is_wide)
        covered = self.overlay.covered
        fits = width >= column + covered
        narrows = not self.overlay.is_folded and width >= scaled(_NARROWEST_TEXT) + covered
        room = room_beside(covered, width, column) if fits or narrows else 0
        left, right = (0, room) if self.overlay.is_at_right else (room, 0)
        self.transcript.reserve(left, right)
        self.welcome.setContentsMargins(left, 0, right, 0)
        for beyond in (self._foot, self._find_column):
            beyond.reserve(left if fits else 0, right if fits else 0)
        is_beside = fits or narrows
        self.overlay.flatten(None if is_beside or self._has_height else width - 2 * GRID)
        self._make_room_above(0 if is_beside else self.overlay.covered_height)

    @property
    def _has_height(self) -> bool:
        """For some text above or below all of the overlay."""
        return self._pages.height() - self.overlay.upright_size.height() >= scaled(_READABLE_TEXT)

    def _make_room_above(self, height: int) -> None:
        """Or below: wherever the overlay is."""
        most = self._pages.height() - _LOWEST_TEXT
        if height and most < self.overlay.height():
            self.overlay.fold(True)
            return
        height = min(height, most)
        above, below = (0, height) if self.overlay.is_at_bottom else (height, 0)
        self._pages.setContentsMargins(0, above, 0, below)

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
        for column in (self._foot, self._find_column):
            column.measure_again()
        self.make_room()

    def _end_find(self) -> None:
        self.transcript.clear_find()
        self.transcript.setFocus()

    def _arrange(self) -> None:
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.transcript)
        below_problem = QVBoxLayout()
        below_problem.setSpacing(GRID // 2)
        below_problem.addWidget(self.composer)
        below_problem.addWidget(self._last_line)
        foot = self._foot
        foot.rows.addWidget(self.problem)
        foot.rows.addLayout(below_problem)
        talk = QVBoxLayout(self._talk)
        talk.setContentsMargins(0, 0, 0, 0)
        talk.setSpacing(GRID)
        talk.addWidget(self._pages, 1)
        talk.addWidget(foot)
        find_column = self._find_column
        find_column.rows.addWidget(self.find_bar)
        body = QVBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.header)
        body.addWidget(find_column)
        body.addWidget(self._talk, 1)
        whole = QWidget(self)
        layout = QHBoxLayout(whole)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addLayout(body, 1)
        self.setCentralWidget(whole)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What nobody else wants: whoever types on a button or in the transcript means a message."""
        if is_typed(event):
            self.composer.take_key(event)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            log.info("The window is painted")
            QTimer.singleShot(0, self, self.first_painted.emit)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.make_room)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

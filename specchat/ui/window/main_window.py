"""Lays out the main window; controllers decide what happens in it."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from specchat.domain.serialization import from_plain, to_plain
from specchat.services.lazy import Lazy
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.composer.composer import Composer
from specchat.ui.composer.text_keys import is_text_key
from specchat.ui.overlay.dockable_panel import PanelSlot
from specchat.ui.overlay.placement import OverlayState, free_width_beside
from specchat.ui.overlay.stats_overlay import StatsOverlay
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.sidebar.sidebar import Sidebar
from specchat.ui.transcript import EntryDetails, TranscriptView
from specchat.ui.widgets.controls import Separator
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.find_bar import FindBar
from specchat.ui.widgets.notice import Notice
from specchat.ui.widgets.text_column import TextColumn, column_width
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import follow_theme
from specchat.ui.widgets.window_geometry import available_area
from specchat.ui.window.enter_key import EnterKey
from specchat.ui.window.header import Header
from specchat.ui.window.status_bar import StatusBar
from specchat.ui.window.welcome_page import WelcomePage
from specchat.ui.window.window_page import PageFrame, WindowPage
from specchat.ui.window.window_state import WindowState

if TYPE_CHECKING:
    from specchat.ui.tools.call_card import CallCard

log = logging.getLogger(__name__)

_SMALLEST = QSize(640, 320)
"""A screen of 1280 by 720 at twice the size has little more."""
_USUAL = QSize(1240, 800)
_NARROWEST_TEXT = 38 * GRID
_LOWEST_TEXT = 6 * GRID
_READABLE_TEXT = 30 * GRID
"""Height of ten lines."""
_SIDEBAR, _OVERLAY = "sidebar", "overlay"


class MainWindow(QMainWindow):
    closing = Signal()
    first_painted = Signal()

    def __init__(self, settings: SettingsModel, details: Callable[[int], EntryDetails]) -> None:
        super().__init__()
        self._settings = settings
        self.may_close: Callable[[], bool] = lambda: True
        """May ask the user."""
        self.setObjectName("mainWindow")
        self.setAccessibleName("specchat")
        self.setWindowTitle("specchat")
        self.setMinimumSize(_SMALLEST)
        self.resize(_USUAL.boundedTo(available_area(self.screen()).size()))
        self.sidebar = Sidebar(self)
        self.header = Header(self)
        self.find_bar = FindBar(self)
        self.transcript = TranscriptView(details, self)
        self.welcome = WelcomePage(self)
        self.problem = ErrorCard(self)
        self._call_card = Lazy(self._make_call_card)
        self.composer = Composer(self, self.transcript.thumbnails)
        self._pages, self._middle = QStackedWidget(self), QStackedWidget(self)
        """Welcome and transcript; these and the pages that take their place."""
        self._frames: list[PageFrame] = []
        self._page_below: WindowPage | None = None
        self._chat_title = ""
        self._wants_sidebar = True
        self._status_bar = StatusBar(self)
        self.status, self.legend = self._status_bar.status, self._status_bar.legend
        self.notice = Notice(self._status_bar)
        self._foot, self._find_column = TextColumn(self, below=GRID // 2), TextColumn(self)
        self._foot_line = Separator(self)
        self._talk, dock = QWidget(self), PanelSlot(self)
        self._is_wide = True
        self._folded_for_room = False
        """The overlay, by the window and not by the user: it unfolds again where there is room."""
        self._painted = False
        self._arrange()
        for told in (self.problem, self.notice):
            told.installEventFilter(self)
        self.composer.toolbar.insert_before_meter(dock)
        self.composer.accept_drops_on(self)
        self.overlay = StatsOverlay(self._talk, self._pages, dock)
        self.overlay.rearranged.connect(self.update_overlay_layout)
        self.find_bar.text_changed.connect(self.transcript.find_text)
        self.find_bar.next_requested.connect(self.transcript.find_next)
        self.find_bar.previous_requested.connect(self.transcript.find_previous)
        self.find_bar.closed.connect(self._end_find)
        self.transcript.match_count_changed.connect(self.find_bar.show_match_count)
        self.transcript.branch_requested.connect(self.sidebar.end_search)  # first of all: it would hide the branch
        EnterKey(self)
        settings.changed.connect(self._apply_settings)
        self._apply_settings(settings.value)
        follow_theme(self._fit_columns, call_now=False)

    @property
    def page(self) -> WindowPage | None:
        """None: the chat is shown."""
        shown = self._middle.currentWidget()
        return shown.page if isinstance(shown, PageFrame) else None

    def show_page(self, page: WindowPage, *, over: bool = False) -> None:
        """`over`: who leaves it comes back to the page that is shown now."""
        self._page_below = self.page if over else None
        frame = next((each for each in self._frames if each.page is page), None) or self._add_frame(page)
        self._middle.setCurrentWidget(frame)
        self._show_chat_parts(False)
        page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def show_chat(self) -> None:
        if self.page is not None:
            self._middle.setCurrentWidget(self._pages)
            self._show_chat_parts(True)
            self.composer.focus()

    def leave_page(self) -> bool:
        """What lies on top of the page first. False: the chat is shown already."""
        page = self.page
        if page is not None and not page.go_back():
            self._close_page()
        return page is not None

    def _close_page(self) -> None:
        if self._page_below is not None:
            self.show_page(self._page_below)
        else:
            self.show_chat()

    def turn_tab(self, step: int) -> bool:
        """False: no page with tabs is shown."""
        tabs = self.page.tabs if self.page is not None else None
        if tabs is not None:
            tabs.turn(step)
        return tabs is not None

    def open_search(self) -> None:
        if self.page is not None:
            self.page.focus_search()
        else:
            self.find_bar.open_bar()

    def set_chat_title(self, title: str) -> None:
        self._chat_title = title
        self._show_window_title()

    def _add_frame(self, page: WindowPage) -> PageFrame:
        frame = PageFrame(page, self._middle)
        frame.closed.connect(self._close_page)
        self._frames.append(frame)
        self._middle.addWidget(frame)
        return frame

    @property
    def call_card(self) -> "CallCard":
        return self._call_card()

    def _make_call_card(self) -> "CallCard":
        from specchat.ui.tools.call_card import CallCard

        card = CallCard(self)
        card.set_chat_shown(self.page is None)
        before: QWidget = self.transcript
        for part in card.tab_stops:
            self.setTabOrder(before, part)
            before = part
        self._foot.rows.insertWidget(1, card)  # below the problem
        return card

    def _show_chat_parts(self, wanted: bool) -> None:
        settings = self._settings.value
        self.header.setVisible(wanted)
        self.composer.setVisible(wanted)
        if card := self._call_card.created_value:
            card.set_chat_shown(wanted)
        self.overlay.setVisible(wanted and settings.show_overlay)
        self._status_bar.show_legend(wanted and settings.colour_tokens)
        if not wanted:
            self.find_bar.close_bar()
        self._fit_foot()
        self._fit_sidebar()
        self._show_window_title()

    def _fit_foot(self) -> None:
        """Below a page it takes room only while it tells something."""
        tells = bool(self.status.text()) or not (self.notice.isHidden() and self.problem.isHidden())
        is_below_page = self.page is not None
        self._foot.setVisible(tells or not is_below_page)
        self._foot.align_with_page(is_below_page)
        self._foot_line.setVisible(tells and is_below_page)

    def _fit_sidebar(self) -> None:
        """Beside a page the sidebar goes where both would be too narrow."""
        has_room = self.page is None or self.width() >= self.sidebar.width() + self.page.wanted_width
        self._set_sidebar_visible(self._wants_sidebar and has_room)

    def _show_window_title(self) -> None:
        title = self.page.windowTitle() if self.page is not None else self._chat_title
        self.setWindowTitle(f"{title} – specchat" if title else "specchat")

    def show_status(self, words: str) -> None:
        self._status_bar.show_status(words)
        self._fit_foot()

    def show_welcome(self, wanted: bool) -> None:
        self._pages.setCurrentWidget(self.welcome if wanted else self.transcript)

    def show_sidebar(self, wanted: bool) -> None:
        """As the user wants it, until the room beside a page changes."""
        self._wants_sidebar = wanted
        self._set_sidebar_visible(wanted)

    def _set_sidebar_visible(self, visible: bool) -> None:
        self.sidebar.setVisible(visible)
        self.header.sidebar.setVisible(not visible)
        QTimer.singleShot(0, self, self.update_overlay_layout)

    def find_search_hit(self, query: str, message: int) -> None:
        """Marks what a search in all chats found: all of it where it stands together, else its longest word."""
        words = self.transcript.findable_text(query, message)
        if words:
            self.find_bar.show_text(words)
            self.transcript.find_text(words, message)

    def restore(self, state: WindowState) -> None:
        state.apply(self)
        self.show_sidebar(state.get(_SIDEBAR) is not False)
        with suppress(ValueError):  # another version wrote it
            overlay = from_plain(OverlayState, state.get(_OVERLAY))
            self._is_wide, self._folded_for_room = True, False
            self.overlay.restore_state(overlay)

    def store(self, state: WindowState) -> None:
        state.capture(self)
        state.put(_SIDEBAR, self._wants_sidebar)
        overlay = self.overlay.state()
        state.put(_OVERLAY, to_plain(replace(overlay, folded=overlay.folded and not self._folded_for_room)))
        state.save()

    def _apply_settings(self, settings: ApplicationSettings) -> None:
        self.show_colours(settings.colour_tokens)
        self.show_overlay(settings.show_overlay)

    def show_colours(self, wanted: bool) -> None:
        self.transcript.set_colouring(wanted)
        self.header.colours.setChecked(wanted)
        self._status_bar.show_legend(wanted and self.page is None)

    def show_overlay(self, wanted: bool) -> None:
        self.overlay.setVisible(wanted and self.page is None)
        self.header.overlay.setChecked(wanted)
        self.update_overlay_layout()

    def update_overlay_layout(self) -> None:
        """The overlay stands beside the text where both fit, else it is folded.

        Unfolded all the same, it narrows the text, or the text begins below it, as long as there is room for either.
        """
        if self.page is not None:
            return
        width, column = self._pages.width(), column_width()
        is_wide = width >= column + self.overlay.unfolded_width
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._fold_for_room(not is_wide)
        covered = self.overlay.covered_width
        fits = width >= column + covered
        narrows = not self.overlay.is_folded and width >= scaled_px(_NARROWEST_TEXT) + covered
        room = free_width_beside(covered, width, column) if fits or narrows else 0
        left, right = (0, room) if self.overlay.is_at_right else (room, 0)
        self.transcript.set_side_margins(left, right)
        self.welcome.setContentsMargins(left, 0, right, 0)
        for beyond in (self._foot, self._find_column):
            beyond.set_side_margins(left if fits else 0, right if fits else 0)
        is_beside = fits or narrows
        self.overlay.set_flat_width(None if is_beside or self._has_height else width - 2 * GRID)
        self._make_room_above(0 if is_beside else self.overlay.covered_height)

    def _fold_for_room(self, folded: bool) -> None:
        """Leaves it folded if the user folded it."""
        before = self._folded_for_room
        self._folded_for_room = folded and not self.overlay.is_folded
        if folded or before:
            self.overlay.set_folded(folded)

    @property
    def _has_height(self) -> bool:
        """For some text above or below all of the overlay."""
        return self._pages.height() - self.overlay.upright_size.height() >= scaled_px(_READABLE_TEXT)

    def _make_room_above(self, height: int) -> None:
        """Or below: wherever the overlay is."""
        most = self._pages.height() - _LOWEST_TEXT
        if height and most < self.overlay.height():
            self._fold_for_room(True)
            return
        height = min(height, most)
        above, below = (0, height) if self.overlay.is_at_bottom else (height, 0)
        self._pages.setContentsMargins(0, above, 0, below)

    def _fit_columns(self) -> None:
        for column in (self._foot, self._find_column):
            column.update_width()
        self.update_overlay_layout()
        if self.page is not None:
            self._fit_sidebar()

    def _end_find(self) -> None:
        self.transcript.clear_find()
        self.transcript.setFocus()

    def _arrange(self) -> None:
        self._pages.addWidget(self.welcome)
        self._pages.addWidget(self.transcript)
        below_problem = QVBoxLayout()
        below_problem.setSpacing(GRID // 2)
        below_problem.addWidget(self.composer)
        below_problem.addWidget(self._status_bar)
        foot = self._foot
        foot.rows.addWidget(self.problem)
        foot.rows.addLayout(below_problem)
        talk = QVBoxLayout(self._talk)
        talk.setContentsMargins(0, 0, 0, 0)
        talk.setSpacing(GRID)
        self._middle.addWidget(self._pages)
        self._middle.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)  # the foot comes first
        talk.addWidget(self._middle, 1)
        talk.addWidget(self._foot_line)
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is shown or hidden may need the foot that a page had no use for."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._fit_foot()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """After a dialog Qt would give the keyboard to the first part that takes it if the one before is gone."""
        if event.type() is QEvent.Type.WindowActivate and self.page is None:
            before = self.focusWidget()
            if before is None or not before.isVisible():
                self.composer.focus()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What nobody else wants: whoever types on a button or in the transcript means a message."""
        if is_text_key(event) and self.page is None:
            self.composer.forward_key(event)
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
        if self.page is not None:
            self._fit_sidebar()
        QTimer.singleShot(0, self, self.update_overlay_layout)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        self.closing.emit()
        super().closeEvent(event)

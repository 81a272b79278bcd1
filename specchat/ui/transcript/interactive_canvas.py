"""A canvas whose messages can be selected, focused and acted on by mouse and keyboard."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from specchat.ui.recordings.recording_text import recording_label
from specchat.ui.transcript.action_widgets import ActionBar, ActionKind, ScrollToEndButton
from specchat.ui.transcript.canvas import Canvas
from specchat.ui.transcript.continue_button import ContinueButton, is_cut_off
from specchat.ui.transcript.entries import EntryDetails
from specchat.ui.transcript.finder import Finder
from specchat.ui.transcript.footer import footer_width
from specchat.ui.transcript.keyboard_controller import KeyboardController
from specchat.ui.transcript.message_actions import MessageActions
from specchat.ui.transcript.message_layout import ScrollAnchor
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.transcript.mouse_controller import MouseController
from specchat.ui.transcript.row_contents import plain_text
from specchat.ui.transcript.row_painter import RowPaintState, TranscriptLabels
from specchat.ui.transcript.selection import Selection, select, whole_row_range
from specchat.ui.transcript.text_formats import ROW_HEIGHT
from specchat.ui.widgets.accessibility import set_description
from specchat.ui.widgets.theme import GRID

_LONGEST_SPOKEN = 2000
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class InteractiveCanvas(Canvas):
    edit_requested = Signal(int)
    regenerate_requested = Signal(int)
    prefill_requested = Signal(int)
    """Another answer, or the first one, that starts with the user's words."""
    continue_requested = Signal(int)
    branch_requested = Signal(int)
    delete_requested = Signal(int)
    version_requested = Signal(int, int)
    """The message, and -1 or 1."""
    link_requested = Signal(str)

    def __init__(self, details: Callable[[int], EntryDetails], parent: QWidget | None = None) -> None:
        super().__init__(details, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.selection: Selection | None = None
        self.colouring = False
        self.finder = Finder(self.message_layout)
        self._focused: int | None = None
        self._ring = False
        self.message_actions = MessageActions(self)
        self._pointer = MouseController(self)
        self._keyboard = KeyboardController(self)
        self.unavailable_actions: Mapping[ActionKind, str] = {}
        """What the loaded model can't do, and why."""
        self._bar = ActionBar(self.viewport())
        self._bar.command_triggered.connect(self.message_actions.execute)
        self._bar.menu_requested.connect(self._open_bar_menu)
        self._continue = ContinueButton(self.viewport())
        self._continue.clicked.connect(self._request_continue)
        self._down = ScrollToEndButton(self)
        self._down.clicked.connect(self.scroll_to_end)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_moved)
        self._words = TranscriptLabels(
            thinking=self.tr("Thinking…"),
            thought=self.tr("Reasoning"),
            thought_seconds=self.tr("Thought for {s} s"),
            thought_minutes=self.tr("Thought for {m} min {s} s"),
            waiting=self.tr("…"),
            empty=self.tr("The answer is empty."),
        )

    def row_paint_state(self, row: MessageRow) -> RowPaintState:
        entry, copied = row.entry.id, self.message_actions.copied
        index, hovered = self.message_layout.index_of(entry), self._pointer.hovered == entry
        has_bar = self._bar.entry is not None and self._bar.entry.id == entry
        return RowPaintState(
            self.text_formats,
            self._words,
            self.colouring,
            ring=self._ring and entry == self._focused and self.hasFocus(),
            switcher=not has_bar,
            foot_room=self._bar.occupied_width(row.entry) + self._continue.occupied_width(row.entry),
            foot_inset=self._continue.occupied_width(row.entry),
            finds=self.finder.match_ranges(entry),
            found_files=self.finder.file_matches(entry),
            selection=self.selection.in_message(index) if self.selection and index is not None else None,
            hovered_code_block=self._pointer.hovered_code_block if hovered else None,
            on_copy_button=self._pointer.on_copy_button,
            copied_code_block=copied[1] if copied and copied[0] == entry else None,
            thumbnail=self.thumbnails.image,
        )

    # Buttons over the messages

    def set_unavailable(self, reasons: Mapping[ActionKind, str]) -> None:
        self.unavailable_actions = reasons
        self._continue.set_reason(reasons.get(ActionKind.CONTINUE, ""))

    def place_controls(self) -> None:
        self._place_continue()
        self._place_bar()
        self._place_down()

    def _place_down(self) -> None:
        """Places the button beside the text, where it covers nothing."""
        viewport, button = self.viewport().geometry(), self._down.size()
        left = self.column_left + self.message_layout.width
        gap = min(GRID, max(0, (self.text_right - left - button.width()) // 2))
        self._down.move(viewport.left() + left + gap, viewport.bottom() - button.height() - GRID)
        self._down.setVisible(not self.at_end and bool(self.message_layout.entries))

    def _place_bar(self) -> None:
        wanted = self._bar.entry.id if self._bar.entry and self._bar.contains_focus else self._pointer.hovered
        if wanted is None and self.hasFocus():
            wanted = self._focused
        row = self.row_of(wanted) if wanted is not None else None
        area = self.row_area(row) if row else None
        if row is None or area is None:
            self._bar.clear()
            return
        width = row.width - self._continue.occupied_width(row.entry)
        room = width - footer_width(row, self.text_formats) - GRID
        self._bar.show_entry(row.entry, room, width, is_last=self.is_last(row.entry.id))
        foot = row.footer_rect.toRect().translated(area.topLeft())
        self._bar.move(foot.right() + 1 - self._bar.width(), foot.top())

    def _place_continue(self) -> None:
        entries = self.message_layout.entries
        last = entries[-1] if entries else None
        row = self.row_of(last.id) if last is not None and is_cut_off(last) else None
        area = self.row_area(row) if row else None
        self._continue.show_entry(row.entry if row and area else None)
        if row and area:
            foot = row.footer_rect.toRect().translated(area.topLeft())
            self._continue.move(foot.left(), foot.center().y() + 1 - self._continue.height() // 2)

    def _request_continue(self) -> None:
        if self._continue.entry is not None:
            self.continue_requested.emit(self._continue.entry.id)

    def _open_bar_menu(self, entry_id: int) -> None:
        if row := self.row_of(entry_id):
            self.message_actions.open_menu(
                row, self._bar.geometry().bottomLeft(), self.message_actions.menu_target(row, None)
            )

    def update_copied_marks(self) -> None:
        copied = self.message_actions.copied
        self._bar.show_copied(copied=copied is not None and copied[1] is None)
        self.viewport().update()

    # The focused message

    def row_of(self, entry_id: int) -> MessageRow | None:
        index = self.message_layout.index_of(entry_id)
        return None if index is None else self.message_layout.row(index)

    def is_last(self, entry_id: int) -> bool:
        return self.message_layout.entries[-1].id == entry_id

    @property
    def focused_row(self) -> MessageRow | None:
        return None if self._focused is None else self.row_of(self._focused)

    @property
    def focused_index(self) -> int | None:
        return None if self._focused is None else self.message_layout.index_of(self._focused)

    def focus_entry(self, entry_id: int | None, *, ring: bool = False) -> None:
        self._focused, self._ring = entry_id, ring
        row = self.focused_row
        set_description(self, self.describe_row(row) if row else "")
        self.place_controls()
        self.viewport().update()

    def describe_row(self, row: MessageRow) -> str:
        words = self.tr("You: {text}") if row.is_from_user else self.tr("Answer: {text}")
        if row.entry.title:
            return self.tr("Tool: {text}").format(text=row.entry.title)
        text = plain_text(row, _LONGEST_SPOKEN)
        if names := ", ".join(picture.name for picture in row.entry.pictures):
            seen = self.tr("Pictures: {names}.").format(names=names)
            text = f"{seen} {text}"
        if names := ", ".join(map(recording_label, row.entry.recordings)):
            heard = self.tr("Recordings: {names}.").format(names=names)
            text = f"{heard} {text}"
        if not text and row.is_empty:
            text = self._words.empty
        return words.format(text=text)

    def scroll_into_view(self, index: int) -> None:
        """Scrolls until the message is on the screen, a long one with its beginning."""
        room = self.viewport().height()
        row = self.message_layout.row(index)
        row.lay_out(0, room, self.text_formats)
        top, height = self.message_layout.top(index) - self.scroll_y, row.height
        if top < 0 or height > room:
            self.update_layout(ScrollAnchor(index))
        elif top + height > room:
            self.update_layout(ScrollAnchor(index, below=room - height))

    def scroll_text_into_view(self, index: int, start: int, end: int) -> None:
        """Scrolls until the source from `start` to `end` is on the screen."""
        row = self.message_layout.row(index)
        hidden = row.folded_section_at(start)
        if hidden is not None:
            self.toggle_fold(row, hidden)
        place = row.locate_text(start, end, self.text_formats)
        if place is None:
            self.scroll_into_view(index)
            return
        item, below = place
        room = self.viewport().height()
        top = self.message_layout.top(index) + row.body_top + row.body.items[item].top + below - self.scroll_y
        if not 0 <= top <= room - 2 * ROW_HEIGHT:
            self.update_layout(ScrollAnchor(index, item, room // 3 - below))

    # Selection

    def set_selection(self, selection: Selection | None) -> None:
        self.selection = selection
        self.viewport().update()

    def select_all(self) -> None:
        row, index = self.focused_row, self.focused_index
        taken = whole_row_range(row) if row else None
        if index is not None and taken:
            self.set_selection(select(index, taken))

    def clear_entry_state(self, entry_id: int) -> None:
        """Forgets focus and selection of a message that has changed or is gone."""
        index = self.message_layout.index_of(entry_id)
        selected = self.selection.messages if self.selection else range(0)
        if index in selected or selected.stop > len(self.message_layout.entries):
            self.selection = None
        if self._focused == entry_id and index is None:
            self._focused = None

    def toggle_fold(self, row: MessageRow, section: int) -> None:
        self.clear_entry_state(row.entry.id)
        self.message_layout.toggle_fold(row.entry.id, section)
        self.at_end = False
        self.update_layout()

    # Events

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Moves the focus through the buttons over the messages before it leaves this widget."""
        floating = [each for each in (self._continue, self._down) if each.isVisible() and each.isEnabled()]
        stops: list[QWidget] = [self, *self._bar.tab_stops(), *floating]
        focus = self.window().focusWidget()
        here = stops.index(focus) if focus in stops else 0
        there = here + (1 if forward else -1)
        if 0 <= there < len(stops):
            stops[there].setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            return True
        if here:
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        return super().focusNextPrevChild(forward)

    def _focus_moved(self) -> None:
        self.place_controls()
        self.viewport().update()

    def open_menu(self, position: QPoint | None = None) -> None:
        """Opens the menu at a position of the viewport, or without one for the focused message."""
        row = self.focused_row
        if position is not None and (hit := self.row_hit_at(position)):
            row = hit.row
        area = self.row_area(row) if row else None
        if row and area:
            seen = area.intersected(QRect(QPoint(), self.viewport().size()))
            self.message_actions.open_menu(
                row, position or seen.center(), self.message_actions.menu_target(row, position)
            )

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        self.open_menu(event.pos() if by_mouse else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.setAccepted(self._keyboard.handle_key_press(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in _BY_KEYBOARD
        if self._ring and self.focused_row is None and self.message_layout.entries:
            self.focus_entry(self.message_layout.entries[-1].id, ring=True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.handle_press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.handle_move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.handle_release(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not self._pointer.handle_wheel(event):
            super().wheelEvent(event)

    def scroll_code(self, by: float) -> bool:
        """Scrolls the code of the focused message sideways and says whether there is any to scroll."""
        row = self.focused_row
        blocks = [block for block in row.body.blocks if block.has_document] if row else []
        scrolled = [block.scroll_code(card, by) for block in blocks for card in range(len(block.shapes.cards))]
        self.viewport().update()
        return any(scrolled)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._pointer.handle_leave()
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._pointer.show_tooltip(event)
            return True
        return super().viewportEvent(event)

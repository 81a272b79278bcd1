"""The messages and what can be done with them by mouse and keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from specchat.ui.transcript.actions import ActionBar
from specchat.ui.transcript.announce import describe
from specchat.ui.transcript.canvas import Canvas
from specchat.ui.transcript.contents import plain
from specchat.ui.transcript.down_button import DownButton
from specchat.ui.transcript.finder import Finder
from specchat.ui.transcript.flow import Anchor
from specchat.ui.transcript.hands import Hands
from specchat.ui.transcript.ink import ROW
from specchat.ui.transcript.keyboard import Keyboard
from specchat.ui.transcript.look import Look
from specchat.ui.transcript.pointer import Pointer
from specchat.ui.transcript.row import Row
from specchat.ui.transcript.selection import Selection, whole
from specchat.ui.transcript.values import EntryDetails
from specchat.ui.transcript.words import Words
from specchat.ui.widgets.theme import GRID, Theme

_LONGEST_SPOKEN = 2000
_BY_KEYBOARD = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)


class ReadingArea(Canvas):
    editRequested = Signal(int)
    regenerateRequested = Signal(int)
    continueRequested = Signal(int)
    branchRequested = Signal(int)
    deleteRequested = Signal(int)
    versionRequested = Signal(int, int)
    """The message, and -1 or 1."""
    linkRequested = Signal(str)

    def __init__(self, theme: Theme, details: Callable[[int], EntryDetails], parent: QWidget | None = None) -> None:
        super().__init__(theme, details, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.selection: Selection | None = None
        self.colouring = False
        self.finder = Finder(self.flow)
        self._focused: int | None = None
        self._ring = False
        self.hands = Hands(self)
        self._pointer = Pointer(self)
        self._keyboard = Keyboard(self)
        self._bar = ActionBar(theme, self.viewport())
        self._bar.commanded.connect(self.hands.do)
        self._down = DownButton(theme, self)
        self._down.clicked.connect(self.scroll_to_end)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_moved)
        self._words = Words(
            thinking=self.tr("Thinking…"),
            thought=self.tr("Thoughts"),
            thought_seconds=self.tr("Thought for {s} s"),
            thought_minutes=self.tr("Thought for {m} min {s} s"),
            waiting=self.tr("…"),
        )

    def set_theme(self, theme: Theme) -> None:
        self.restyle(theme)
        self._bar.set_theme(theme)
        self._down.set_theme(theme)

    def look(self, row: Row) -> Look:
        entry, copied = row.entry.id, self.hands.copied
        has_bar = self._bar.entry is not None and self._bar.entry.id == entry
        return Look(
            self.ink,
            self._words,
            self.colouring,
            ring=self._ring and entry == self._focused and self.hasFocus(),
            switcher=not has_bar,
            foot_room=self._bar.taken_width(row.entry),
            finds=self.finder.finds(entry),
            found_files=self.finder.found_files(entry),
            selection=self.selection.range if self.selection and self.selection.entry == entry else None,
            hot=self._pointer.hot if self._pointer.hovered == entry else None,
            copied=copied[1] if copied and copied[0] == entry else None,
        )

    # Buttons over the messages

    def place_controls(self) -> None:
        self._place_bar()
        self._place_down()

    def _place_down(self) -> None:
        """Beside the text, on which it would cover something."""
        viewport, button = self.viewport().geometry(), self._down.size()
        left = self.column_left + self.flow.width
        gap = min(GRID, max(0, (self.text_right - left - button.width()) // 2))
        self._down.move(viewport.left() + left + gap, viewport.bottom() - button.height() - GRID)
        self._down.setVisible(not self.at_end and bool(self.flow.entries))

    def _place_bar(self) -> None:
        wanted = self._bar.entry.id if self._bar.entry and self._bar.focused else self._pointer.hovered
        if wanted is None and self.hasFocus():
            wanted = self._focused
        row = self.row_of(wanted) if wanted is not None else None
        area = self.row_area(row) if row else None
        if row is None or area is None:
            self._bar.clear()
            return
        self._bar.show_entry(row.entry, is_last=self.is_last(row.entry.id))
        foot = row.foot.toRect().translated(area.topLeft())
        self._bar.move(foot.right() + 1 - self._bar.width(), foot.top())

    def show_copied(self) -> None:
        copied = self.hands.copied
        self._bar.show_copied(self.theme, copied=copied is not None and copied[1] is None)
        self.viewport().update()

    # The focused message

    def row_of(self, entry_id: int) -> Row | None:
        index = self.flow.index_of(entry_id)
        return None if index is None else self.flow.row(index)

    def is_last(self, entry_id: int) -> bool:
        return self.flow.entries[-1].id == entry_id

    @property
    def focused_row(self) -> Row | None:
        return None if self._focused is None else self.row_of(self._focused)

    @property
    def focused_index(self) -> int | None:
        return None if self._focused is None else self.flow.index_of(self._focused)

    def focus_entry(self, entry_id: int | None, *, ring: bool = False) -> None:
        self._focused, self._ring = entry_id, ring
        row = self.focused_row
        describe(self, self.describe_row(row) if row else "")
        self.place_controls()
        self.viewport().update()

    def describe_row(self, row: Row) -> str:
        words = self.tr("You: {text}") if row.mine else self.tr("Answer: {text}")
        return words.format(text=plain(row, _LONGEST_SPOKEN))

    def reveal(self, index: int) -> None:
        """Scrolls until the message is seen; a long one from its beginning."""
        room = self.viewport().height()
        row = self.flow.row(index)
        row.lay_out(0, room, self.ink)
        top, height = self.flow.top(index) - self.scroll_y, row.height
        if top < 0 or height > room:
            self.settle(Anchor(index))
        elif top + height > room:
            self.settle(Anchor(index, below=room - height))

    def reveal_text(self, index: int, start: int, end: int) -> None:
        """Scrolls until what stands in the source from `start` to `end` is seen."""
        row = self.flow.row(index)
        hidden = row.hidden_section(start)
        if hidden is not None:
            self.toggle_fold(row, hidden)
        place = row.place(start, end, self.ink)
        if place is None:
            self.reveal(index)
            return
        item, below = place
        room = self.viewport().height()
        top = self.flow.top(index) + row.body_top + row.body.items[item].top + below - self.scroll_y
        if not 0 <= top <= room - 2 * ROW:
            self.settle(Anchor(index, item, room // 3 - below))

    # Selection

    def select(self, selection: Selection | None) -> None:
        self.selection = selection
        self.viewport().update()

    def select_all(self) -> None:
        row = self.focused_row
        taken = whole(row) if row else None
        if row and taken:
            self.select(Selection(row.entry.id, taken, taken))

    def forget(self, entry_id: int) -> None:
        """The message is another one now, or gone."""
        if self.selection and self.selection.entry == entry_id:
            self.selection = None
        if self._focused == entry_id and self.flow.index_of(entry_id) is None:
            self._focused = None

    def toggle_fold(self, row: Row, section: int) -> None:
        self.forget(row.entry.id)
        self.flow.fold(row.entry.id, section)
        self.at_end = False
        self.settle()

    # Events

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Through the buttons over the messages, wherever the window has put this widget in its order."""
        stops: list[QWidget] = [self, *self._bar.stops(), *([self._down] if self._down.isVisible() else [])]
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
        """At `position` of the viewport, or by keyboard."""
        row = self.focused_row
        if position is not None and (hit := self.hit(position)):
            row = hit.row
        area = self.row_area(row) if row else None
        if row and area:
            seen = area.intersected(QRect(QPoint(), self.viewport().size()))
            self.hands.open_menu(row, position or seen.center(), self.hands.target(row, position))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        self.open_menu(event.pos() if by_mouse else None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.setAccepted(self._keyboard.press(event))

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._ring = event.reason() in _BY_KEYBOARD
        if self._ring and self.focused_row is None and self.flow.entries:
            self.focus_entry(self.flow.entries[-1].id, ring=True)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.press(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.release(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave:
            self._pointer.leave()
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._pointer.show_tip(event)
            return True
        return super().viewportEvent(event)

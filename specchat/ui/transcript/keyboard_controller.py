"""Keyboard navigation between messages, and shortcuts for the focused one."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from specchat.ui.transcript.text_formats import ROW_HEIGHT
from specchat.ui.widgets.theme import GRID

if TYPE_CHECKING:
    from specchat.ui.transcript.interactive_canvas import InteractiveCanvas

_STEP = 3 * ROW_HEIGHT
_SIDEWAYS = 8 * GRID
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class KeyboardController:
    def __init__(self, view: "InteractiveCanvas") -> None:
        self._view = view

    def handle_key_press(self, event: QKeyEvent) -> bool:
        """Handles a key and says whether it means something here."""
        view, key = self._view, event.key()
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            view.message_actions.copy_selection()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            view.select_all()
        elif key == Qt.Key.Key_Menu or (key == Qt.Key.Key_F10 and shift):
            view.open_menu()
        elif key == Qt.Key.Key_Up:
            self._up()
        elif key == Qt.Key.Key_Down:
            self._down()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            return view.scroll_code(_SIDEWAYS if key == Qt.Key.Key_Right else -_SIDEWAYS)
        elif key in _ENTER:
            self._open_contents()
        elif key == Qt.Key.Key_Escape and view.selection:
            view.set_selection(None)
        else:
            return self._page(key)
        return True

    def _open_contents(self) -> None:
        row, actions = self._view.focused_row, self._view.message_actions
        if row and row.pictures:
            actions.open_picture(row, 0)
        elif row and row.entry.recordings:
            actions.open_recording(row, 0)
        elif row:
            actions.toggle_reasoning(row)

    def _page(self, key: int) -> bool:
        view = self._view
        height = view.viewport().height() - ROW_HEIGHT
        if key == Qt.Key.Key_PageUp:
            view.scroll_by(-height)
        elif key == Qt.Key.Key_PageDown:
            view.scroll_by(height)
        elif key == Qt.Key.Key_Home:
            self._go(0)
        elif key == Qt.Key.Key_End:
            self._go(len(view.message_layout.entries) - 1)
            view.scroll_to_end()
        else:
            return False
        return True

    def _focused(self) -> tuple[int | None, QRect | None]:
        row = self._view.focused_row
        return self._view.focused_index, self._view.row_area(row) if row else None

    def _up(self) -> None:
        index, area = self._focused()
        if area and area.top() < 0:
            self._view.scroll_by(-min(_STEP, -area.top()))
        elif index is None:
            self._go(self._view.first_visible_index)
        else:
            self._go(index - 1)

    def _down(self) -> None:
        index, area = self._focused()
        below = area.bottom() + 1 - self._view.viewport().height() if area else 0
        if below > 0:
            self._view.scroll_by(min(_STEP, below))
        elif index is None:
            self._go(self._view.first_visible_index)
        else:
            self._go(index + 1)

    def _go(self, index: int) -> None:
        view = self._view
        if not 0 <= index < len(view.message_layout.entries):
            return
        view.focus_entry(view.message_layout.entries[index].id, ring=True)
        view.scroll_into_view(index)

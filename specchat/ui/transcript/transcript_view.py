"""The transcript view: thousands of messages, one of which may be growing."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.types import Role
from specchat.ui.transcript.entries import Entry, EntryDetails
from specchat.ui.transcript.finder import MatchCount
from specchat.ui.transcript.interactive_canvas import InteractiveCanvas
from specchat.ui.transcript.message_layout import ScrollAnchor
from specchat.ui.widgets.accessibility import announce


class TranscriptView(InteractiveCanvas):
    """The view asks `details` only about answers on the screen."""

    match_count_changed = Signal(MatchCount)
    """Tells how many matches have been found so far."""

    def __init__(self, details: Callable[[int], EntryDetails], parent: QWidget | None = None) -> None:
        super().__init__(details, parent)
        self.setObjectName("transcript")
        self.setAccessibleName(self.tr("Chat"))
        self._slices = QTimer(self)
        self._slices.setSingleShot(True)
        self._slices.timeout.connect(self._search_on)

    def show_entries(self, entries: Iterable[Entry]) -> None:
        self.message_layout.set_entries(entries)
        self.selection = None
        self.focus_entry(None)
        self.finder.restart()
        self.scroll_to_end()
        self.search_changes()

    def append(self, entry: Entry) -> None:
        """Appends a message; the user's own one is scrolled to."""
        self.message_layout.append(entry)
        self.at_end |= entry.role is Role.USER
        self._changed()

    def replace(self, entry: Entry) -> None:
        self.message_layout.replace(entry)
        self.clear_entry_state(entry.id)
        self.finder.invalidate(entry.id)
        self._changed()

    def truncate_after(self, entry_id: int) -> None:
        for gone in self.message_layout.truncate_after(entry_id):
            self.clear_entry_state(gone)
        self._changed()

    def finish(self, entry: Entry) -> None:
        self.message_layout.finish(entry)
        self.finder.invalidate(entry.id)
        self._changed()
        if row := self.row_of(entry.id):
            announce(self, self.describe_row(row))

    def _changed(self) -> None:
        self.finder.sync_entries()
        self.is_behind = False
        self.update_layout()
        self.search_changes()

    def set_colouring(self, on: bool) -> None:
        if on != self.colouring:
            self.colouring = on
            self.viewport().update()

    def scroll_to(self, entry_id: int) -> None:
        index = self.message_layout.index_of(entry_id)
        if index is not None:
            self.update_layout(ScrollAnchor(index))

    def findable_text(self, query: str, entry_id: int) -> str:
        """Returns what of a search in all chats the message contains as it is written, or nothing."""
        candidates = [query, *sorted(query.split(), key=len, reverse=True)]
        return next((words for words in candidates if self.finder.contains(words, entry_id)), "")

    def find_text(self, text: str, entry_id: int | None = None) -> None:
        """Searches and shows the first match from a message on, or from the screen on."""
        index = None if entry_id is None else self.message_layout.index_of(entry_id)
        self.finder.search(text, self.first_visible_index if index is None else index)
        self.viewport().update()
        self._search_on()

    def find_next(self) -> None:
        self._step(1)

    def find_previous(self) -> None:
        self._step(-1)

    def clear_find(self) -> None:
        self._slices.stop()
        self.finder.clear()
        self.viewport().update()

    def _step(self, by: int) -> None:
        self.finder.step(by)
        self._search_on()

    def on_text_changed(self, entry_id: int) -> None:
        self.finder.invalidate(entry_id)

    def search_changes(self) -> None:
        if self.finder.is_active:
            self._search_on()

    def _search_on(self) -> None:
        if self.finder.search_next_slice():
            self._show_match()
        tally = self.finder.match_count
        if tally.complete:
            self.viewport().update()
        else:
            self._slices.start()
        self.match_count_changed.emit(tally)

    def _show_match(self) -> None:
        match = self.finder.current_match
        if match and match.span:
            self.scroll_text_into_view(match.index, *match.span)
        elif match:
            self.scroll_into_view(match.index)
        self.viewport().update()

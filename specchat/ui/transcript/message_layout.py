"""Lays out the messages one below the other and caches the rows near the screen.

Heights are guessed until a message comes near the screen. What is on the screen stays where it is when a guess is
corrected.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from specchat.domain.conversations import Mark, MessageState
from specchat.domain.types import Role
from specchat.ui.transcript.entries import Entry
from specchat.ui.transcript.message_row import (
    BOTTOM_MARGIN,
    BUBBLE_BOTTOM,
    BUBBLE_TOP,
    FOLD_HEIGHT,
    FOOTER_HEIGHT,
    TOP_MARGIN,
    MessageRow,
)
from specchat.ui.transcript.picture_layout import THUMBNAIL_HEIGHT
from specchat.ui.transcript.row_heights import RowHeights
from specchat.ui.transcript.text_formats import ROW_HEIGHT, TextFormats
from specchat.ui.widgets.lru_cache import LruCache

ROW_CACHE_SIZE = 24
_CHARACTERS = 65
_ROUNDS = 100


@dataclass(frozen=True, slots=True)
class ScrollAnchor:
    """An item of a row, or a row, that stays where it is on the screen."""

    index: int
    item: int | None = None
    below: int = 0
    """How far its top is below the top of the screen."""
    share: float = 0.0
    """How much of the row is above the top of the screen."""


class MessageLayout:
    """The layout ignores what comes for a message that is not shown any more."""

    def __init__(self, formats: TextFormats) -> None:
        self.text_formats = formats
        self.width = 0
        self.entries: list[Entry] = []
        self._index: dict[int, int] = {}
        self._heights = RowHeights()
        self._rows: LruCache[int, MessageRow] = LruCache(ROW_CACHE_SIZE, MessageRow.release)
        self._unfolded: dict[int, set[int]] = {}

    def set_entries(self, entries: Iterable[Entry]) -> None:
        self.entries = list(entries)
        self._index = {entry.id: index for index, entry in enumerate(self.entries)}
        self._heights = RowHeights(map(estimated_height, self.entries))
        self._rows.clear()
        self._unfolded.clear()

    def append(self, entry: Entry) -> None:
        self._index[entry.id] = len(self.entries)
        self.entries.append(entry)
        self._heights.append(estimated_height(entry))

    def replace(self, entry: Entry) -> None:
        index = self._index.get(entry.id)
        if index is None:
            return
        self.entries[index] = entry
        self._rows.pop(entry.id)
        self._heights.set(index, estimated_height(entry))

    def finish(self, entry: Entry) -> None:
        index = self._index.get(entry.id)
        if index is None:
            return
        self.entries[index] = entry
        if row := self._rows.peek(entry.id):
            row.finish(entry)

    def update_text(self, entry_id: int, text: str, marks: Sequence[Mark]) -> None:
        index = self._index.get(entry_id)
        if index is not None:
            self.row(index).update_text(text, marks)

    def truncate_after(self, entry_id: int) -> list[int]:
        """Removes what follows a message and returns the messages that are gone."""
        keep = self._index.get(entry_id, len(self.entries)) + 1
        gone = [entry.id for entry in self.entries[keep:]]
        del self.entries[keep:]
        self._heights.truncate(keep)
        for other in gone:
            del self._index[other]
            self._rows.pop(other)
            self._unfolded.pop(other, None)
        return gone

    def index_of(self, entry_id: int) -> int | None:
        return self._index.get(entry_id)

    @property
    def height(self) -> int:
        return self._heights.total

    def top(self, index: int) -> int:
        return self._heights.top(index)

    def index_at(self, y: int) -> int:
        return self._heights.index_at(y)

    def row(self, index: int) -> MessageRow:
        """Returns a row that is read but not laid out yet."""
        entry = self.entries[index]
        row = self._rows.get(entry.id)
        if row is None:
            row = MessageRow(entry, self._unfolded.get(entry.id, set()))
            self._rows.put(entry.id, row)
        row.prepare_layout(self.width, self.text_formats)
        self._heights.set(index, row.height)
        return row

    def row_to_read(self, index: int) -> MessageRow:
        """Returns a row to read its text; one that is far from the screen is not kept."""
        entry = self.entries[index]
        row = self._rows.peek(entry.id) or MessageRow(entry, self._unfolded.get(entry.id, set()))
        row.prepare_layout(self.width, self.text_formats)
        return row

    def toggle_fold(self, entry_id: int, section: int) -> None:
        row = self.row(self._index[entry_id])
        row.toggle_fold(section)
        self._unfolded[entry_id] = row.unfolded

    def cached_row(self, entry_id: int) -> MessageRow | None:
        return self._rows.peek(entry_id)

    def visible_rows(self, scroll: int, height: int) -> Iterator[tuple[MessageRow, int]]:
        """Yields the rows on the screen and where each begins in the conversation."""
        if not self.entries:
            return
        index = self.index_at(scroll)
        top = self.top(index)
        while index < len(self.entries) and top < scroll + height:
            row = self.row(index)
            yield row, top
            top += row.height
            index += 1

    def lay_out_visible(self, scroll: int, height: int, *, at_end: bool, anchor: ScrollAnchor | None = None) -> int:
        """Lays out what is on the screen and returns the scroll position that keeps `anchor`, or what was seen."""
        if not at_end:
            if anchor is None and scroll > 0:  # the very top stays the top
                anchor = self._anchor(scroll, height)
            scroll = self._position(anchor, height) if anchor else scroll
        for _ in range(_ROUNDS):
            if at_end:
                scroll = self._clamped(self.height, height)
            changed = self._lay_out(scroll, height)
            moved = scroll
            if anchor and not at_end:
                scroll = self._position(anchor, height)
            elif at_end:
                scroll = self._clamped(self.height, height)
            if not changed and scroll == moved:
                break
        self._trim(scroll, height)
        return scroll

    def _clamped(self, scroll: int, height: int) -> int:
        return max(0, min(scroll, self.height - height))

    def _lay_out(self, scroll: int, height: int) -> bool:
        changed = False
        for row, top in self.visible_rows(scroll, height):
            changed |= row.lay_out(scroll - top, scroll - top + height, self.text_formats)
            self._heights.set(self._index[row.entry.id], row.height)
        return changed

    def _anchor(self, scroll: int, height: int) -> ScrollAnchor | None:
        """Returns the first item on the screen that is laid out, or a share of the first row."""
        if not self.entries:
            return None
        first = index = self.index_at(scroll)
        top = self.top(index)
        while index < len(self.entries) and top < scroll + height:
            row = self._rows.peek(self.entries[index].id)
            if row and row.width == self.width:
                first_shown = scroll - top - row.body_top
                for number, placed in row.body.items_between(first_shown, first_shown + height):
                    place = top + row.body_top + placed.top
                    if placed.item.exact and scroll - placed.item.height < place < scroll + height:
                        return ScrollAnchor(index, number, place - scroll)
            top += self._heights[index]
            index += 1
        return ScrollAnchor(first, share=(scroll - self.top(first)) / max(1, self._heights[first]))

    def _position(self, anchor: ScrollAnchor, height: int) -> int:
        row = self.row(anchor.index)
        scroll = self.top(anchor.index) - anchor.below + round(anchor.share * row.height)
        if anchor.item is not None and anchor.item < len(row.body.items):
            scroll += row.body_top + row.body.items[anchor.item].top
        return self._clamped(scroll, height)

    def _trim(self, scroll: int, height: int) -> None:
        shown = {row.entry.id for row, _ in self.visible_rows(scroll, height)}
        shown.update(entry.id for entry in self.entries[-2:] if entry.state is MessageState.STREAMING)
        self._rows.trim(shown)

    def restyle(self, formats: TextFormats) -> None:
        self.text_formats = formats
        for row in self._rows.values():
            row.release()


def estimated_height(entry: Entry) -> int:
    lines = 1 + len(entry.text) // _CHARACTERS + entry.text.count("\n")
    if entry.role is Role.TOOL:
        return TOP_MARGIN + FOLD_HEIGHT + FOOTER_HEIGHT + BOTTOM_MARGIN
    ends = BUBBLE_TOP + BUBBLE_BOTTOM if entry.role is not Role.ASSISTANT else 0
    ends += THUMBNAIL_HEIGHT if entry.pictures else 0
    return TOP_MARGIN + ROW_HEIGHT * lines + ends + FOOTER_HEIGHT + BOTTOM_MARGIN

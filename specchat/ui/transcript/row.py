"""A message that was opened: its text, its layout, and what is where in it."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from specchat.domain.conversations import Mark, MessageState
from specchat.domain.types import Role
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.body import Body, Fold, Placed
from specchat.ui.transcript.chips import Chip, chips
from specchat.ui.transcript.colouring import Marks
from specchat.ui.transcript.ink import ROW, Ink
from specchat.ui.transcript.lines import clean
from specchat.ui.transcript.values import Entry, EntryDetails
from specchat.ui.widgets.theme import GRID

TOP = GRID
FOOT = 4 * GRID
"""The footer and the actions."""
BOTTOM = GRID
BUBBLE_SIDE = 2 * GRID
BUBBLE_TOP = GRID
BUBBLE_BOTTOM = GRID * 3 // 2
"""Lines have their space above them."""
_BUBBLE_SHARE = 0.8
_REASONING_INDENT = 2 * GRID
_NEAR = 60
"""Items beyond the screen that keep their documents."""
_SHORT = 4000
"""A longer message of the user takes the whole width of a bubble."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a row: an item, and where the point is within it."""

    index: int
    placed: Placed
    point: QPointF


class Row:
    def __init__(self, entry: Entry, unfolded: set[int]) -> None:
        self.entry = entry
        self.text = clean(entry.text)
        self.unfolded = unfolded
        self.details: EntryDetails | None = None
        self.marks = Marks()
        self.body = Body(entry.role)
        self.width = 0
        self.bubble = 0
        """Width of the user's bubble, 0 while unknown."""
        self.chips: list[Chip] = []
        self._live: set[int] = set()
        self._stale = True

    @property
    def mine(self) -> bool:
        return self.entry.role is not Role.ASSISTANT

    def grow(self, text: str, marks: Sequence[Mark]) -> None:
        """`text` and `marks`: all there is so far."""
        self.text += clean(text[len(self.text) :])
        self.marks = Marks(marks)
        self._stale = True

    def finish(self, entry: Entry) -> None:
        text = clean(entry.text)
        if not text.startswith(self.text):
            self.body = Body(entry.role)
        self.entry, self.text, self._stale = entry, text, True
        self.details = None
        self._read()
        if self.body.had_references:
            self.body = Body(entry.role)  # a link may have been used before it was defined, or while it seemed to be
            self._stale = True

    def fold(self, number: int) -> None:
        self.unfolded ^= {number}
        self._stale = True

    def show_details(self, details: EntryDetails) -> None:
        self.details = details
        if self.entry.state is not MessageState.STREAMING:
            self.marks = Marks(details.marks)
            for block in self.body.blocks:
                block.restyle()

    def arrange(self, width: int, ink: Ink) -> None:
        """Brings what is known up to date; nothing is laid out yet."""
        self._read()
        if width != self.width:
            self.width = width
            self.bubble = 0
            self.chips = chips([file.name for file in self.entry.attachments], width, ink)
            for block in self.body.blocks:
                block.exact = False

    def _read(self) -> None:
        if self._stale:
            self.body.read(self.text, self.entry.state, self.unfolded)
            self._stale = False

    @property
    def body_top(self) -> int:
        top = TOP
        if self.chips:
            top = round(self.chips[-1].area.bottom()) + TOP + GRID
        return top + (BUBBLE_TOP if self.mine and self.text else 0)

    @property
    def body_height(self) -> int:
        return self.body.height or (0 if self.mine else ROW)

    @property
    def height(self) -> int:
        end = BUBBLE_BOTTOM if self.mine and self.text else 0
        return self.body_top + self.body_height + end + FOOT + BOTTOM

    @property
    def foot(self) -> QRectF:
        return QRectF(0, self.height - BOTTOM - FOOT, self.width, FOOT)

    def bubble_area(self) -> QRectF:
        width = (self.bubble or self._text_width) + 2 * BUBBLE_SIDE
        height = BUBBLE_TOP + self.body_height + BUBBLE_BOTTOM
        return QRectF(self.width - width, self.body_top - BUBBLE_TOP, width, height)

    @property
    def _text_width(self) -> int:
        return int(self.width * _BUBBLE_SHARE) - 2 * BUBBLE_SIDE if self.mine else self.width

    def left(self, placed: Placed) -> int:
        if self.mine:
            return self.width - BUBBLE_SIDE - (self.bubble or self._text_width)
        return _REASONING_INDENT if placed.muted and isinstance(placed.item, Block) else 0

    def lay_out(self, top: int, bottom: int, ink: Ink) -> bool:
        """What is to be seen between `top` and `bottom`; says whether a height has changed."""
        shift = 0
        first = last = self.body.index_at(top - self.body_top)
        for last in range(first, len(self.body.items)):
            placed = self.body.items[last]
            if placed.top + shift + self.body_top > bottom:
                break
            if isinstance(placed.item, Block) and not (placed.item.exact and placed.item.live):
                shift -= placed.item.height
                self._lay_out_block(placed, ink)
                shift += placed.item.height
                self._live.add(last)
        if shift:
            self.body.place()
        self._release_far(first, last)
        return shift != 0

    def _release_far(self, first: int, last: int) -> None:
        for index in [index for index in self._live if not first - _NEAR <= index <= last + _NEAR]:
            self._live.remove(index)
            if index < len(self.body.items):
                item = self.body.items[index].item
                if isinstance(item, Block):
                    item.release()

    def _lay_out_block(self, placed: Placed, ink: Ink) -> None:
        assert isinstance(placed.item, Block)
        width = self._text_width - (_REASONING_INDENT if placed.muted else 0)
        placed.item.lay_out(self.text, placed.references, width, ink)
        if self.mine and len(self.text) < _SHORT:
            self.bubble = max(self.bubble, placed.item.shrink())

    def release(self) -> None:
        for block in self.body.blocks:
            block.release()

    def spot(self, point: QPointF) -> Spot | None:
        """The item at a point, or the nearest one."""
        if not self.body.items:
            return None
        index = self.body.index_at(int(point.y()) - self.body_top)
        placed = self.body.items[index]
        return Spot(index, placed, point - self.origin(placed))

    def origin(self, placed: Placed) -> QPointF:
        return QPointF(self.left(placed), self.body_top + placed.top)

    def fold_at(self, point: QPointF) -> Fold | None:
        spot = self.spot(point)
        if spot and isinstance(spot.placed.item, Fold) and 0 <= spot.point.y() < spot.placed.item.height:
            return spot.placed.item
        return None

    def hidden_section(self, source: int) -> int | None:
        """The folded reasoning that a place in the source is in."""
        for number, outline in enumerate(self.body.outlines):
            if outline.reasoning and outline.start <= source < outline.end and number not in self.unfolded:
                return number
        return None

    def place(self, start: int, end: int, ink: Ink) -> tuple[int, int] | None:
        """The item that shows the source from `start` to `end`, and how far below its top."""
        for index, placed in enumerate(self.body.items):
            block = placed.item
            if isinstance(block, Block) and block.start < end and start < block.end:
                self._lay_out_block(placed, ink)
                self.body.place()
                return index, block.below(start, end)
        return None

"""A message near the screen: its text, its blocks and folds from top to bottom, and hit testing."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from specchat.domain.conversations import Mark, MessageState
from specchat.domain.types import Role
from specchat.services.answers.reasoning import Section, find_sections
from specchat.ui.documents.document_text import document_icon
from specchat.ui.recordings.recording_text import RECORDING_ICON, recording_label
from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.block_splitter import BlockSplitter
from specchat.ui.transcript.chips import Chip, arrange_chips
from specchat.ui.transcript.entries import Entry, EntryDetails
from specchat.ui.transcript.markdown import BLOCK_GAP
from specchat.ui.transcript.markdown_parser import References
from specchat.ui.transcript.picture_layout import PlacedPicture, arrange_pictures
from specchat.ui.transcript.rendered_lines import clean_text
from specchat.ui.transcript.text_formats import ROW_HEIGHT, TextFormats
from specchat.ui.transcript.token_marks import TokenMarks
from specchat.ui.widgets.theme import GRID

TOP_MARGIN = GRID
FOOTER_HEIGHT = 4 * GRID
"""The height of the footer with the actions."""
BOTTOM_MARGIN = GRID
BUBBLE_SIDE = 2 * GRID
BUBBLE_TOP = GRID
BUBBLE_BOTTOM = GRID * 3 // 2
"""Lines have their space above them."""
_BUBBLE_SHARE = 0.8
_REASONING_INDENT = 2 * GRID
_NEAR = 60
"""The number of items beyond the screen that keep their documents."""
_SHORT = 4000
"""A longer message of the user takes the whole width of a bubble."""
FOLD_HEIGHT = 4 * GRID
_HEADING_GAP = 3 * GRID


@dataclass(slots=True)
class Fold:
    """The line that stands for a section of reasoning."""

    number: int
    open: bool
    is_streaming: bool
    height: int = FOLD_HEIGHT
    exact: bool = True


@dataclass(frozen=True, slots=True)
class PlacedItem:
    item: Fold | Block
    top: int
    references: References
    muted: bool = False

    @property
    def bottom(self) -> int:
        return self.top + self.item.height


class MessageRow:
    def __init__(self, entry: Entry, unfolded: set[int]) -> None:
        self.entry = entry
        self.text = clean_text(entry.text)
        self.unfolded = unfolded
        self.details: EntryDetails | None = None
        self.marks = TokenMarks()
        self.body = MessageBody(entry.role)
        self.width = 0
        self.bubble = 0
        """Width of the user's bubble, 0 while unknown."""
        self.pictures: list[PlacedPicture] = []
        """Below the top margin, as the chips are below them."""
        self.chips: list[Chip] = []
        """Those of the documents, then those of the recordings."""
        self._live: set[int] = set()
        self._stale = True

    @property
    def is_from_user(self) -> bool:
        return self.entry.role not in (Role.ASSISTANT, Role.TOOL)

    @property
    def is_empty(self) -> bool:
        """An answer that has ended without a text."""
        has_ended = self.entry.state is not MessageState.STREAMING
        return has_ended and not self.is_from_user and not self.body.items

    def update_text(self, text: str, marks: Sequence[Mark]) -> None:
        """Takes all text and marks so far."""
        self.text += clean_text(text[len(self.text) :])
        self.marks = TokenMarks(marks)
        self._stale = True

    def finish(self, entry: Entry) -> None:
        text = clean_text(entry.text)
        if not text.startswith(self.text):
            self.body = MessageBody(entry.role)
        self.entry, self.text, self._stale = entry, text, True
        self.details = None
        self._read()
        if self.body.had_references:  # a link may have been used before it was defined, or while it seemed to be
            before = {block.start: block for block in self.body.blocks}
            self.body, self._stale = MessageBody(entry.role), True
            self._read()
            for block in self.body.blocks:
                block.keep_scroll(before.get(block.start))

    def toggle_fold(self, number: int) -> None:
        self.unfolded ^= {number}
        self._stale = True

    def set_details(self, details: EntryDetails) -> None:
        self.details = details
        if self.entry.state is not MessageState.STREAMING:
            self.marks = TokenMarks(details.marks)
            for block in self.body.blocks:
                block.restyle()

    def prepare_layout(self, width: int, formats: TextFormats) -> None:
        """Reads the text again if need be; nothing is laid out yet."""
        self._read()
        if width != self.width:
            self.width = width
            self.bubble = 0
            self.pictures = arrange_pictures(self.entry.pictures, width)
            named = [(file.name, document_icon(file.name)) for file in self.entry.attachments]
            named += [(recording_label(each), RECORDING_ICON) for each in self.entry.recordings]
            self.chips = arrange_chips(named, width, formats)
            for block in self.body.blocks:
                block.exact = False

    def _read(self) -> None:
        if self._stale:
            self.body.update_text(self.text, self.entry.state, self.unfolded)
            self._stale = False

    @property
    def chips_top(self) -> int:
        if not self.pictures:
            return TOP_MARGIN
        return TOP_MARGIN + round(self.pictures[-1].area.bottom()) + GRID

    @property
    def body_top(self) -> int:
        top = self.chips_top
        if self.chips:
            top += round(self.chips[-1].area.bottom()) + GRID
        return top + (BUBBLE_TOP if self.is_from_user and self.text else 0)

    @property
    def body_height(self) -> int:
        return self.body.height or (0 if self.is_from_user else ROW_HEIGHT)

    @property
    def height(self) -> int:
        end = BUBBLE_BOTTOM if self.is_from_user and self.text else 0
        return self.body_top + self.body_height + end + FOOTER_HEIGHT + BOTTOM_MARGIN

    @property
    def footer_rect(self) -> QRectF:
        return QRectF(0, self.height - BOTTOM_MARGIN - FOOTER_HEIGHT, self.width, FOOTER_HEIGHT)

    def bubble_rect(self) -> QRectF:
        width = (self.bubble or self._text_width) + 2 * BUBBLE_SIDE
        height = BUBBLE_TOP + self.body_height + BUBBLE_BOTTOM
        return QRectF(self.width - width, self.body_top - BUBBLE_TOP, width, height)

    @property
    def _text_width(self) -> int:
        return int(self.width * _BUBBLE_SHARE) - 2 * BUBBLE_SIDE if self.is_from_user else self.width

    def item_left(self, placed: PlacedItem) -> int:
        if self.is_from_user:
            return self.width - BUBBLE_SIDE - (self.bubble or self._text_width)
        return _REASONING_INDENT if placed.muted and isinstance(placed.item, Block) else 0

    def lay_out(self, top: int, bottom: int, formats: TextFormats) -> bool:
        """Lays out what is between `top` and `bottom` and says whether a height has changed."""
        shift = 0
        first = last = self.body.index_at(top - self.body_top)
        for last in range(first, len(self.body.items)):
            placed = self.body.items[last]
            if placed.top + shift + self.body_top > bottom:
                break
            if isinstance(placed.item, Block) and not (placed.item.exact and placed.item.has_document):
                shift -= placed.item.height
                self._lay_out_block(placed, formats)
                shift += placed.item.height
                self._live.add(last)
        if shift:
            self.body.place_items()
        self._release_far(first, last)
        return shift != 0

    def _release_far(self, first: int, last: int) -> None:
        for index in [index for index in self._live if not first - _NEAR <= index <= last + _NEAR]:
            self._live.remove(index)
            if index < len(self.body.items):
                item = self.body.items[index].item
                if isinstance(item, Block):
                    item.release()

    def _lay_out_block(self, placed: PlacedItem, formats: TextFormats) -> None:
        assert isinstance(placed.item, Block)
        width = self._text_width - (_REASONING_INDENT if placed.muted else 0)
        placed.item.lay_out(self.text, placed.references, width, formats)
        if self.is_from_user and len(self.text) < _SHORT:
            self.bubble = max(self.bubble, placed.item.shrink_to_text())

    def release(self) -> None:
        for block in self.body.blocks:
            block.release()

    def item_origin(self, placed: PlacedItem) -> QPointF:
        return QPointF(self.item_left(placed), self.body_top + placed.top)

    def folded_section_at(self, source: int) -> int | None:
        """Returns the number of the folded section that holds a place in the source."""
        for number, splitter in enumerate(self.body.splitters):
            if splitter.reasoning and splitter.start <= source < splitter.end and number not in self.unfolded:
                return number
        return None

    def locate_text(self, start: int, end: int, formats: TextFormats) -> tuple[int, int] | None:
        """Returns the item that shows the source from `start` to `end`, and how far below its top."""
        for index, placed in enumerate(self.body.items):
            block = placed.item
            if isinstance(block, Block) and block.start < end and start < block.end:
                self._lay_out_block(placed, formats)
                self.body.place_items()
                return index, block.reveal_text(start, end)
        return None


class MessageBody:
    def __init__(self, role: Role) -> None:
        self._plain = role not in (Role.ASSISTANT, Role.TOOL)
        self._folds = role is Role.TOOL
        self.splitters: list[BlockSplitter] = []
        """The splitters of the sections: thoughts, and what is said."""
        self._items: list[tuple[Fold | Block, BlockSplitter]] = []
        self.items: list[PlacedItem] = []
        self._tops: list[int] = []
        self.height = 0

    def update_text(self, text: str, state: MessageState, unfolded: set[int]) -> None:
        growing = state is MessageState.STREAMING
        found = self._sections(text, growing=growing)
        self.splitters = [self._splitter(number, section, text) for number, section in enumerate(found)]
        self._items = [
            (item, splitter)
            for number, (section, splitter) in enumerate(zip(found, self.splitters, strict=True))
            for item in _shown(splitter, number, growing and not section.closed, number in unfolded)
        ]
        self.place_items()

    def _sections(self, text: str, *, growing: bool) -> list[Section]:
        if self._plain:
            return [Section(False, 0, len(text))] if text else []
        if self._folds:
            return [Section(True, 0, len(text))]
        return find_sections(text, growing=growing)

    def _splitter(self, number: int, section: Section, text: str) -> BlockSplitter:
        splitter = self.splitters[number] if number < len(self.splitters) else None
        if splitter is None or (splitter.reasoning, splitter.start) != (section.reasoning, section.start):
            splitter = BlockSplitter(section.start, reasoning=section.reasoning, plain=self._plain)
        splitter.update_text(text, section.end)
        return splitter

    def place_items(self) -> None:
        """Places the items again after heights have changed."""
        self.items = []
        before: Fold | Block | None = None
        top = 0
        for item, splitter in self._items:
            top += _gap(before, item)
            self.items.append(PlacedItem(item, top, splitter.references, splitter.reasoning))
            top += item.height
            before = item
        self._tops = [placed.top for placed in self.items]
        self.height = top

    def index_at(self, y: int) -> int:
        """Returns the item at a height, or the one above it."""
        return max(0, bisect_right(self._tops, y) - 1)

    def items_between(self, top: float, bottom: float) -> Iterator[tuple[int, PlacedItem]]:
        """Yields the items between two heights."""
        for index in range(self.index_at(int(top)), len(self.items)):
            if self.items[index].top > bottom:
                break
            yield index, self.items[index]

    @property
    def blocks(self) -> Iterator[Block]:
        return (placed.item for placed in self.items if isinstance(placed.item, Block))

    @property
    def had_references(self) -> bool:
        return any(splitter.had_references for splitter in self.splitters)


def _shown(splitter: BlockSplitter, number: int, going_on: bool, unfolded: bool) -> list[Fold | Block]:
    if not splitter.reasoning:
        return list(splitter.blocks)
    fold = Fold(number, unfolded, going_on)
    return [fold, *splitter.blocks] if unfolded else [fold]


def _gap(before: Fold | Block | None, item: Fold | Block) -> int:
    if before is None:
        return 0
    if isinstance(before, Fold) or isinstance(item, Fold):
        return GRID
    above, below = before.kind, item.kind
    if below is BlockKind.HEADING:
        return _HEADING_GAP
    if above is below is BlockKind.PLAIN:
        return 0
    if below is BlockKind.NOTE:
        return GRID // 2 if above is below else 2 * GRID
    close = above is BlockKind.HEADING or above is below is BlockKind.ITEM
    return GRID if close else BLOCK_GAP

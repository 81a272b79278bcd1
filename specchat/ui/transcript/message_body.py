"""The body of a message from top to bottom: text blocks and folds of reasoning."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.services.answers.reasoning import Section, find_sections
from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.line_builder import BLOCK_GAP
from specchat.ui.transcript.markdown import References
from specchat.ui.transcript.outline import Outline
from specchat.ui.widgets.theme import GRID

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


class MessageBody:
    def __init__(self, role: Role) -> None:
        self._plain = role is not Role.ASSISTANT
        self.outlines: list[Outline] = []
        """Of the sections: thoughts, and what is said."""
        self._items: list[tuple[Fold | Block, Outline]] = []
        self.items: list[PlacedItem] = []
        self._tops: list[int] = []
        self.height = 0

    def update_text(self, text: str, state: MessageState, unfolded: set[int]) -> None:
        growing = state is MessageState.STREAMING
        found = self._sections(text, growing=growing)
        self.outlines = [self._outline(number, section, text) for number, section in enumerate(found)]
        self._items = [
            (item, outline)
            for number, (section, outline) in enumerate(zip(found, self.outlines, strict=True))
            for item in _shown(outline, number, growing and not section.closed, number in unfolded)
        ]
        self.place_items()

    def _sections(self, text: str, *, growing: bool) -> list[Section]:
        if self._plain:
            return [Section(False, 0, len(text))] if text else []
        return find_sections(text, growing=growing)

    def _outline(self, number: int, section: Section, text: str) -> Outline:
        outline = self.outlines[number] if number < len(self.outlines) else None
        if outline is None or (outline.reasoning, outline.start) != (section.reasoning, section.start):
            outline = Outline(section.start, reasoning=section.reasoning, plain=self._plain)
        outline.update_text(text, section.end)
        return outline

    def place_items(self) -> None:
        """After heights have changed."""
        self.items = []
        before: Fold | Block | None = None
        top = 0
        for item, outline in self._items:
            top += _gap(before, item)
            self.items.append(PlacedItem(item, top, outline.references, outline.reasoning))
            top += item.height
            before = item
        self._tops = [placed.top for placed in self.items]
        self.height = top

    def index_at(self, y: int) -> int:
        """The item at a height, or the one above it."""
        return max(0, bisect_right(self._tops, y) - 1)

    def items_between(self, top: float, bottom: float) -> Iterator[tuple[int, PlacedItem]]:
        """Items that are to be seen there."""
        for index in range(self.index_at(int(top)), len(self.items)):
            if self.items[index].top > bottom:
                break
            yield index, self.items[index]

    @property
    def blocks(self) -> Iterator[Block]:
        return (placed.item for placed in self.items if isinstance(placed.item, Block))

    @property
    def had_references(self) -> bool:
        return any(outline.had_references for outline in self.outlines)


def _shown(outline: Outline, number: int, going_on: bool, unfolded: bool) -> list[Fold | Block]:
    if not outline.reasoning:
        return list(outline.blocks)
    fold = Fold(number, unfolded, going_on)
    return [fold, *outline.blocks] if unfolded else [fold]


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
    close = above is BlockKind.HEADING or above is below is BlockKind.ITEM
    return GRID if close else BLOCK_GAP

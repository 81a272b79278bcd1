"""The parts of a message from top to bottom: folds of reasoning, and blocks of text."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.services.answers.reasoning import Section, sections
from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.flatten import GAP
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
    going_on: bool
    height: int = FOLD_HEIGHT
    exact: bool = True


@dataclass(slots=True)
class Part:
    section: Section
    outline: Outline


@dataclass(frozen=True, slots=True)
class Placed:
    item: Fold | Block
    top: int
    references: References
    muted: bool = False

    @property
    def bottom(self) -> int:
        return self.top + self.item.height


class Body:
    def __init__(self, role: Role) -> None:
        self._plain = role is not Role.ASSISTANT
        self._parts: list[Part] = []
        self._items: list[tuple[Fold | Block, Part]] = []
        self.items: list[Placed] = []
        self._tops: list[int] = []
        self.height = 0

    def read(self, text: str, state: MessageState, unfolded: set[int]) -> None:
        growing = state is MessageState.STREAMING
        found = self._sections(text, growing=growing)
        self._parts = [self._part(number, section, text) for number, section in enumerate(found)]
        self._items = [
            (item, part)
            for number, part in enumerate(self._parts)
            for item in _shown(part, number, growing, number in unfolded)
        ]
        self.place()

    def _sections(self, text: str, *, growing: bool) -> list[Section]:
        if self._plain:
            return [Section(False, 0, len(text))] if text else []
        return sections(text, growing=growing)

    def _part(self, number: int, section: Section, text: str) -> Part:
        part = self._parts[number] if number < len(self._parts) else None
        if part is None or (part.section.reasoning, part.section.start) != (section.reasoning, section.start):
            part = Part(section, Outline(section.start, plain=self._plain))
        part.section = section
        part.outline.read(text, section.end)
        return part

    def place(self) -> None:
        """After heights have changed."""
        self.items = []
        before: Fold | Block | None = None
        top = 0
        for item, part in self._items:
            top += _gap(before, item)
            self.items.append(Placed(item, top, part.outline.references, part.section.reasoning))
            top += item.height
            before = item
        self._tops = [placed.top for placed in self.items]
        self.height = top

    def index_at(self, y: int) -> int:
        """The item at a height, or the one above it."""
        return max(0, bisect_right(self._tops, y) - 1)

    def between(self, top: float, bottom: float) -> Iterator[tuple[int, Placed]]:
        """Items that are to be seen there."""
        for index in range(self.index_at(int(top)), len(self.items)):
            if self.items[index].top > bottom:
                break
            yield index, self.items[index]

    @property
    def blocks(self) -> Iterator[Block]:
        return (placed.item for placed in self.items if isinstance(placed.item, Block))

    @property
    def sections(self) -> list[Section]:
        return [part.section for part in self._parts]

    @property
    def had_references(self) -> bool:
        return any(part.outline.had_references for part in self._parts)


def _shown(part: Part, number: int, growing: bool, unfolded: bool) -> list[Fold | Block]:
    if not part.section.reasoning:
        return list(part.outline.blocks)
    fold = Fold(number, unfolded, growing and not part.section.closed)
    return [fold, *part.outline.blocks] if unfolded else [fold]


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
    return GRID if close else GAP

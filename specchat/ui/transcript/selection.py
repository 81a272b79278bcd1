"""The selected range, which may reach over several messages, and the text in it."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.line_geometry import LineCaret
from specchat.ui.transcript.message_row import MessageRow, PlacedItem
from specchat.ui.transcript.rendered_lines import LINE_BREAK, LineKind, RenderedLine
from specchat.ui.transcript.row_contents import ItemHit

MessageCaret = tuple[int, int, int]
"""The item of the message, the line and the offset in it."""
CaretRange = tuple[MessageCaret, MessageCaret]
Caret = tuple[int, int, int, int]
"""The number of the message, and the caret in it."""
_QUOTED = re.compile(r"\n[ \t]*(?:>[ \t]?)+")
_START: MessageCaret = (0, 0, 0)
_END: MessageCaret = (sys.maxsize, 0, 0)


@dataclass(frozen=True, slots=True)
class Selection:
    fixed: tuple[Caret, Caret]
    """What was selected first: nothing, a word or a paragraph."""
    moving: tuple[Caret, Caret]

    @property
    def ends(self) -> tuple[Caret, Caret]:
        return min(self.fixed[0], self.moving[0]), max(self.fixed[1], self.moving[1])

    @property
    def is_empty(self) -> bool:
        first, last = self.ends
        return first == last

    @property
    def messages(self) -> range:
        first, last = self.ends
        return range(first[0], last[0] + 1)

    def in_message(self, index: int) -> CaretRange | None:
        first, last = self.ends
        if self.is_empty or index not in self.messages:
            return None
        start, end = first[1:], last[1:]
        return start if index == first[0] else _START, end if index == last[0] else _END


def select(index: int, taken: CaretRange) -> Selection:
    """Returns the selection of a range within one message."""
    carets = (index, *taken[0]), (index, *taken[1])
    return Selection(carets, carets)


def block_part(selected: CaretRange, index: int, block: Block) -> tuple[LineCaret, LineCaret] | None:
    """Returns what is selected of the block that is the item `index` of its message."""
    (first, *start), (last, *end) = selected
    if not first <= index <= last:
        return None
    last_line = len(block.lines) - 1
    return (
        (start[0], start[1]) if first == index else (0, 0),
        (end[0], end[1]) if last == index else (last_line, len(block.lines[last_line].text)),
    )


def whole_row_range(row: MessageRow) -> CaretRange | None:
    blocks = [(index, placed) for index, placed in enumerate(row.body.items) if isinstance(placed.item, Block)]
    if not blocks:
        return None
    index, placed = blocks[-1]
    lines = _read(row, placed)
    return (blocks[0][0], 0, 0), (index, len(lines) - 1, len(lines[-1].text))


def range_at_click(spot: ItemHit, clicks: int) -> CaretRange | None:
    """Returns what a click, a double click or a triple click selects."""
    block = spot.placed.item
    if not isinstance(block, Block) or block.geometry is None:
        return None
    caret = block.geometry.caret_at(block.document_point(spot.point))
    if clicks == 1:
        return (spot.index, *caret), (spot.index, *caret)
    if clicks == 2:
        first, last = block.geometry.word_at(caret)
        return (spot.index, *first), (spot.index, *last)
    return (spot.index, caret[0], 0), (spot.index, caret[0], len(block.lines[caret[0]].text))


def selected_text(row: MessageRow, selected: CaretRange) -> str:
    (first, *start), (last, *end) = selected
    parts: list[str] = []
    before: Block | None = None
    for index, placed in enumerate(row.body.items[first : last + 1], first):
        if not isinstance(placed.item, Block):
            continue
        if before:
            parts.append(_between(before, placed.item))
        lines = _read(row, placed)
        low = (start[0], start[1]) if index == first else (0, 0)
        high = (end[0], end[1]) if index == last else (len(lines) - 1, len(lines[-1].text))
        parts += _text(row.text, lines, low, high)
        before = placed.item
    return "".join(parts).replace(LINE_BREAK, "\n")


def _read(row: MessageRow, placed: PlacedItem) -> tuple[RenderedLine, ...]:
    assert isinstance(placed.item, Block)
    return placed.item.render_lines(row.text, placed.references)


def _between(before: Block, block: Block) -> str:
    kinds = {before.kind, block.kind}
    return "\n" if kinds in ({BlockKind.ITEM}, {BlockKind.NOTE}, {BlockKind.PLAIN}) else "\n\n"


def _text(text: str, lines: tuple[RenderedLine, ...], low: tuple[int, int], high: tuple[int, int]) -> Iterator[str]:
    before: RenderedLine | None = None
    copied = CopyTextBuilder(text)
    for number in range(low[0], high[0] + 1):
        line = lines[number]
        if line.kind is LineKind.FILLER:
            continue
        if before:
            same_row = before.kind is line.kind is LineKind.CELL and before.row == line.row
            yield "\t" if same_row else "\n"
        start = low[1] if number == low[0] else 0
        if line.marker and start == 0:
            yield "  " * (line.path.count("b") + line.path.count("o") - 1)
            yield f"{line.marker} "
        shown = copied.line_text(line, start, high[1] if number == high[0] else len(line.text))
        yield shown.replace(LINE_BREAK, " ") if line.kind is LineKind.CELL else shown
        before = line


class CopyTextBuilder:
    def __init__(self, source: str) -> None:
        self._source = source
        self._formula: tuple[int, int] | None = None
        """The formula that was copied last."""

    def line_text(self, line: RenderedLine, start: int, end: int) -> str:
        return "".join(self._parts(line, start, end))

    def _parts(self, line: RenderedLine, start: int, end: int) -> Iterator[str]:
        for run in line.runs:
            shown = line.text[max(start, run.start) : min(end, run.end)]
            if not shown or run.formula is None:
                yield shown
            elif run.formula != self._formula:
                self._formula = run.formula
                yield _QUOTED.sub("\n", self._source[slice(*run.formula)])

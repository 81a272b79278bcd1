"""Splits a text that may still grow into its top-level blocks.

Text that is appended changes nothing before the last block that has two complete lines (the second one of a table
decides that it is one): reading starts there.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from specchat.ui.transcript.block import Block, BlockKind
from specchat.ui.transcript.markdown_parser import References, block_tokens, list_item_prefix, without_first_item
from specchat.ui.widgets.text_direction import is_right_to_left

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_PARSED_LENGTH = 100_000
"""Text beyond this length is shown as it is written."""
MAX_BLOCK_LENGTH = 12_000
"""A longer block is shown as it is written, unless it is code."""
MAX_CODE_BLOCK_LENGTH = 60_000
_WINDOW_LINES = 300
_CHUNK = 4_000
_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_CODE = re.compile(r"(`+).+?\1", re.DOTALL)
_OPENING = re.compile(r"[ ]*(`{3,}|~{3,}).*\n")


_KINDS = {"fence": BlockKind.CODE, "heading_open": BlockKind.HEADING, "footnote_open": BlockKind.NOTE}


class BlockSplitter:
    """Splits a section of the text, from `start` to `end`, into blocks."""

    def __init__(self, start: int, *, reasoning: bool = False, plain: bool = False) -> None:
        """`plain` shows all of it as it is written."""
        self.start = self.end = start
        self.reasoning = reasoning
        self._limit = start if plain else start + MAX_PARSED_LENGTH
        self._settled: list[Block] = []
        self._settled_references: References = {}
        self._from = start
        self._number: int | None = None
        self._in_list = False
        self._fence: _Fence | None = None
        """The block of code that the text ends in."""
        self.references: References = {}
        self.had_references = False
        """Whether there ever were definitions: one may become something else as its line goes on."""
        self.blocks: list[Block] = []

    def update_text(self, text: str, end: int) -> list[Block]:
        """Reads text that begins as last time; a block that goes on stays the same object."""
        self.end, before = end, self.blocks
        if self._fence is None or self._fence.closing(text, end):
            while self._from < self._limit and not self._read_window(text, end):
                pass
        else:
            self._show_fence(text, end)
        if self._from >= self._limit:
            self.blocks = [*self._settled, *plain_blocks(text, self._from, end)]
        _direct_lists(self.blocks, text)
        self.blocks = [_kept(before, number, block) for number, block in enumerate(self.blocks)]
        self._settled = self.blocks[: len(self._settled)]
        return self.blocks

    def _read_window(self, text: str, end: int) -> bool:
        """Reads a part of the text and says whether the end was reached."""
        self._from = _after_blank_lines(text, self._from, end)
        window = _window(text, self._from, end)
        tail, starts = self._parse(text, window)
        last = next((n for n in reversed(range(len(tail))) if _has_begun(text, tail[n], window)), 0)
        last = next((n for n in range(last) if tail[n].start >= self._limit), last)
        self._fence = _fence(text, tail[last], window) if tail else None
        if self._fence and window == end and self._fence.closing(text, end):
            self._fence = None
        self._settle(tail, last, starts)
        if self._fence and (closing := self._fence.closing(text, end)):
            self._show_fence(text, closing)
            if closing == end:
                return True
            self._settled, self._settled_references = list(self.blocks), self.references
            self._from, self._fence, self._in_list = closing, None, False
        elif self._fence:
            self._show_fence(text, end)
            return True
        elif window < end and not last:
            cut = text.rfind("\n", self._from, window) + 1 or window
            self._settled += plain_blocks(text, self._from, cut)
            self._from, self._in_list = cut, False
        return window == end

    def _parse(self, text: str, end: int) -> tuple[list[Block], list[int]]:
        source = text[self._from : end]
        before = list_item_prefix(source) if self._in_list else ""
        self.references = dict(self._settled_references)
        tokens = block_tokens(before + source, self.references)
        self.had_references |= bool(self.references)
        if before:
            tokens = without_first_item(tokens)
        lengths = (len(line) + 1 for line in (before + source).split("\n"))
        starts = list(accumulate(lengths, initial=self._from - len(before)))
        return [
            Block(kind, starts[first], _without_blank_end(text, starts[first], min(starts[last], end)), number)
            for kind, first, last, number in _top_level(tokens, self._number)
        ], starts

    def _settle(self, tail: list[Block], last: int, starts: list[int]) -> None:
        """Settles the blocks before the one with the number `last`."""
        if last:
            self._settled += tail[:last]
            self._from, self._number = tail[last].start, tail[last].number
            self._in_list = tail[last].kind is BlockKind.ITEM
            for label, reference in self.references.items():
                if label not in self._settled_references and starts[reference["map"][0]] < self._from:
                    self._settled_references[label] = reference
        self.blocks = [*self._settled, *tail[last:]]

    def _show_fence(self, text: str, end: int) -> None:
        """Shows a block of code that still grows, without the parser."""
        assert self._fence
        start, rest = self._fence.start, end
        if end - start > MAX_CODE_BLOCK_LENGTH:
            rest = text.rfind("\n", start, start + MAX_CODE_BLOCK_LENGTH) + 1 or start + MAX_CODE_BLOCK_LENGTH
        program = Block(BlockKind.CODE, start, _without_blank_end(text, start, rest))
        self.blocks = [*self._settled, program, *plain_blocks(text, rest, end)]


class _Fence:
    def __init__(self, start: int, opening: re.Match[str]) -> None:
        self.start = start
        mark = opening[1]
        self._pattern = re.compile(rf"^[ ]{{0,3}}{mark}{mark[0]}*[ \t]*$\n?", re.MULTILINE)
        self._read = opening.end()

    def closing(self, text: str, end: int) -> int | None:
        """Returns where the text goes on after the line that closes the block."""
        found = self._pattern.search(text, self._read, end)
        if found is None:
            self._read = max(self._read, text.rfind("\n", self._read, end) + 1)
        return found.end() if found else None


def _has_begun(text: str, block: Block, end: int) -> bool:
    """Whether the next line can no longer make it another one. Of code the first line tells it."""
    return text.count("\n", block.start, end) > (0 if block.kind is BlockKind.CODE else 1)


def _fence(text: str, block: Block, end: int) -> _Fence | None:
    opening = _OPENING.match(text, block.start, end)
    if block.kind is not BlockKind.CODE or not opening:
        return None
    return _Fence(block.start, opening)


def _window(text: str, start: int, end: int) -> int:
    end = min(end, start + MAX_BLOCK_LENGTH)
    if text.count("\n", start, end) > _WINDOW_LINES:
        lines = re.compile(rf"(?:.*\n){{{_WINDOW_LINES}}}").match(text, start, end)
        return lines.end() if lines else end
    return end


def plain_blocks(text: str, start: int, end: int) -> Iterator[Block]:
    while start < end:
        cut = end
        if end - start > _CHUNK:
            cut = text.rfind("\n", start, start + _CHUNK) + 1
            cut = cut if cut > start else start + _CHUNK
        yield Block(BlockKind.PLAIN, start, cut)
        start = cut


def _top_level(tokens: "Iterable[Token]", carried: int | None) -> Iterator[tuple[BlockKind, int, int, int | None]]:
    """Yields the top-level blocks; items count on from `carried` in the middle of a list."""
    number: int | None = None
    for token in tokens:
        if token.map is None or token.nesting < 0 or token.level > 1:
            continue
        first, last = token.map
        if token.type == "list_item_open":
            yield BlockKind.ITEM, first, last, number
            number = None if number is None else number + 1
        elif token.level == 0:
            number = None
            if token.type == "ordered_list_open":
                number = int(token.attrs.get("start", 1)) if carried is None else carried
            elif token.type != "bullet_list_open":
                yield _KINDS.get(token.type, BlockKind.PROSE), first, last, None
            carried = None


def _after_blank_lines(text: str, start: int, end: int) -> int:
    found = _BLANK_LINES.match(text, start, end)
    return found.end() if found else start


def _without_blank_end(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == "\n":
        end -= 1
    return end


def _kept(before: Sequence[Block], number: int, block: Block) -> Block:
    if number >= len(before) or not before[number].has_same_start(block):
        return block
    before[number].update_range(block.end, right_to_left=block.right_to_left)
    return before[number]


def _direct_lists(blocks: Sequence[Block], text: str) -> None:
    """Gives items without a letter the direction of the one before, or of the first that has a letter."""
    if text.isascii():
        return
    for (kind, _), items in groupby(blocks, lambda block: (block.kind, block.number is None)):
        if kind is BlockKind.ITEM:
            _direct_list(list(items), text)


def _direct_list(items: Sequence[Block], text: str) -> None:
    own = [is_right_to_left(_CODE.sub("", text[item.start : item.end])) for item in items]
    now = next((direction for direction in own if direction is not None), False)
    for item, direction in zip(items, own, strict=True):
        now = now if direction is None else direction
        item.update_range(item.end, right_to_left=now and direction is None)

"""From a block of the source to the lines that show it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat.ui.transcript.directions import directed
from specchat.ui.transcript.flatten import Flattener
from specchat.ui.transcript.lines import Bit, Kind, Line
from specchat.ui.transcript.markdown import NESTING, References, block_tokens, item_before, without_first_item
from specchat.ui.transcript.outline import Block, BlockKind
from specchat.ui.transcript.program import Program

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST_CELLS = 1500


class Renderer:
    """Of one block, which may still grow."""

    def __init__(self) -> None:
        self._program: Program | None = None

    def lines(self, text: str, block: Block, references: References) -> tuple[Line, ...]:
        source = text[block.start : block.end]
        if block.kind is BlockKind.PLAIN:
            return plain_lines(source, block.start)
        if block.kind is BlockKind.CODE:
            self._program = self._program or Program()
            return tuple(self._program.lines(source, block.start))
        before = item_before(source) if block.kind is BlockKind.ITEM else ""
        tokens = block_tokens(before + source, dict(references))
        if _too_much(tokens):
            return plain_lines(source, block.start)
        if before:
            tokens = without_first_item(tokens)
        lines = Flattener(before + source, block.start - len(before), references, block.number).read(tokens)
        return tuple(directed(lines, block.right_to_left)) or (Line(Kind.PARAGRAPH),)


def plain_lines(source: str, offset: int) -> tuple[Line, ...]:
    lines = []
    for line in source.removesuffix("\n").split("\n"):
        lines.append(Line(Kind.PARAGRAPH, (Bit(line, offset),) if line else ()))
        offset += len(line) + 1
    return tuple(directed(lines))


def _too_much(tokens: "Sequence[Token]") -> bool:
    """The parser leaves out what is nested deeper."""
    cells = sum(token.type in ("td_open", "th_open") for token in tokens)
    return cells > MOST_CELLS or any(token.level >= NESTING - 1 for token in tokens)

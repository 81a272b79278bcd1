"""From a block of the source to the lines that show it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat.ui.transcript.directions import direct
from specchat.ui.transcript.flatten import Flattener
from specchat.ui.transcript.lines import Line
from specchat.ui.transcript.markdown import NESTING, References, block_tokens, item_before, without_first_item

if TYPE_CHECKING:
    from markdown_it.token import Token

MOST_CELLS = 1500


def markdown_lines(
    source: str, offset: int, references: References, number: int | None, in_list: bool, right_to_left: bool
) -> tuple[Line, ...]:
    """`in_list`: it is an item, which runs from right to left where the list around it does and it has no letter."""
    before = item_before(source) if in_list else ""
    tokens = block_tokens(before + source, dict(references))
    if _too_much(tokens):
        return plain_lines(source, offset)
    if before:
        tokens = without_first_item(tokens)
    lines = Flattener(before + source, offset - len(before), references, number).read(tokens)
    direct(lines, right_to_left)
    return tuple(lines) or (Line(),)


def plain_lines(source: str, offset: int) -> tuple[Line, ...]:
    lines = []
    for text in source.removesuffix("\n").split("\n"):
        line = Line()
        if text:
            line.add(text, offset)
        lines.append(line)
        offset += len(text) + 1
    direct(lines)
    return tuple(lines)


def _too_much(tokens: "Sequence[Token]") -> bool:
    """The parser leaves out what is nested deeper."""
    cells = sum(token.type in ("td_open", "th_open") for token in tokens)
    return cells > MOST_CELLS or any(token.level >= NESTING - 1 for token in tokens)

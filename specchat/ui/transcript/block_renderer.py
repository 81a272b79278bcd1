"""Renders the source of a block to lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from specchat.ui.transcript.directions import set_directions
from specchat.ui.transcript.line_builder import LineBuilder
from specchat.ui.transcript.markdown import MAX_NESTING, References, block_tokens, list_item_prefix, without_first_item
from specchat.ui.transcript.rendered_lines import RenderedLine

if TYPE_CHECKING:
    from markdown_it.token import Token

MAX_CELLS = 1500


def render_markdown(
    source: str, offset: int, references: References, number: int | None, in_list: bool, right_to_left: bool
) -> tuple[RenderedLine, ...]:
    """`in_list`: it is an item, which runs from right to left where the list around it does and it has no letter."""
    before = list_item_prefix(source) if in_list else ""
    tokens = block_tokens(before + source, dict(references))
    if _too_much(tokens):
        return render_plain_text(source, offset)
    if before:
        tokens = without_first_item(tokens)
    lines = LineBuilder(before + source, offset - len(before), references, number).build_lines(tokens)
    set_directions(lines, right_to_left)
    return tuple(lines) or (RenderedLine(),)


def render_plain_text(source: str, offset: int) -> tuple[RenderedLine, ...]:
    lines = []
    for text in source.removesuffix("\n").split("\n"):
        line = RenderedLine()
        if text:
            line.append_text(text, offset)
        lines.append(line)
        offset += len(text) + 1
    set_directions(lines)
    return tuple(lines)


def _too_much(tokens: "Sequence[Token]") -> bool:
    """The parser leaves out what is nested deeper."""
    cells = sum(token.type in ("td_open", "th_open") for token in tokens)
    return cells > MAX_CELLS or any(token.level >= MAX_NESTING - 1 for token in tokens)

"""Extracts links, code blocks and plain text from a message."""

from collections.abc import Iterator

from PySide6.QtCore import QPointF

from specchat.ui.transcript.block import Block
from specchat.ui.transcript.message_row import ItemHit, MessageRow
from specchat.ui.transcript.rendered_lines import LINE_BREAK, LineKind, RenderedLine
from specchat.ui.transcript.row_painter import CodeBlockRef
from specchat.ui.transcript.shapes import CodeCard

_MOST_LINKS = 20


def row_links(row: MessageRow) -> tuple[str, ...]:
    found = (run.style.link for line in _lines(row) for run in line.runs if run.style.link)
    return tuple(dict.fromkeys(found))[:_MOST_LINKS]


def code_block_texts(row: MessageRow) -> list[str]:
    found: list[list[str]] = []
    for line in _lines(row):
        if line.begins:
            found.append([])
        if line.kind is LineKind.CODE:
            found[-1].append(line.text)
    return ["\n".join(lines) for lines in found]


def plain_text(row: MessageRow, most: int) -> str:
    """What is shown, for those who hear it."""
    parts: list[str] = []
    size = 0
    for line in _lines(row):
        parts.append(_heard(line).replace(LINE_BREAK, "\n"))
        size += len(line.text)
        if size > most:
            break
    return "\n".join(part for part in parts if part)[:most]


def _heard(line: RenderedLine) -> str:
    """Small letters above or below the line are told from the others."""
    parts, script = [], 0
    for run in line.runs:
        if run.style.script not in (0, script):
            parts.append("^" if run.style.script > 0 else "_")
        script = run.style.script
        parts.append(line.run_text(run))
    return "".join(parts)


def code_block_text(row: MessageRow, spot: CodeBlockRef) -> str:
    block = row.body.items[spot.index].item
    if not isinstance(block, Block) or spot.card >= len(block.shapes.cards):
        return ""
    card = block.shapes.cards[spot.card]
    return "\n".join(line.text for line in block.lines[card.first : card.last + 1])


def copy_button_at(spot: ItemHit) -> CodeBlockRef | None:
    cards = _cards(spot)
    inside = (n for n, card in enumerate(cards) if card.copy_button_rect.contains(_document_point(spot)))
    number = next(inside, None)
    return None if number is None else CodeBlockRef(spot.index, number)


def link_at(spot: ItemHit) -> str:
    found = character_at(spot)
    run = found[0].run_at(found[1]) if found else None
    return run.style.link if run else ""


def character_at(spot: ItemHit) -> tuple[RenderedLine, int] | None:
    block = spot.placed.item
    if not isinstance(block, Block) or block.geometry is None:
        return None
    found = block.geometry.character_at(_document_point(spot))
    return (block.lines[found[0]], found[1]) if found else None


def _cards(spot: ItemHit) -> tuple[CodeCard, ...]:
    block = spot.placed.item
    return block.shapes.cards if isinstance(block, Block) and block.has_document else ()


def _document_point(spot: ItemHit) -> QPointF:
    block = spot.placed.item
    assert isinstance(block, Block)
    return spot.point - block.origin


def _lines(row: MessageRow) -> Iterator[RenderedLine]:
    for placed in row.body.items:
        if isinstance(placed.item, Block):
            yield from placed.item.render_lines(row.text, placed.references)

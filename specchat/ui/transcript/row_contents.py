"""Tells what stands at a point of a message, and extracts its links, code blocks and plain text."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF

from specchat.ui.documents.document_links import document_link, passages_link
from specchat.ui.transcript.block import Block
from specchat.ui.transcript.fenced_code import CODE_FOOTER_HEIGHT
from specchat.ui.transcript.formulas import readable_formula
from specchat.ui.transcript.markdown import DONE_TASK, OPEN_TASK
from specchat.ui.transcript.message_row import TOP_MARGIN, Fold, MessageRow, PlacedItem
from specchat.ui.transcript.rendered_lines import LINE_BREAK, LineKind, RenderedLine

_MOST_LINKS = 20


@dataclass(frozen=True, slots=True)
class ItemHit:
    """A place in a row: an item, and where the point is within it."""

    index: int
    placed: PlacedItem
    point: QPointF


@dataclass(frozen=True, slots=True)
class CodeBlockRef:
    """A code block: the item it is in, and its number there."""

    index: int
    card: int


def item_at(row: MessageRow, point: QPointF) -> ItemHit | None:
    """Returns the item at a point, or the nearest one."""
    if not row.body.items:
        return None
    index = row.body.index_at(int(point.y()) - row.body_top)
    placed = row.body.items[index]
    return ItemHit(index, placed, point - row.item_origin(placed))


def fold_at(row: MessageRow, point: QPointF) -> Fold | None:
    spot = item_at(row, point)
    if spot and isinstance(spot.placed.item, Fold) and 0 <= spot.point.y() < spot.placed.item.height:
        return spot.placed.item
    return None


def picture_at(row: MessageRow, point: QPointF) -> int | None:
    """Returns the number of the picture at a point."""
    inside = point - QPointF(0, TOP_MARGIN)
    return next((number for number, placed in enumerate(row.pictures) if placed.area.contains(inside)), None)


def recording_at(row: MessageRow, point: QPointF) -> int | None:
    """Returns the number of the recording at a point."""
    chips = row.chips[len(row.entry.attachments) :]
    inside = point - QPointF(0, row.chips_top)
    return next((number for number, chip in enumerate(chips) if chip.area.contains(inside)), None)


def row_links(row: MessageRow) -> tuple[str, ...]:
    found = [run.style.link for line in _lines(row) for run in line.runs if run.style.link]
    found += [document_link(file.name) for file in row.entry.attachments]
    if row.details is not None and row.details.has_sources:
        found.append(passages_link(row.entry.id))
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
    """Returns what a message shows, for a screen reader."""
    parts: list[str] = []
    size = 0
    for line in _lines(row):
        parts.append(_heard(line).replace(LINE_BREAK, "\n"))
        size += len(line.text)
        if size > most:
            break
    return "\n".join(part for part in parts if part)[:most]


def _heard(line: RenderedLine) -> str:
    """Returns a line's text, with signs for tasks and for letters above or below the line."""
    parts, script = [f"{line.marker} "] if line.marker in (OPEN_TASK, DONE_TASK) else [], 0
    for run in line.runs:
        if run.style.script not in (0, script):
            parts.append("^" if run.style.script > 0 else "_")
        script = run.style.script
        drawn = run.style.formula
        parts.append(readable_formula(drawn.latex) + drawn.tail if drawn else line.run_text(run))
    return "".join(parts)


def code_block_text(row: MessageRow, spot: CodeBlockRef) -> str:
    block = row.body.items[spot.index].item
    if not isinstance(block, Block) or spot.card >= len(block.shapes.cards):
        return ""
    card = block.shapes.cards[spot.card]
    return "\n".join(line.text for line in block.lines[card.first : card.last + 1])


def code_block_at(spot: ItemHit) -> CodeBlockRef | None:
    block = spot.placed.item
    number = block.card_at(spot.point) if isinstance(block, Block) and block.has_document else None
    return None if number is None else CodeBlockRef(spot.index, number)


def copy_button_at(spot: ItemHit) -> CodeBlockRef | None:
    found, block = code_block_at(spot), spot.placed.item
    if found is None or not isinstance(block, Block):
        return None
    return found if block.shapes.cards[found.card].copy_button_rect.contains(spot.point - block.origin) else None


def is_on_scroll_bar(spot: ItemHit) -> bool:
    """Below the lines of a code block that has longer ones than it shows."""
    found, block = code_block_at(spot), spot.placed.item
    if found is None or not isinstance(block, Block):
        return False
    card = block.shapes.cards[found.card]
    below_code = card.area.adjusted(0, card.area.height() - CODE_FOOTER_HEIGHT, 0, 0)
    return card.overflow > 0 and below_code.contains(spot.point - block.origin)


def link_at(spot: ItemHit) -> str:
    found = character_at(spot)
    run = found[0].run_at(found[1]) if found else None
    return run.style.link if run else ""


def document_link_at(row: MessageRow, point: QPointF) -> str:
    """Of the chip of a file, or of the line that says which passages were read; else empty."""
    for chip, file in zip(row.chips, row.entry.attachments, strict=False):
        if chip.area.translated(0, row.chips_top).contains(point):
            return document_link(file.name)
    has_sources = row.details is not None and row.details.has_sources
    return passages_link(row.entry.id) if has_sources and row.footer_rect.contains(point) else ""


def source_at(spot: ItemHit) -> int | None:
    """Returns where in the source stands what is shown at a place."""
    block = spot.placed.item
    if character_at(spot) is None or not isinstance(block, Block) or block.geometry is None:
        return None
    return block.geometry.source_at(block.document_point(spot.point))


def character_at(spot: ItemHit) -> tuple[RenderedLine, int] | None:
    block = spot.placed.item
    if not isinstance(block, Block) or block.geometry is None:
        return None
    if (number := block.card_at(spot.point)) is not None:
        area = block.shapes.cards[number].area
        if not area.left() <= spot.point.x() - block.origin.x() < area.right():
            return None
    found = block.geometry.character_at(block.document_point(spot.point))
    return (block.lines[found[0]], found[1]) if found else None


def _lines(row: MessageRow) -> Iterator[RenderedLine]:
    for placed in row.body.items:
        if isinstance(placed.item, Block):
            yield from placed.item.render_lines(row.text, placed.references)
